import { CUE_KINDS, type CueKind, type NotedCue } from '../../model/cue.ts'
import { CUE_VERSION } from '../../text/cues/cue-options.ts'
import { occurredMs } from '../canonical-place.ts'
import type { Layout } from '../keyword-index/layout.ts'
import { type CuedOccurrence, type CueQuery, compareCues, dueMs, noteCues } from '../noted-cues.ts'
import type { Connection } from './connection.ts'
import { type Names, SELECT_CONTENT, toContent, toPlace } from './rows.ts'

/** Memories whose cues are read anew in one write. */
const REBUILD_BATCH = 4096
const DEFAULT_ZONE = 'UTC'

/** Notes what a memory says at its canonical place; what was noted of it before is to be dropped first. */
export function writeCues(connection: Connection, names: Names, ordinal: number, canonical: CuedOccurrence): void {
  const cues = noteCues(canonical, names.timeZone ?? DEFAULT_ZONE)
  if (cues.length === 0) return
  const insert = connection.sql(
    'INSERT INTO cue (ordinal, number, kind, due_ms, said_ms, detail) VALUES (?, ?, ?, ?, ?, ?)',
  )
  cues.forEach(({ kind, ...detail }, number) => {
    const times = [dueMs(detail), occurredMs(detail)]
    insert.run(ordinal, number, CUE_KINDS.indexOf(kind), ...times, JSON.stringify(detail))
  })
}

export function dropCues(connection: Connection, ordinal: number): void {
  connection.sql('DELETE FROM cue WHERE ordinal = ?').run(ordinal)
}

/** Where a cue stands in its table, and what it is ordered by. */
interface CuePlace {
  ordinal: number
  number: number
  ms: number | null
}

/** The cues that a query asks for; within a read transaction. Looks at those of the asked kinds and times alone. */
export function listCues(connection: Connection, layout: Layout, query: CueQuery): NotedCue[] {
  layout.refresh()
  const allowed = layout.applyFilter(query.filter)
  const cues = [...new Set(query.kinds)].flatMap((kind) =>
    pickPlaces(connection, allowed, kind, query).flatMap((place) => readCue(connection, kind, place)),
  )
  return cues.sort((a, b) => compareCues(a, b, query.due !== undefined)).slice(0, query.limit)
}

/** The first `limit` of one kind, and those of equal time with the last of them: which of these comes first, their ids decide. */
function pickPlaces(connection: Connection, allowed: Uint8Array, kind: CueKind, query: CueQuery): CuePlace[] {
  const { due, saidFromMs = null, limit } = query
  const number = CUE_KINDS.indexOf(kind)
  const rows = due
    ? connection
        .sql(
          `SELECT ordinal, number, due_ms AS ms FROM cue WHERE kind = ? AND due_ms >= ? AND due_ms < ?
           AND (?4 IS NULL OR said_ms >= ?4) ORDER BY due_ms`,
        )
        .iterate(number, due.fromMs, due.toMs, saidFromMs)
    : saidFromMs === null
      ? connection
          .sql('SELECT ordinal, number, said_ms AS ms FROM cue WHERE kind = ? ORDER BY said_ms DESC')
          .iterate(number)
      : connection
          .sql('SELECT ordinal, number, said_ms AS ms FROM cue WHERE kind = ? AND said_ms >= ? ORDER BY said_ms DESC')
          .iterate(number, saidFromMs)
  const places: CuePlace[] = []
  for (const row of rows) {
    const ms = row.ms === null ? null : Number(row.ms)
    if (places.length >= limit && ms !== places.at(-1)?.ms) break
    if (allowed[Number(row.ordinal)] === 1)
      places.push({ ordinal: Number(row.ordinal), number: Number(row.number), ms })
  }
  return places
}

function readCue(connection: Connection, kind: CueKind, { ordinal, number }: CuePlace): NotedCue[] {
  const row = connection.sql('SELECT detail FROM cue WHERE ordinal = ? AND number = ?').get(ordinal, number)
  return row ? [{ kind, ...(JSON.parse(String(row.detail)) as Omit<NotedCue, 'kind'>) }] : []
}

export function areCuesCurrent(connection: Connection): boolean {
  return connection.sql("SELECT value FROM meta WHERE key = 'cue_version'").get()?.value === CUE_VERSION
}

/** Reads the cues of all memories anew where another version of this program noted them; within a write transaction. */
export function updateCues(connection: Connection, names: Names): void {
  if (!areCuesCurrent(connection)) rebuildCues(connection, names)
}

function rebuildCues(connection: Connection, names: Names): void {
  connection.exec('DELETE FROM cue')
  const select = connection.sql(
    `${SELECT_CONTENT}, m.document, m.position, p.detail AS place FROM memory m
     JOIN place p ON p.document = m.document AND p.position = m.position
     WHERE m.ordinal > ? ORDER BY m.ordinal LIMIT ?`,
  )
  let after = 0
  for (let rows = select.all(after, REBUILD_BATCH); rows.length > 0; rows = select.all(after, REBUILD_BATCH)) {
    for (const row of rows) {
      after = Number(row.ordinal)
      const at = { document: Number(row.document), position: Number(row.position) }
      writeCues(connection, names, after, {
        content: toContent(row, names),
        place: toPlace(String(row.place), at, names),
      })
    }
  }
  connection.sql("UPDATE meta SET value = ? WHERE key = 'cue_version'").run(CUE_VERSION)
}
