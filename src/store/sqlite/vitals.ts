import { formatHeader, type MemoryState, type Role, type SourceCategory, type Tier } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import { DEFAULT_IMPORTANCE } from '../../options.ts'
import { compareText } from '../canonical-place.ts'
import { unpackDetail } from '../content-codec.ts'
import { AGING_BATCH_MEMORIES, FORGETTING, KIND_IMPORTANCE } from '../forgetting-options.ts'
import type { Layout } from '../keyword-index/layout.ts'
import { kindOf, TIER_AND_CATEGORY, tierOf } from '../keyword-index/roster.ts'
import { partOf } from '../keyword-index/roster-part.ts'
import {
  fadedTo,
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
import { readRoster, writeRosterPart } from './roster-parts.ts'
import type { Names } from './rows.ts'

const DAY_MS = 86_400_000
/** Where a memory is so near to the age at which its state changes, the formula decides, not the query. */
const DOUBT_MS = 1000
const REFERENCES = RELATIONSHIP_TYPES.indexOf('references')
/** Everything but the text: a hundred thousand are looked at. */
const SELECT_FACTS = `SELECT m.ordinal, m.id, m.importance, m.state, m.detail, m.document, p.occurred_ms, a.count, a.last
  FROM memory m JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN access a ON a.id = m.id`
/** What says nothing of its importance matters too little by its kind alone: tool output, unless the numbers are set otherwise. */
const MAY_BE_ARCHIVED = Object.entries(KIND_IMPORTANCE).every(
  ([kind, importance]) => kind === 'tool' || importance >= FORGETTING.archivedImportance,
)
  ? `instr(m.detail, '"role":"tool"') > 0`
  : '1'
/**
 * Those of a range of ordinals whose state may be another one: a few of many, which the columns tell. What was read, what is archived,
 * and what is old and may not matter has to be looked at; of the rest the age decides. Parameters: range, then ageParameters.
 */
const SELECT_DOUBTFUL = `WITH half_life (tier, ms) AS (VALUES ('e', ?3), ('s', ?4), ('p', ?5))
  ${SELECT_FACTS} JOIN half_life h ON h.tier = substr(m.detail, instr(m.detail, '"tier":"') + 8, 1)
  WHERE m.ordinal > ?1 AND m.ordinal <= ?2 AND (a.count IS NOT NULL OR m.state = 'archived' OR CASE
    WHEN p.occurred_ms IS NULL THEN m.state <> 'active'
    WHEN p.occurred_ms > ?6 - ?7 * h.ms + ?9 THEN m.state <> 'active'
    WHEN p.occurred_ms > ?6 - ?7 * h.ms - ?9 THEN 1
    WHEN p.occurred_ms > ?6 - ?8 * h.ms + ?9 THEN m.state <> 'stale'
    ELSE m.state <> 'stale' OR m.importance < ${DEFAULT_IMPORTANCE} OR ${MAY_BE_ARCHIVED} END)
  ORDER BY m.ordinal`
const SELECT_IDS = 'SELECT ordinal, id FROM memory WHERE ordinal IN (SELECT value FROM json_each(?))'
const SELECT_SOME = `${SELECT_FACTS} WHERE m.ordinal IN (SELECT value FROM json_each(?))`
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

/** Half-lives after which a strength is left. */
function halvesTo(strength: number): number {
  return -Math.log2(strength)
}

/** The memories after an ordinal whose state differs at a time, of AGING_BATCH_MEMORIES ordinals; within a read transaction. */
export function findStateChanges(
  connection: Connection,
  names: Names,
  { after, atMs }: { after: number; atMs: number },
): { changes: StateChange[]; last: number | null } {
  const until = after + AGING_BATCH_MEMORIES
  const { episodic, semantic, procedural } = FORGETTING.halfLifeDays
  const halves = [halvesTo(FORGETTING.staleBelow), halvesTo(FORGETTING.archivedBelow)]
  const halfLives = [episodic, semantic, procedural].map((days) => days * DAY_MS)
  const rows = connection
    .rows(SELECT_DOUBTFUL, after, until, ...halfLives, atMs, ...halves, DOUBT_MS)
    .map((row) => toFactsRow(row, names))
  // References matter only to what would be archived.
  const doubtful = rows.filter(({ facts }) => stateOf(facts, atMs) === 'archived').map(({ id }) => id)
  const incoming = countReferences(connection, doubtful)
  const changes = rows.flatMap(({ ordinal, id, state: before, facts }) => {
    const state = stateOf({ ...facts, incoming: incoming.get(id) ?? 0 }, atMs)
    return state === before ? [] : [{ ordinal, state }]
  })
  const highest = Number(connection.sql('SELECT max(ordinal) AS last FROM memory').get()?.last ?? 0)
  return { changes, last: until < highest ? until : null }
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
  const atMs = query.at.getTime()
  const best = findMostLost(connection, names, layout, query)
  const incoming = countReferences(
    connection,
    best.map(({ id }) => id),
  )
  const weighed = best.map((row) => ({ ...row, facts: { ...row.facts, incoming: incoming.get(row.id) ?? 0 } }))
  return pickBest(weighed, query.limit, atMs).map((row) => toVital(connection, row, atMs))
}

/**
 * SPARE times as many as are asked for, references left out of account. What a process keeps in memory of each says how much can be lost
 * of it at most; only those of which that is most are read, and more until nothing else can be among the first.
 */
function findMostLost(connection: Connection, names: Names, layout: Layout, query: VitalQuery): FactsRow[] {
  const { statedFrom = 0, at, filter } = query
  const allowed = layout.applyFilter(filter)
  const wanted = SPARE * query.limit
  const atMs = at.getTime()
  const read = (rows: readonly SqlValue[][]): FactsRow[] =>
    rows
      .map((row) => toFactsRow(row, names))
      .filter(({ ordinal, facts }) => allowed[ordinal] === 1 && facts.importance >= statedFrom)
  const stated = read(connection.rows(SELECT_STATED, statedFrom))
  if (statedFrom > DEFAULT_IMPORTANCE) return pickBest(stated, wanted, atMs)
  const isStated = new Set(stated.map(({ ordinal }) => ordinal))
  const bounds = boundLosses(layout, names, { allowed, atMs })
  const inOrder = bounds.losses.slice().sort()
  let best = pickBest(stated, wanted, atMs)
  let above = Number.POSITIVE_INFINITY
  for (let take = wanted; ; take *= 4) {
    const from = inOrder[Math.max(0, inOrder.length - take)] ?? 0
    const next = listBounded(connection, bounds, { from, above }).filter(({ ordinal }) => !isStated.has(ordinal))
    for (let at = 0; at < next.length && !isSettled(best[wanted - 1], next[at], atMs); at += wanted) {
      const ordinals = next.slice(at, at + wanted).map(({ ordinal }) => ordinal)
      best = pickBest([...best, ...read(connection.rows(SELECT_SOME, JSON.stringify(ordinals)))], wanted, atMs)
    }
    if (take >= inOrder.length || isSettled(best[wanted - 1], { loss: from, id: '' }, atMs)) return best
    above = from
  }
}

/** A memory and the loss that it has at most. */
interface Bounded {
  ordinal: number
  id: string
  loss: number
}

/** Those that may lose as much as `from` and less than `above`, in the order in which they stand if they lose that: many may be equal. */
function listBounded(
  connection: Connection,
  { ordinals, losses }: { ordinals: Int32Array; losses: Float64Array },
  { from, above }: { from: number; above: number },
): Bounded[] {
  const bounds = new Map<number, number>()
  for (let at = 0; at < ordinals.length; at++) {
    const loss = losses[at] ?? 0
    if (loss >= from && loss < above) bounds.set(ordinals[at] ?? 0, loss)
  }
  return connection
    .rows(SELECT_IDS, JSON.stringify([...bounds.keys()]))
    .map(([ordinal, id]) => ({ ordinal: Number(ordinal), id: String(id), loss: bounds.get(Number(ordinal)) ?? 0 }))
    .sort((a, b) => b.loss - a.loss || compareText(a.id, b.id))
}

/** Whether the last of the best stands before whatever comes at the place of the next one or after it. */
function isSettled(last: FactsRow | undefined, next: Pick<Bounded, 'id' | 'loss'> | undefined, atMs: number): boolean {
  if (!last || !next) return false
  const loss = lossAt(last.facts, atMs)
  return loss > next.loss || (loss === next.loss && (next.id === '' || compareText(last.id, next.id) < 0))
}

/** How much may be lost at most of those that state no importance above the default: never read since, and no tool output. */
function boundLosses(
  layout: Layout,
  names: Names,
  { allowed, atMs }: { allowed: Uint8Array; atMs: number },
): { ordinals: Int32Array; losses: Float64Array } {
  const ordinals = new Int32Array(allowed.length)
  const losses = new Float64Array(allowed.length)
  const bases = new Map<number, number>()
  const baseOf = (document: number, kind: number): number => {
    const { category, tier } = kindOf(kind)
    const { path } = names.documents.get(document)
    const unread = { importance: DEFAULT_IMPORTANCE, incoming: 0, accessCount: 0, lastAccessMs: null, occurredMs: null }
    return importanceOf({ ...unread, path, category, tier })
  }
  let count = 0
  // A hundred thousand are looked at: nothing is made for one of them but numbers.
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
    if (allowed[ordinal] !== 1) continue
    const kind = (layout.kind[ordinal] ?? 0) & TIER_AND_CATEGORY
    const document = layout.document[ordinal] ?? 0
    const key = document * (TIER_AND_CATEGORY + 1) + kind
    let base = bases.get(key)
    if (base === undefined) {
      base = baseOf(document, kind)
      bases.set(key, base)
    }
    const time = layout.time[ordinal] ?? Number.NaN
    const left = Number.isNaN(time) ? 1 : fadedTo(tierOf(kind), time, atMs)
    ordinals[count] = ordinal
    losses[count] = base * (1 - left)
    count += 1
  }
  return { ordinals: ordinals.subarray(0, count), losses: losses.subarray(0, count) }
}

function lossAt(facts: VitalFacts, atMs: number): number {
  return lossOf({ importance: importanceOf(facts), strength: strengthOf(facts, atMs) })
}

function pickBest(rows: FactsRow[], limit: number, atMs: number): FactsRow[] {
  const losses = new Map(rows.map(({ ordinal, facts }) => [ordinal, lossAt(facts, atMs)]))
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
