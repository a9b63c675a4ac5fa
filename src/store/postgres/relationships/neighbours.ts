import type { RelationshipKey } from '../../../model/relationship.ts'
import { compareText } from '../../canonical-place.ts'
import type { Degree, NeighbourQuery, RelationshipQuery } from '../../relationship-store.ts'
import { compareStrength, keyOf } from '../../relationships/canonical.ts'
import { addDegree } from '../../relationships/degree.ts'
import type { KeptRelationship } from '../../relationships/kept.ts'
import { maskOfTypes, typeOfNumber, unpackRelationship } from '../../relationships/packed-rows.ts'
import { toStorableText } from '../../storable-text.ts'
import type { ApplyFilter } from '../apply-filter.ts'
import type { SqlParameter, SqlRow } from '../database.ts'
import type { Transaction } from '../postgres-connection.ts'

/** Relationships of a memory that are read first, beyond those asked for: some may be hidden. */
const SPARE = 8
/** So many times as many are read where too many were hidden. */
const GROWTH = 4

/** Ordinals whose memories may be an end: of those asked about, and of the others. */
interface Allowed {
  asked: Uint8Array
  other: Uint8Array
}

/** A relationship of `own`, as the index of one side gives it. */
interface Edge extends RelationshipKey {
  own: string
  row: SqlRow
  score: number
  isShown: boolean
}

const SHORT = 'r.type, r.score'
const WHOLE = `${SHORT}, r.found_by, r.created_ms, r.updated_ms, r.detail`

/** $1 tenant, $2 ids, $3 least score, $4 types as bits, $5 whether explicit (null: either), $6 how many of each at most. */
const selectSide = (own: 'source' | 'target', other: 'source' | 'target', columns: string): string =>
  `SELECT a.id AS own, '${own}' AS side, r.source AS source_id, r.target AS target_id, ${columns}, m.ordinal
   FROM unnest($2::text[]) AS a (id) CROSS JOIN LATERAL (
     SELECT * FROM relationship r WHERE r.tenant = $1 AND r.${own} = a.id AND r.score >= $3 AND ($4::int >> r.type) & 1 = 1
       AND ($5::boolean IS NULL OR (r.found_by = 0) = $5::boolean)
     ORDER BY r.score DESC LIMIT $6::int) r
   LEFT JOIN memory m ON m.tenant = $1 AND m.id = r.${other}`
const SELECT_WHOLE = `${selectSide('source', 'target', WHOLE)} UNION ALL ${selectSide('target', 'source', WHOLE)}`
const SELECT_SHORT = `${selectSide('source', 'target', SHORT)} UNION ALL ${selectSide('target', 'source', SHORT)}`
const SELECT_ASKED = 'SELECT id, ordinal FROM memory WHERE tenant = $1 AND id = ANY($2)'

/** Memories by how many relationships they have, of the ordinals in $6, and those equal to the last of them. */
const SELECT_CONNECTED = `WITH shown AS MATERIALIZED (
    SELECT m.id FROM unnest($6::int[]) AS a (ordinal) JOIN memory m ON m.tenant = $1 AND m.ordinal = a.ordinal),
  known AS (
    SELECT r.source, r.target, r.type FROM relationship r
    JOIN shown s ON s.id = r.source JOIN shown t ON t.id = r.target
    WHERE r.tenant = $1 AND r.score >= $2 AND ($3::int >> r.type) & 1 = 1
      AND ($4::boolean IS NULL OR (r.found_by = 0) = $4::boolean))
  SELECT id, array_agg(side ORDER BY side, type) AS sides, array_agg(type ORDER BY side, type) AS types,
    array_agg(n ORDER BY side, type) AS counts
  FROM (SELECT source AS id, 'out' AS side, type, count(*)::int AS n FROM known GROUP BY 1, 3
    UNION ALL SELECT target, 'in', type, count(*)::int FROM known GROUP BY 1, 3) k
  GROUP BY id ORDER BY sum(n) DESC FETCH FIRST ($5::int) ROWS WITH TIES`

const SELECT_PAGE = `SELECT r.source AS source_id, r.target AS target_id, ${WHOLE}, s.ordinal AS source_ordinal,
    t.ordinal AS target_ordinal
  FROM relationship r JOIN memory s ON s.tenant = r.tenant AND s.id = r.source
  JOIN memory t ON t.tenant = r.tenant AND t.id = r.target
  WHERE r.tenant = $1 AND r.score >= $2 AND ($3::int >> r.type) & 1 = 1
    AND ($4::boolean IS NULL OR (r.found_by = 0) = $4::boolean) AND (r.source, r.target, r.type) > ($5, $6, $7::smallint)
  ORDER BY r.source, r.target, r.type LIMIT $8::int`

