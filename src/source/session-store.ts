import { statSync } from 'node:fs'
import path from 'node:path'
import { MadeleineError, messageOf } from '../errors.ts'
import { MAX_TRANSCRIPT_LINE_BYTES, MAX_UNPACKED_ARCHIVE_BYTES, SESSION_STORE_PAGE_ROWS } from '../options.ts'
import type { SqliteDatabase, SqlRow } from '../sqlite/driver.ts'
import { type ForeignDatabase, openForeignDatabase } from './open-foreign-database.ts'
import { type SessionTables, sessionTablesOf } from './session-tables.ts'
import { UNREAD_SESSION_STORE } from './source.ts'
import { loadZstd, NO_ZSTD } from './zstd.ts'

/** The file in which newer OpenClaw hosts keep an agent's sessions. */
export const SESSION_DATABASE = 'openclaw-agent.sqlite'

/** A session as the store's listing sees it. */
export interface StoredSession {
  /** `<database>/<session id>.jsonl`, as if the database were a folder of transcripts. */
  absolutePath: string
  bytes: number
  modifiedMs: number
  /** Changes with the events, their number, their size and the host's own mark of rewriting. */
  fingerprint: string
}

/** What lists as a file in the database, taken apart; undefined for real files. */
export function parseStoredSession(absolutePath: string): { database: string; sessionId: string } | undefined {
  const database = path.dirname(absolutePath)
  if (path.basename(database) !== SESSION_DATABASE) return undefined
  return { database, sessionId: decodeURIComponent(path.basename(absolutePath, '.jsonl')) }
}

/**
 * The sessions of a store, without reading what was said in them. Rejects with SOURCE_UNREADABLE, its message beginning with
 * UNREAD_SESSION_STORE, where the store cannot be read or is of a form that is not known.
 */
export async function listStoredSessions(file: string): Promise<StoredSession[]> {
  // Just made, and nothing written yet.
  if (statSync(file).size === 0) return []
  return withStore(file, ({ database }) => {
    const tables = sessionTablesOf(database)
    if (tables === 'none') return []
    if ('unknown' in tables) throw new Error(tables.unknown)
    const canUnpack = loadZstd() !== undefined
    const { mtimeMs } = statSync(file)
    return database
      .prepare(tables.listSql)
      .all()
      .map((row) => ({
        absolutePath: path.join(file, `${encodeURIComponent(String(row.session_id))}.jsonl`),
        bytes: Number(row.bytes),
        modifiedMs: Number(row.created_at) || mtimeMs,
        // What could not be unpacked is read again once it can be.
        fingerprint: `${row.events}-${row.last_seq}-${row.bytes}-${row.created_at}-${row.generation}${
          Number(row.packed) > 0 && !canUnpack ? '-packed' : ''
        }`,
      }))
  })
}

/**
 * The events of a session as the bytes of a transcript, one line each, in their order and of one state of the store. Events that
 * cannot be unpacked leave an empty line and go to `onLost`, counted at the end. Rejects with SOURCE_UNREADABLE.
 */
export async function* readStoredSession(
  absolutePath: string,
  onLost: (reason: string, count: number) => void,
): AsyncGenerator<Buffer> {
  const session = parseStoredSession(absolutePath)
  if (!session) return
  const { database: file, sessionId } = session
  const lost = new Map<string, number>()
  const store = await openStore(file)
  try {
    const tables = sessionTablesOf(store.database)
    if (typeof tables === 'string' || 'unknown' in tables) throw new Error('it holds no sessions any more')
    const cold = tables.coldSql ? store.database.prepare(tables.coldSql).get(sessionId) : undefined
    if (cold) yield unpackArchive(cold.archive_blob, lost)
    else yield* readEvents(store.database, { tables, sessionId, lost })
    if (store.hasChanged()) throw new Error('it was written to meanwhile: the next run reads it again')
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    store.close()
  }
  for (const [reason, count] of lost) onLost(reason, count)
}

function* readEvents(
  database: SqliteDatabase,
  { tables, sessionId, lost }: { tables: SessionTables; sessionId: string; lost: Map<string, number> },
): Generator<Buffer> {
  const statement = database.prepare(tables.eventsSql)
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = statement.all(sessionId, last, SESSION_STORE_PAGE_ROWS)
    for (const row of rows) {
      last = Number(row.seq)
      yield Buffer.from(`${eventText(row, lost)}\n`)
    }
    if (rows.length < SESSION_STORE_PAGE_ROWS) return
  }
}

/** An event on one line: line ends in JSON are only ever blanks between its parts. */
function eventText({ event_json, event_zstd }: SqlRow, lost: Map<string, number>): string {
  if (typeof event_json === 'string') return event_json.replace(/[\r\n]/g, ' ')
  if (event_zstd instanceof Uint8Array) {
    return (
      unpack(event_zstd, { lost, maxBytes: MAX_TRANSCRIPT_LINE_BYTES })
        ?.toString('utf8')
        .replace(/[\r\n]/g, ' ') ?? ''
    )
  }
  note(lost, 'events of the session store in a form that is not read')
  return ''
}

/** A session that the host has put away: its transcript in one piece. */
function unpackArchive(blob: unknown, lost: Map<string, number>): Buffer {
  if (blob instanceof Uint8Array) {
    return unpack(blob, { lost, maxBytes: MAX_UNPACKED_ARCHIVE_BYTES }) ?? Buffer.alloc(0)
  }
  note(lost, 'events of the session store in a form that is not read')
  return Buffer.alloc(0)
}

function unpack(
  packed: Uint8Array,
  { lost, maxBytes }: { lost: Map<string, number>; maxBytes: number },
): Buffer | undefined {
  const zstd = loadZstd()
  if (!zstd) {
    note(lost, `events of the session store, ${NO_ZSTD}`)
    return undefined
  }
  try {
    return zstd.unpack(packed, maxBytes)
  } catch (error) {
    note(lost, `events of the session store that cannot be unpacked: ${messageOf(error)}`)
    return undefined
  }
}

function note(lost: Map<string, number>, reason: string): void {
  lost.set(reason, (lost.get(reason) ?? 0) + 1)
}

async function withStore<T>(file: string, use: (store: ForeignDatabase) => T): Promise<T> {
  const store = await openStore(file)
  try {
    const answer = use(store)
    if (store.hasChanged()) throw new Error('it was written to meanwhile: the next run reads it again')
    return answer
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    store.close()
  }
}

async function openStore(file: string): Promise<ForeignDatabase> {
  try {
    return await openForeignDatabase(file)
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

function unreadable(file: string, cause: unknown): MadeleineError {
  const reason = messageOf(cause)
  return new MadeleineError('SOURCE_UNREADABLE', `${UNREAD_SESSION_STORE}, which is not read: ${reason} (${file})`, {
    remedy: 'Run "madeleine index" again; where that does not help, export the sessions as JSONL.',
    cause,
  })
}
