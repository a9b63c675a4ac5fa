import type { RelationshipKey } from '../../../model/relationship.ts'
import type { Layout } from '../../keyword-index/layout.ts'
import type { Degree, NeighbourQuery, RelationshipQuery } from '../../relationship-store.ts'
import { compareStrength, keyOf } from '../../relationships/canonical.ts'
import { addDegree, listConnected } from '../../relationships/degree.ts'
import type { KeptRelationship } from '../../relationships/kept.ts'
import { maskOfTypes, numberOfType, typeOfNumber, unpackRelationship } from '../../relationships/packed-rows.ts'
import { toStorableText } from '../../storable-text.ts'
import type { Connection } from '../connection.ts'
import type { SqlRow } from '../database.ts'

/** Ordinals whose memories may be an end: of those asked about, and of the others. */
interface Allowed {
  asked: Uint8Array
  other: Uint8Array
}

/** A relationship as the index of one of its ends has it. */
interface Edge extends RelationshipKey {
  source: number
  target: number
  score: number
}

/**
 * The relationships of one memory on one side, strongest first, out of the index of that side alone, and the other end's memory.
 * The order of the joins is fixed: whatever the counts of rows, one range of the index is read.
 */
const selectSide = (own: 'source' | 'target', other: 'source' | 'target'): string =>
  `SELECT r.source, r.target, r.type, r.score, n.id, m.ordinal
   FROM relationship r INDEXED BY relationship_by_${own} CROSS JOIN node n ON n.number = r.${other} CROSS JOIN memory m ON m.id = n.id
   WHERE r.${own} = ?1 AND r.score >= ?2 AND (?3 >> r.type) & 1 AND (r.found_by = 0) BETWEEN ?4 AND ?5
   ORDER BY r.score DESC`
const SELECT_OUTGOING = selectSide('source', 'target')
const SELECT_INCOMING = selectSide('target', 'source')

/** What the indexes do not tell of one. */
const SELECT_REST = `SELECT type, score, found_by, created_ms, updated_ms, detail FROM relationship
  WHERE source = ? AND target = ? AND type = ?`

/** Reads relationships by their ends; within a read transaction. */
export class Neighbours {
  readonly #connection: Connection
  readonly #layout: Layout

  constructor({ connection, layout }: { connection: Connection; layout: Layout }) {
    this.#connection = connection
    this.#layout = layout
  }

