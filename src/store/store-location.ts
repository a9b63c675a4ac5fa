import { MadeleineError } from '../errors.ts'

const SCHEMES = ['postgres:', 'postgresql:']
const DEFAULT_SCHEMA = 'madeleine'

/** Whether a location names a PostgreSQL database instead of a file. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location)
}

/** Where a store is in a server. */
export interface PostgresLocation {
  /** For the driver. */
  url: string
  /** The schema that holds the tables. */
  schema: string
  /** Whether statements may be prepared for a connection: `?prepare=false` where a pooler gives each transaction another one. */
  isPrepared: boolean
  /** As a user would name it, without password and options. */
  name: string
}

/** Reads a URL such as `postgres://user:password@host:5432/database?schema=team&prepare=false`. Rejects with INVALID_OPTION, never showing the password. */
export function readLocation(text: string): PostgresLocation {
  const url = parse(text)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new MadeleineError('INVALID_OPTION', `Cannot use schema "${schema}": it is not a plain name`, {
      remedy: 'Give a name of small letters, digits and _ that begins with a letter',
    })
  }
  const prepare = url.searchParams.get('prepare') ?? 'true'
  if (!['true', 'false'].includes(prepare)) {
    throw new MadeleineError('INVALID_OPTION', `Cannot use prepare "${prepare}": it is neither true nor false`, {
      remedy: 'Give prepare=false where a pooler keeps no prepared statements, or leave it out',
    })
  }
  for (const own of ['schema', 'prepare']) url.searchParams.delete(own)
  return { url: url.href, schema, isPrepared: prepare === 'true', name: nameOf(url, schema) }
}

function parse(text: string): URL {
  try {
    const url = new URL(text)
    if (SCHEMES.includes(url.protocol)) return url
  } catch {
    // The parser's own message would show the password.
  }
  throw new MadeleineError('INVALID_OPTION', 'Cannot read the URL of the PostgreSQL store: it is not a URL', {
    remedy:
      'Write it as postgres://user@host:5432/database; in a password write other characters than letters and digits as %XX, or give it in PGPASSWORD',
  })
}

function nameOf(url: URL, schema: string): string {
  const shown = new URL(url.href)
  const isDefault = schema === DEFAULT_SCHEMA
  shown.password = ''
  shown.search = isDefault ? '' : `?schema=${schema}`
  shown.hash = ''
  return shown.href
}
