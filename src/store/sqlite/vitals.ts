import { formatHeader, type MemoryState } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import { compareText } from '../canonical-place.ts'
import { AGING_BATCH_MEMORIES } from '../forgetting-options.ts'
import {
  importanceOf,
  lossOf,
  stateOf,
  strengthOf,
  type Vital,
  type VitalFacts,
  type VitalQuery,
} from '../vital-signs.ts'
import type { Connection } from './connection.ts'
import type { SqlValue } from './database.ts'
import type { Layout } from './layout.ts'
import { partOf, readRoster, writeRosterPart } from './roster-parts.ts'
import { type Names, unpackDetail } from './rows.ts'

const REFERENCES = RELATIONSHIP_TYPES.indexOf('references')
/** Everything but the text: a hundred thousand are looked at. */
const SELECT_FACTS = `SELECT m.ordinal, m.importance, m.state, m.detail, m.document, m.position, length(m.text),
    p.occurred_ms, a.count, a.last, m.id
  FROM memory m JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN access a ON a.id = m.id WHERE m.ordinal > ? ORDER BY m.ordinal LIMIT ?`

interface FactsRow {
  ordinal: number
  id: string
  document: number
  position: number
  state: MemoryState
  size: number
  lastAccess: string | null
  headerPath: string[]
  facts: VitalFacts
}

/** A memory whose state is another one by now. */
export interface StateChange {
  ordinal: number
  document: number
  position: number
  state: MemoryState
}

/** The memories after an ordinal whose state differs at a time, of AGING_BATCH_MEMORIES that are looked at; within a read transaction. */
export function findStateChanges(
  connection: Connection,
  names: Names,
  { after, atMs }: { after: number; atMs: number },
): { changes: StateChange[]; last: number | null } {
  const rows = readFacts(connection, names, after)
  const changes = rows.flatMap(({ ordinal, document, position, state: before, facts }) => {
    const state = stateOf(facts, atMs)
    return state === before ? [] : [{ ordinal, document, position, state }]
  })
  return { changes, last: rows.at(-1)?.ordinal ?? null }
}

/** Writes states, and the rosters by which all processes learn of them; within a write transaction. Returns how many were still there. */
export function writeStates(connection: Connection, changes: readonly StateChange[]): number {
  const update = connection.sql('UPDATE memory SET state = ? WHERE ordinal = ? RETURNING document, position')
  const parts = new Map<number, Set<number>>()
  let written = 0
  for (const { ordinal, state } of changes) {
    const row = update.get(state, ordinal)
    if (!row) continue
    written += 1
    const document = Number(row.document)
    parts.set(document, (parts.get(document) ?? new Set()).add(partOf(Number(row.position))))
  }
  if (written === 0) return 0
  const next = connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'sequence' RETURNING value").get()
  for (const [document, some] of parts) {
    for (const part of some) {
      const roster = readRoster(connection, document, part)
      writeRosterPart(connection, { document, part, sequence: Number(next?.value), roster })
    }
  }
  return written
}

/** The memories of which most is lost by how much they matter; within a read transaction. */
export function listVitals(connection: Connection, names: Names, layout: Layout, query: VitalQuery): Vital[] {
  layout.refresh()
  const allowed = layout.applyFilter(query.filter)
  const atMs = query.at.getTime()
  let best: Vital[] = []
  const keepBest = (): void => {
    best = best.sort(compareVitals).slice(0, query.limit)
  }
  for (let rows = readFacts(connection, names, 0); rows.length > 0; ) {
    for (const row of rows) if (allowed[row.ordinal] === 1) best.push(toVital(row, atMs))
    keepBest()
    rows = readFacts(connection, names, rows.at(-1)?.ordinal ?? 0)
  }
  return best
}

export function compareVitals(a: Vital, b: Vital): number {
  return lossOf(b) - lossOf(a) || compareText(a.id, b.id)
}

function toVital({ id, state, size, lastAccess, headerPath, facts }: FactsRow, atMs: number): Vital {
  const { path, category, tier, accessCount, incoming, occurredMs } = facts
  return {
    ...{ id, path, category, tier, state, accessCount, incoming, size, header: formatHeader(headerPath) },
    importance: importanceOf(facts),
    strength: strengthOf(facts, atMs),
    ...(occurredMs !== null && { occurredAt: new Date(occurredMs).toISOString() }),
    ...(lastAccess !== null && { lastAccess }),
  }
}

function readFacts(connection: Connection, names: Names, after: number): FactsRow[] {
  const rows = connection.rows(SELECT_FACTS, after, AGING_BATCH_MEMORIES)
  const incoming = countReferences(connection, rows)
  return rows.map((row) => toFactsRow(row, names, incoming))
}

function countReferences(connection: Connection, rows: ReadonlyArray<readonly SqlValue[]>): Map<string, number> {
  const ids = JSON.stringify(rows.map((row) => row[10]))
  const counted = connection
    .sql(
      `SELECT n.id, count(*) AS incoming FROM node n JOIN relationship r ON r.target = n.number AND r.type = ?
       WHERE n.id IN (SELECT value FROM json_each(?)) GROUP BY n.id`,
    )
    .all(REFERENCES, ids)
  return new Map(counted.map(({ id, incoming }) => [String(id), Number(incoming)]))
}

function toFactsRow(row: readonly SqlValue[], names: Names, incoming: ReadonlyMap<string, number>): FactsRow {
  const [ordinal, importance, state, detail, document, position, size, occurredMs, count, last, id] = row
  const { category, tier, role, headerPath } = unpackDetail(detail)
  const lastAccess = typeof last === 'string' ? last : null
  return {
    ordinal: Number(ordinal),
    id: String(id),
    document: Number(document),
    position: Number(position),
    state: String(state) as MemoryState,
    size: Number(size),
    lastAccess,
    headerPath,
    facts: {
      ...{ category, tier, importance: Number(importance), incoming: incoming.get(String(id)) ?? 0 },
      ...(role !== undefined && { role }),
      path: names.documents.get(Number(document)).path,
      occurredMs: occurredMs === null || occurredMs === undefined ? null : Number(occurredMs),
      accessCount: Number(count ?? 0),
      lastAccessMs: lastAccess === null ? null : Date.parse(lastAccess),
    },
  }
}