  list(ids: readonly string[], query: NeighbourQuery): KeptRelationship[] {
    const allowed = this.#allow(query)
    const { perMemory = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = query
    const found = new Map<string, Edge>()
    for (const { id, number } of this.#findAsked(ids, allowed)) {
      if (number === null) continue
      const strongest = this.#listStrongest({ id, number }, { query, allowed, most: Math.min(perMemory, limit) })
      for (const edge of strongest) found.set(keyOf(edge), edge)
    }
    const chosen = [...found.values()].sort(compareStrength).slice(0, limit)
    const read = this.#connection.sql(SELECT_REST)
    return chosen.flatMap(({ sourceId, targetId, source, target, relationshipType }) => {
      const row = read.get(source, target, numberOfType(relationshipType))
      return row ? [unpackRelationship({ ...row, source_id: sourceId, target_id: targetId })] : []
    })
  }

  count(ids: readonly string[], query: NeighbourQuery): Degree[] {
    const allowed = this.#allow(query)
    return this.#findAsked(ids, allowed).map(({ id, number }) => {
      const degree: Degree = { id, outgoing: 0, incoming: 0, mutual: 0 }
      if (number === null) return degree
      for (const edge of this.#outgoing({ id, number }, query, allowed)) addDegree(degree, edge)
      for (const edge of this.#incoming({ id, number }, query, allowed)) addDegree(degree, edge)
      return degree
    })
  }

  listConnected(query: RelationshipQuery & { limit: number }): Degree[] {
    const { asked } = this.#allow(query)
    const ids = new Map(
      this.#connection
        .rows('SELECT n.number, n.id, m.ordinal FROM node n CROSS JOIN memory m ON m.id = n.id')
        .filter(([, , ordinal]) => asked[Number(ordinal)] === 1)
        .map(([number, id]) => [Number(number), String(id)]),
    )
    const rows = this.#connection
      .sql(
        `SELECT source, target, type FROM relationship
         WHERE score >= ? AND (? >> type) & 1 AND (found_by = 0) BETWEEN ? AND ?`,
      )
      .iterate(...conditionsOf(query))
    return listConnected(readKeys(rows, ids), query.limit)
  }

  page(query: RelationshipQuery & { after?: string; limit: number }): {
    relationships: KeptRelationship[]
    next?: string
  } {
    const { asked } = this.#allow(query)
    // Safe because it is what the last page gave; anything else selects from the beginning or nothing.
    const [source = -1, target = -1, type = -1] = (query.after ?? '').split(' ').filter(Boolean).map(Number)
    const rows = this.#connection
      .sql(
        `SELECT s.id AS source_id, t.id AS target_id, r.*, ms.ordinal AS source_ordinal, mt.ordinal AS target_ordinal
         FROM relationship r CROSS JOIN node s ON s.number = r.source CROSS JOIN memory ms ON ms.id = s.id
         CROSS JOIN node t ON t.number = r.target CROSS JOIN memory mt ON mt.id = t.id
         WHERE (r.source, r.target, r.type) > (?, ?, ?) AND r.score >= ? AND (? >> r.type) & 1
           AND (r.found_by = 0) BETWEEN ? AND ?
         ORDER BY r.source, r.target, r.type`,
      )
      .iterate(source, target, type, ...conditionsOf(query))
    const here: SqlRow[] = []
    for (const row of rows) {
      if (asked[Number(row.source_ordinal)] !== 1 || asked[Number(row.target_ordinal)] !== 1) continue
      here.push(row)
      if (here.length > query.limit) break
    }
    const last = here[query.limit - 1]
    const isMore = here.length > query.limit && last !== undefined
    return {
      relationships: here.slice(0, query.limit).map(unpackRelationship),
      ...(isMore && { next: [last.source, last.target, last.type].join(' ') }),
    }
  }

  #allow({ filter, otherTiers }: NeighbourQuery): Allowed {
    this.#layout.refresh()
    const asked = this.#layout.applyFilter(filter)
    if (otherTiers === undefined) return { asked, other: asked }
    const tiers = otherTiers.filter((tier) => filter.tiers?.includes(tier) ?? true)
    return { asked, other: this.#layout.applyFilter({ ...filter, tiers }) }
  }

  /** The memories that are asked about, as far as the filter shows them, in the order of the ids. */
  #findAsked(ids: readonly string[], { asked }: Allowed): Array<{ id: string; number: number | null }> {
    const wanted = [...new Set(ids.map(toStorableText))]
    const rows = this.#connection.rows(
      `SELECT m.id, m.ordinal, n.number FROM memory m LEFT JOIN node n ON n.id = m.id
       WHERE m.id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(wanted),
    )
    const found = new Map(
      rows
        .filter(([, ordinal]) => asked[Number(ordinal)] === 1)
        .map(([id, , number]) => [String(id), number === null ? null : Number(number)]),
    )
    return wanted.flatMap((id) => {
      const number = found.get(id)
      return number === undefined ? [] : [{ id, number }]
    })
  }

  /** The `most` strongest on both sides; more are not read. */
  #listStrongest(
    own: { id: string; number: number },
    { query, allowed, most }: { query: NeighbourQuery; allowed: Allowed; most: number },
  ): Edge[] {
    const sides = [this.#outgoing(own, query, allowed), this.#incoming(own, query, allowed)]
    const heads = sides.map((side) => side.next())
    const taken: Edge[] = []
    try {
      for (;;) {
        const side = (heads[1]?.value?.score ?? -1) > (heads[0]?.value?.score ?? -1) ? 1 : 0
        const edge = heads[side]?.value
        // Equal ones at the cut are ordered by their ids, so all of them are needed.
        if (!edge || (taken.length >= most && edge.score < (taken.at(-1)?.score ?? 0))) break
        taken.push(edge)
        const next = sides[side]?.next()
        if (next) heads[side] = next
      }
    } finally {
      for (const side of sides) side.return(undefined)
    }
    return taken.sort(compareStrength).slice(0, most)
  }

  #outgoing(own: { id: string; number: number }, query: NeighbourQuery, allowed: Allowed): Generator<Edge, undefined> {
    const toEdge = (otherId: string): [string, string] => [own.id, otherId]
    return this.#readSide(SELECT_OUTGOING, own.number, { query, allowed, toEdge })
  }

  #incoming(own: { id: string; number: number }, query: NeighbourQuery, allowed: Allowed): Generator<Edge, undefined> {
    const toEdge = (otherId: string): [string, string] => [otherId, own.id]
    return this.#readSide(SELECT_INCOMING, own.number, { query, allowed, toEdge })
  }

  *#readSide(
    sql: string,
    number: number,
    given: {
      query: RelationshipQuery
      allowed: Allowed
      toEdge: (otherId: string) => [source: string, target: string]
    },
  ): Generator<Edge, undefined> {
    const { query, allowed, toEdge } = given
    for (const row of this.#connection.sql(sql).iterate(number, ...conditionsOf(query))) {
      if (allowed.other[Number(row.ordinal)] !== 1) continue
      const [sourceId, targetId] = toEdge(String(row.id))
      yield {
        sourceId,
        targetId,
        relationshipType: typeOfNumber(row.type),
        source: Number(row.source),
        target: Number(row.target),
        score: Number(row.score),
      }
    }
  }
}

/** The relationships of which both ends have an id here. */
function* readKeys(rows: Iterable<SqlRow>, ids: ReadonlyMap<number, string>): Generator<RelationshipKey> {
  for (const { source, target, type } of rows) {
    const [sourceId, targetId] = [ids.get(Number(source)), ids.get(Number(target))]
    if (sourceId === undefined || targetId === undefined) continue
    yield { sourceId, targetId, relationshipType: typeOfNumber(type) }
  }
}

/** Least score, types as bits, and whether it is explicit, from and to. */
function conditionsOf({ minScore = 0, types, origin }: RelationshipQuery): [number, number, number, number] {
  return [minScore, maskOfTypes(types), origin === 'explicit' ? 1 : 0, origin === 'discovered' ? 0 : 1]
}