/** Reads relationships by their ends; within one transaction. */
export class Neighbours {
  readonly #tx: Transaction
  readonly #applyFilter: ApplyFilter

  constructor(tx: Transaction, applyFilter: ApplyFilter) {
    this.#tx = tx
    this.#applyFilter = applyFilter
  }

  async list(ids: readonly string[], query: NeighbourQuery): Promise<KeptRelationship[]> {
    const allowed = await this.#allow(query)
    const { perMemory = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = query
    const most = Math.min(perMemory, limit)
    const wanted = [...new Set(ids.map(toStorableText))]
    const strongest = await this.#listStrongest(wanted, { query, allowed, most })
    // Mostly there are none, and then it need not be known which of the memories may be asked about.
    const owns = [...new Set(strongest.map(({ own }) => own))]
    const asked = new Set(await this.#findAsked(owns, query, allowed))
    const found = new Map<string, Edge>()
    for (const edge of strongest) if (asked.has(edge.own)) found.set(keyOf(edge), edge)
    const chosen = [...found.values()].sort(compareStrength).slice(0, limit)
    return chosen.map(({ row }) => unpackRelationship(row))
  }

  async count(ids: readonly string[], query: NeighbourQuery): Promise<Degree[]> {
    const allowed = await this.#allow(query)
    const asked = await this.#findAsked(ids, query, allowed)
    const degrees = new Map(asked.map((id) => [id, { id, outgoing: 0, incoming: 0, mutual: 0 }]))
    const rows = await this.#tx.query(SELECT_SHORT, [...sideParameters(query, asked), null])
    for (const { own, isShown, ...key } of rows.map((row) => toEdge(row, allowed.other))) {
      const degree = degrees.get(own)
      if (degree && isShown) addDegree(degree, key)
    }
    return [...degrees.values()]
  }

  async listConnected(query: RelationshipQuery & { limit: number }): Promise<Degree[]> {
    const { asked } = await this.#allow(query)
    const shown = [...asked.keys()].filter((ordinal) => asked[ordinal] === 1)
    const parameters = [query.filter.viewer.tenant, ...conditionsOf(query), query.limit, shown]
    const rows = query.limit > 0 ? await this.#tx.query(SELECT_CONNECTED, parameters) : []
    return rows
      .map(toDegree)
      .sort((a, b) => sumOf(b) - sumOf(a) || compareText(a.id, b.id))
      .slice(0, query.limit)
  }

  async page(query: RelationshipQuery & { after?: string; limit: number }): Promise<{
    relationships: KeptRelationship[]
    next?: string
  }> {
    const { asked } = await this.#allow(query)
    const here: SqlRow[] = []
    let after = readCursor(query.after)
    for (const wanted = query.limit + 1; here.length < wanted; ) {
      const parameters = [query.filter.viewer.tenant, ...conditionsOf(query), ...after, wanted]
      const rows = await this.#tx.query(SELECT_PAGE, parameters)
      for (const row of rows) {
        const isShown = asked[Number(row.source_ordinal)] === 1 && asked[Number(row.target_ordinal)] === 1
        if (isShown && here.length < wanted) here.push(row)
      }
      const last = rows.at(-1)
      if (!last || rows.length < wanted) break
      after = cursorOf(last)
    }
    const last = here[query.limit - 1]
    const isMore = here.length > query.limit && last !== undefined
    return {
      relationships: here.slice(0, query.limit).map(unpackRelationship),
      ...(isMore && { next: JSON.stringify(cursorOf(last)) }),
    }
  }

  async #allow({ filter, otherTiers }: NeighbourQuery): Promise<Allowed> {
    const asked = await this.#applyFilter(this.#tx, filter)
    if (otherTiers === undefined) return { asked, other: asked }
    const tiers = otherTiers.filter((tier) => filter.tiers?.includes(tier) ?? true)
    return { asked, other: await this.#applyFilter(this.#tx, { ...filter, tiers }) }
  }

  /** The memories that are asked about, as far as the filter shows them, in the order of the ids. */
  async #findAsked(ids: readonly string[], { filter }: NeighbourQuery, { asked }: Allowed): Promise<string[]> {
    const wanted = [...new Set(ids.map(toStorableText))]
    const rows = wanted.length > 0 ? await this.#tx.query(SELECT_ASKED, [filter.viewer.tenant, wanted]) : []
    const shown = new Set(rows.filter(({ ordinal }) => asked[Number(ordinal)] === 1).map(({ id }) => String(id)))
    return wanted.filter((id) => shown.has(id))
  }

  /** Of each memory the `most` strongest on both sides; not many more are read. */
  async #listStrongest(
    asked: readonly string[],
    { query, allowed, most }: { query: NeighbourQuery; allowed: Allowed; most: number },
  ): Promise<Edge[]> {
    if (most <= 0) return []
    const chosen: Edge[] = []
    let open = asked
    for (let size = most + SPARE; open.length > 0; size *= GROWTH) {
      const isAll = !Number.isFinite(size)
      const parameters = [...sideParameters(query, open), isAll ? null : size]
      const sides = await this.#readSides(parameters, allowed)
      const next: string[] = []
      for (const id of open) {
        const own = sides.map((side) => side.get(id) ?? [])
        const best = own
          .flat()
          .filter(({ isShown }) => isShown)
          .sort(compareStrength)
          .slice(0, most)
        if (isAll || own.every((side) => isSettled(side, { size, best, most })))
          for (const edge of best) chosen.push(edge)
        else next.push(id)
      }
      open = next
    }
    return chosen
  }

