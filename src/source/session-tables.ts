import type { SqliteDatabase } from '../sqlite/driver.ts'

/** How the sessions of a store are read. */
export interface SessionTables {
  /** One row a session: session_id, events, last_seq, bytes, created_at (ms), packed, generation. */
  listSql: string
  /** Events of a session after a sequence number, so many at most: seq, event_json, event_zstd. */
  eventsSql: string
  /** The archive of a session that was put away inside the store; undefined where the store has none. */
  coldSql?: string
}

/** Tables that keep sessions, whatever their form. */
const TELLING_NAME = /transcript|session/i

/**
 * How a store is to be read, told by the tables and columns that it has, not by its version. `none`: it keeps other things
 * only, as hosts before 2026.8 do. `unknown`: it keeps sessions in a form that is not known, and why.
 */
export function sessionTablesOf(database: SqliteDatabase): SessionTables | 'none' | { unknown: string } {
  const events = columnsOf(database, 'transcript_events')
  if (events.size === 0) {
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    if (names.length === 0) return { unknown: 'it holds no tables: it may be cut off' }
    const telling = names.map(({ name }) => String(name)).filter((name) => TELLING_NAME.test(name))
    return telling.length === 0 ? 'none' : { unknown: `its tables are not known (${telling.slice(0, 3).join(', ')})` }
  }
  const hasJson = events.has('event_json')
  const hasZstd = events.has('event_zstd')
  if (!events.has('session_id') || !events.has('seq') || !(hasJson || hasZstd)) {
    return { unknown: `the columns of its events are not known (${[...events].slice(0, 6).join(', ')})` }
  }
  const cold = columnsOf(database, 'session_transcript_cold_archives')
  const hasCold = ['session_id', 'archive_blob', 'archive_bytes', 'archive_sha256', 'last_seq'].every((name) =>
    cold.has(name),
  )
  return {
    listSql: [listEvents(database, events), ...(hasCold ? [listArchives(cold)] : [])].join(' UNION ALL '),
    eventsSql:
      `SELECT seq, ${hasJson ? 'event_json' : 'NULL AS event_json'}, ${hasZstd ? 'event_zstd' : 'NULL AS event_zstd'}` +
      ' FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
    ...(hasCold && {
      coldSql:
        'SELECT archive_blob FROM session_transcript_cold_archives AS cold WHERE session_id = ? AND archive_blob IS NOT NULL' +
        ' AND NOT EXISTS (SELECT 1 FROM transcript_events WHERE session_id = cold.session_id)',
    }),
  }
}

/** Sizes are read from the heads of rows, so that listing does not read what was said. */
function listEvents(database: SqliteDatabase, columns: ReadonlySet<string>): string {
  const payloads = ['event_json', 'event_zstd'].filter((name) => columns.has(name))
  const bytes = payloads.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ')
  const marks = columnsOf(database, 'transcript_rewrite_watermarks')
  const generation =
    marks.has('session_id') && marks.has('generation')
      ? '(SELECT generation FROM transcript_rewrite_watermarks AS mark WHERE mark.session_id = event.session_id)'
      : 'NULL'
  return (
    `SELECT session_id, count(*) AS events, max(seq) AS last_seq, sum(${bytes}) AS bytes,` +
    ` ${columns.has('created_at') ? 'max(created_at)' : '0'} AS created_at,` +
    ` ${columns.has('event_zstd') ? 'count(event_zstd)' : '0'} AS packed, ${generation} AS generation` +
    ' FROM transcript_events AS event GROUP BY session_id'
  )
}

/** Archives that stand in files of their own are read from there. */
function listArchives(columns: ReadonlySet<string>): string {
  return (
    `SELECT session_id, ${columns.has('event_count') ? 'event_count' : '0'}, last_seq, archive_bytes,` +
    ` ${columns.has('archived_at') ? 'archived_at' : '0'}, 1, archive_sha256` +
    ' FROM session_transcript_cold_archives AS cold WHERE archive_blob IS NOT NULL' +
    ' AND NOT EXISTS (SELECT 1 FROM transcript_events WHERE session_id = cold.session_id)'
  )
}

function columnsOf(database: SqliteDatabase, table: string): Set<string> {
  const rows = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  return new Set(rows.map(({ name }) => String(name)))
}
