import { formatHeader, type MemoryState, type Role, type SourceCategory, type Tier } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import { DEFAULT_IMPORTANCE } from '../../options.ts'
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
const SELECT_FACTS = `SELECT m.ordinal, m.id, m.importance, m.state, m.detail, m.document, p.occurred_ms, a.count, a.last
  FROM memory m JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN access a ON a.id = m.id`
const SELECT_NEXT = `${SELECT_FACTS} WHERE m.ordinal > ? ORDER BY m.ordinal LIMIT ?`
const SELECT_STATED = `${SELECT_FACTS} WHERE m.importance > 0.5 AND m.importance >= ?`
/** The beginning of what packDetail gives. */
const KIND = /^\{"category":"(\w+)","tier":"(\w+)"/
const ROLE = /"role":"(\w+)"[^[\]]*\}$/
/** Of so many times the asked for it is known how many memories refer to them, which may change their order. */
const SPARE = 2

interface FactsRow {
  ordinal: number
  id: string
  state: MemoryState
  lastAccess: string | null
  /** Without references. */
  facts: VitalFacts
}

/** A memory whose state is another one by now. */
export interface StateChange {
  ordinal: number
  state: MemoryState
}

/** The memories after an ordinal whose state differs at a time, of AGING_BATCH_MEMORIES that are looked at; within a read transaction. */
export function findStateChanges(
  connection: Connection,
  names: Names,
  { after, atMs }: { after: number; atMs: number },
): { changes: StateChange[]; last: number | null } {
  const rows = readFacts(connection, names, after)
  // References matter only to what would be archived.
  const doubtful = rows.filter(({ facts }) => stateOf(facts, atMs) === 'archived').map(({ id }) => id)
  const incoming = countReferences(connection, doubtful)
  const changes = rows.flatMap(({ ordinal, id, state: before, facts }) => {
    const state = stateOf({ ...facts, incoming: incoming.get(id) ?? 0 }, atMs)
    return state === before ? [] : [{ ordinal, state }]
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
  let best: FactsRow[] = []
  for (const rows of batches(connection, names, query.statedFrom)) {
    best = pickBest([...best, ...rows.filter(({ ordinal }) => allowed[ordinal] === 1)], SPARE * query.limit, atMs)
  }
  const incoming = countReferences(
    connection,
    best.map(({ id }) => id),
  )
  const weighed = best.map((row) => ({ ...row, facts: { ...row.facts, incoming: incoming.get(row.id) ?? 0 } }))
  return pickBest(weighed, query.limit, atMs).map((row) => toVital(connection, row, atMs))
}

/** The facts of all memories, some at a time; where an importance above the default is asked for, by the index of those that state one. */
function* batches(connection: Connection, names: Names, statedFrom = 0): Iterable<FactsRow[]> {
  if (statedFrom > DEFAULT_IMPORTANCE) {
    yield connection.rows(SELECT_STATED, statedFrom).map((row) => toFactsRow(row, names))
    return
  }
  for (let rows = readFacts(connection, names, 0); rows.length > 0; ) {
    yield rows.filter(({ facts }) => facts.importance >= statedFrom)
    rows = readFacts(connection, names, rows.at(-1)?.ordinal ?? 0)
  }
}

function pickBest(rows: FactsRow[], limit: number, atMs: number): FactsRow[] {
  const losses = new Map(
    rows.map(({ ordinal, facts }) => [
      ordinal,
      lossOf({ importance: importanceOf(facts), strength: strengthOf(facts, atMs) }),
    ]),
  )
  const loss = ({ ordinal }: FactsRow): number => losses.get(ordinal) ?? 0
  return rows.sort((a, b) => loss(b) - loss(a) || compareText(a.id, b.id)).slice(0, limit)
}

function toVital(connection: Connection, { ordinal, id, state, lastAccess, facts }: FactsRow, atMs: number): Vital {
  const row = connection.sql('SELECT detail, length(text) AS size FROM memory WHERE ordinal = ?').get(ordinal)
  const { path, category, tier, accessCount, incoming, occurredMs } = facts
  return {
    ...{ id, path, category, tier, state, accessCount, incoming, size: Number(row?.size) },
    header: formatHeader(unpackDetail(row?.detail).headerPath),
    importance: importanceOf(facts),
    strength: strengthOf(facts, atMs),
    ...(occurredMs !== null && { occurredAt: new Date(occurredMs).toISOString() }),
    ...(lastAccess !== null && { lastAccess }),
  }
}

function readFacts(connection: Connection, names: Names, after: number): FactsRow[] {
  return connection.rows(SELECT_NEXT, after, AGING_BATCH_MEMORIES).map((row) => toFactsRow(row, names))
}

function countReferences(connection: Connection, ids: readonly string[]): Map<string, number> {
  if (ids.length === 0) return new Map()
  const counted = connection
    .sql(
      `SELECT n.id, count(*) AS incoming FROM node n JOIN relationship r ON r.target = n.number AND r.type = ?
       WHERE n.id IN (SELECT value FROM json_each(?)) GROUP BY n.id`,
    )
    .all(REFERENCES, JSON.stringify(ids))
  return new Map(counted.map(({ id, incoming }) => [String(id), Number(incoming)]))
}

function toFactsRow(row: readonly SqlValue[], names: Names): FactsRow {
  const [ordinal, id, importance, state, packed, document, occurredMs, count, last] = row
  const detail = String(packed)
  // Not taken apart as JSON: two words of it are wanted.
  const [, category, tier] = KIND.exec(detail) ?? []
  const role = ROLE.exec(detail)?.[1] as Role | undefined
  const lastAccess = typeof last === 'string' ? last : null
  return {
    ordinal: Number(ordinal),
    id: String(id),
    state: String(state) as MemoryState,
    lastAccess,
    facts: {
      category: category as SourceCategory,
      tier: tier as Tier,
      importance: Number(importance),
      incoming: 0,
      ...(role !== undefined && { role }),
      path: names.documents.get(Number(document)).path,
      occurredMs: occurredMs === null || occurredMs === undefined ? null : Number(occurredMs),
      accessCount: Number(count ?? 0),
      lastAccessMs: lastAccess === null ? null : Date.parse(lastAccess),
    },
  }
}