  /** What goes out from memories, and what comes in, each by the memory. */
  async #readSides(parameters: readonly SqlParameter[], { other }: Allowed): Promise<Array<Map<string, Edge[]>>> {
    const outgoing = new Map<string, Edge[]>()
    const incoming = new Map<string, Edge[]>()
    for (const row of await this.#tx.query(SELECT_WHOLE, parameters)) {
      const edge = toEdge(row, other)
      const byOwn = row.side === 'source' ? outgoing : incoming
      const list = byOwn.get(edge.own)
      if (list) list.push(edge)
      else byOwn.set(edge.own, [edge])
    }
    return [outgoing, incoming]
  }
}

/** Whether what was not read of a side cannot be among the best: equal ones at the cut are ordered by their ids, so all of them are needed. */
function isSettled(
  side: readonly Edge[],
  { size, best, most }: { size: number; best: readonly Edge[]; most: number },
): boolean {
  if (side.length < size) return true
  const weakestRead = Math.min(...side.map(({ score }) => score))
  const cut = best[most - 1]
  return cut !== undefined && weakestRead < cut.score
}

function toEdge(row: SqlRow, shown: Uint8Array): Edge {
  return {
    own: String(row.own),
    sourceId: String(row.source_id),
    targetId: String(row.target_id),
    relationshipType: typeOfNumber(row.type),
    score: Number(row.score),
    isShown: row.ordinal !== null && shown[Number(row.ordinal)] === 1,
    row,
  }
}

function toDegree({ id, sides, types, counts }: SqlRow): Degree {
  const degree: Degree = { id: String(id), outgoing: 0, incoming: 0, mutual: 0 }
  const [of, kinds, numbers] = [sides as string[], types as number[], counts as number[]]
  of.forEach((side, at) => {
    const sourceId = side === 'out' ? degree.id : ''
    for (let n = 0; n < (numbers[at] ?? 0); n++)
      addDegree(degree, { sourceId, relationshipType: typeOfNumber(kinds[at]) })
  })
  return degree
}

function sumOf({ outgoing, incoming, mutual }: Degree): number {
  return outgoing + incoming + mutual
}

function sideParameters(query: RelationshipQuery, ids: readonly string[]): SqlParameter[] {
  return [query.filter.viewer.tenant, ids, ...conditionsOf(query)]
}

/** Least score, types as bits, and whether it is explicit. */
function conditionsOf({ minScore = 0, types, origin }: RelationshipQuery): [number, number, boolean | null] {
  return [minScore, maskOfTypes(types), origin === undefined ? null : origin === 'explicit']
}

type Cursor = [source: string, target: string, type: number]
const START: Cursor = ['', '', -1]

function cursorOf({ source_id, target_id, type }: SqlRow): Cursor {
  return [String(source_id), String(target_id), Number(type)]
}

/** What the last page gave; anything else begins at the beginning. */
function readCursor(after: string | undefined): Cursor {
  if (after === undefined) return START
  try {
    const [source, target, type] = JSON.parse(after) as unknown[]
    return [String(source), String(target), Number(type) || 0]
  } catch {
    return START
  }
}
