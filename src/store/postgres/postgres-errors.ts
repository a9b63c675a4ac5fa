import { MadeleineError, messageOf } from '../../errors.ts'

/** The server, or what lies between, ended the connection; or the server is only just starting or stopping. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED', '57P01', '57P02', '57P03'])
/** Two transactions were in each other's way, and the server chose one to give up. */
const CONFLICTS = new Set(['40001', '40P01'])

interface Meaning {
  code: 'STORE_BUSY' | 'STORE_UNUSABLE' | 'STORE_DAMAGED'
  state: string
  remedy: string
}

const REFUSED: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'the server refuses user or password',
  remedy: 'Check the user in the URL, and its password there, in PGPASSWORD or in ~/.pgpass',
}
const AWAY: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'no server answers there',
  remedy: 'Start PostgreSQL, or check host and port of the URL',
}
const BROKEN_OFF: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'the connection was lost',
  remedy: 'Check that the server runs, then try again; what was acknowledged before is kept',
}
const UNTRUSTED: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'the certificate of the server is not trusted',
  remedy: 'Name the certificate of its authority with sslrootcert=… in the URL',
}
const BUSY: Meaning = {
  code: 'STORE_BUSY',
  state: 'another process holds it',
  remedy: 'Wait until the other process is done, then try again',
}
const FULL: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'the disk of the server is full',
  remedy: 'Free some space there and try again; what was acknowledged before is kept',
}
const CORRUPT: Meaning = {
  code: 'STORE_DAMAGED',
  state: 'the server finds its files damaged',
  remedy: 'Restore a backup of the database, or run "madeleine index" into a new one',
}

const UNPREPARED: Meaning = {
  code: 'STORE_UNUSABLE',
  state: 'a pooler gives each transaction another connection and keeps no prepared statements',
  remedy:
    'Add ?prepare=false to the URL, or let the pooler keep them (PgBouncer 1.21 or newer with max_prepared_statements)',
}

/** What codes of PostgreSQL (five characters) and of the system mean for a store. */
const MEANINGS: Record<string, Meaning> = {
  ECONNREFUSED: AWAY,
  ENOTFOUND: AWAY,
  EAI_AGAIN: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOENT: AWAY,
  ETIMEDOUT: AWAY,
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  '28P01': REFUSED,
  '28000': REFUSED,
  '3D000': {
    code: 'STORE_UNUSABLE',
    state: 'the server has no database of this name',
    remedy: 'Make it with "createdb", or check the name at the end of the URL',
  },
  '42501': {
    code: 'STORE_UNUSABLE',
    state: 'the role has no right to do that',
    remedy: 'Let the owner of the database grant it: docs/scale.md has the statements',
  },
  '26000': UNPREPARED,
  '42P05': UNPREPARED,
  '25006': {
    code: 'STORE_UNUSABLE',
    state: 'it may only be read there',
    remedy: 'Give the URL of the primary server',
  },
  '53300': {
    code: 'STORE_BUSY',
    state: 'the server has no connection left',
    remedy: 'Try again, raise max_connections of the server, or put a pooler before it',
  },
  '57P01': BROKEN_OFF,
  '57P02': BROKEN_OFF,
  '57P03': { ...BUSY, state: 'the server is starting or stopping', remedy: 'Try again in a moment' },
  '57014': {
    ...BUSY,
    state: 'the server gave up a statement that took too long',
    remedy: 'Try again, or raise statement_timeout',
  },
  '55P03': BUSY,
  '40001': BUSY,
  '40P01': BUSY,
  '53100': FULL,
  XX001: CORRUPT,
  XX002: CORRUPT,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
}

/** What the driver says without a code. */
const MEANING_OF_MESSAGE: ReadonlyArray<[RegExp, Meaning]> = [
  [/password must be a (?:non-empty )?string/i, REFUSED],
  [
    /does not support SSL/i,
    { ...UNTRUSTED, state: 'the server speaks no TLS', remedy: 'Switch TLS on there, or leave sslmode out of the URL' },
  ],
  [/timeout exceeded when trying to connect|connection timeout/i, AWAY],
  [/connection terminated|client was closed|not queryable/i, BROKEN_OFF],
]

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? '' : codeOf(cause)
}

/** Whether the connection, or the server, went away: another connection may serve. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  return LOST.has(code) || code.startsWith('08') || meaningOf(error) === BROKEN_OFF
}

/** Whether the same transaction may succeed when it is tried again. */
export function isTransient(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error)) || isConnectionLost(error)
}

/** Whether a table or schema is not there. */
export function isMissingTable(error: unknown): boolean {
  return ['42P01', '3F000'].includes(codeOf(error))
}

function meaningOf(error: unknown): Meaning | undefined {
  const code = codeOf(error)
  if (MEANINGS[code]) return MEANINGS[code]
  if (code.startsWith('08')) return BROKEN_OFF
  return MEANING_OF_MESSAGE.find(([pattern]) => pattern.test(messageOf(error)))?.[1]
}

/** Says what an error of server or driver means for the store; errors of another kind come back as they are. */
export function toPostgresError(error: unknown, location: string): unknown {
  if (error instanceof MadeleineError) return error
  const meaning = meaningOf(error)
  if (!meaning) return error
  return new MadeleineError(meaning.code, `Cannot use store ${location}: ${meaning.state}`, {
    remedy: meaning.remedy,
    cause: error,
  })
}

/** The connection broke while a write was being committed: whether it counts is not known. */
export function uncertainError(location: string, cause: unknown): MadeleineError {
  return new MadeleineError(
    'STORE_UNUSABLE',
    `Cannot tell whether store ${location} took the last write: the connection was lost while it was acknowledged`,
    { remedy: 'Try again once the server runs: what was written already is not written twice', cause },
  )
}
