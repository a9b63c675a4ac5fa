import type { Memory, MemoryContent, Place } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { sha256 } from '../../text/hash.ts'
import { compareNewestFirst, comparePlaces, compareText, occurredMs, withContent } from '../canonical-place.ts'
import { toStorableText } from '../storable-text.ts'
import { ambiguousPathError } from '../store-errors.ts'
import type { SqlRow } from './database.ts'
import { CONTENT_COLUMNS, SELECT_MEMORY, toContent, toMemory, toPlace } from './memory-rows.ts'
import type { Transaction } from './postgres-connection.ts'
import { readByOrdinals } from './read-by-ordinals.ts'
import type { TenantIndexes } from './tenant-indexes.ts'

/** Memories in the order of their ids, each once; those that are not there are left out. */
export async function readByIds(
  tx: Transaction,
  tenants: readonly string[],
  ids: readonly string[],
): Promise<Memory[]> {
  const wanted = [...new Set(ids.map(toStorableText))]
  const found = new Map<string, Memory>()
  for (const tenant of wanted.length > 0 ? tenants : []) {
    const rows = await tx.query(`${SELECT_MEMORY} AND m.id = ANY($2::text[])`, [tenant, wanted])
    // Where several tenants have an id, it is the first tenant's.
    for (const row of rows) if (!found.has(String(row.id))) found.set(String(row.id), toMemory(row))
  }
  return wanted.flatMap((id) => found.get(id) ?? [])
}

const SELECT_PLACES = `SELECT ${CONTENT_COLUMNS}, p.detail AS place, p.variant, p.position, d.root, d.path FROM memory m
  JOIN scope s ON s.tenant = $1 AND s.number = m.scope
  JOIN place p ON p.tenant = $1 AND p.ordinal = m.ordinal
  JOIN document d ON d.tenant = $1 AND d.number = p.document
  WHERE m.tenant = $1 AND m.id = $2`

/** The places of a memory, the canonical one first. */
export async function readPlaces(tx: Transaction, tenants: readonly string[], id: string): Promise<Place[]> {
  const rows: SqlRow[] = []
  for (const tenant of tenants) if (rows.length === 0) rows.push(...(await tx.query(SELECT_PLACES, [tenant, id])))
  return rows
    .map((row) => ({
      content: row.variant === null ? toContent(row) : (JSON.parse(String(row.variant)) as MemoryContent),
      place: toPlace(row.place, row),
    }))
    .sort(comparePlaces)
    .map(({ place }) => place)
}

const SELECT_DOCUMENTS = `SELECT number, root FROM document WHERE tenant = $1 AND path_hash = $2 AND path = $3 ORDER BY number`
const SELECT_PLACED = `SELECT p.document, p.ordinal, p.position, p.detail AS place, p.variant, d.root, d.path FROM place p
  JOIN document d ON d.tenant = $1 AND d.number = p.document
  WHERE p.tenant = $1 AND p.document = ANY($2::integer[]) ORDER BY p.document, p.position`

/** Memories of one document that the filter lets through, in order. A path that it lets be seen under one root is not ambiguous. */
export async function readDocument(
  tx: Transaction,
  indexes: TenantIndexes,
  key: { root?: string; path: string },
  filter: MemoryFilter,
): Promise<Array<{ memory: Memory; place: Place }>> {
  const { tenant } = filter.viewer
  const allowed = await indexes.use(tx, tenant, ({ layout }) => layout.applyFilter(filter))
  const documents = (await tx.query(SELECT_DOCUMENTS, [tenant, sha256(key.path), key.path])).filter(
    ({ root }) => key.root === undefined || root === key.root,
  )
  const numbers = documents.map(({ number }) => Number(number))
  const seen = (await tx.query(SELECT_PLACED, [tenant, numbers])).filter(
    ({ ordinal }) => allowed[Number(ordinal)] === 1,
  )
  const roots = [...new Set(seen.map(({ root }) => String(root)))].sort(compareText)
  if (roots.length > 1) throw ambiguousPathError(key.path, roots)
  const memories = await readByOrdinals(tx, tenant, ordinalsOf(seen))
  return seen.flatMap((row) => {
    const found = memories.get(Number(row.ordinal))
    if (!found) return []
    const memory = row.variant === null ? found : withContent(found, JSON.parse(String(row.variant)) as MemoryContent)
    return [{ memory, place: toPlace(row.place, row) }]
  })
}

const SELECT_NEWEST = `SELECT m.ordinal FROM unnest($2::integer[]) AS u (ordinal)
  JOIN memory m ON m.tenant = $1 AND m.ordinal = u.ordinal
  JOIN place p ON p.tenant = $1 AND p.document = m.document AND p.position = m.position
  ORDER BY p.occurred_ms DESC NULLS LAST, m.id COLLATE "C" LIMIT $3`

/** Memories that the filter lets through, newest first. */
export async function readAll(
  tx: Transaction,
  indexes: TenantIndexes,
  filter: MemoryFilter,
  limit = Number.POSITIVE_INFINITY,
): Promise<Memory[]> {
  const { tenant } = filter.viewer
  const ordinals = await indexes.use(tx, tenant, ({ layout }) => {
    const allowed = layout.applyFilter(filter)
    return Array.from(allowed.keys()).filter((ordinal) => allowed[ordinal] === 1)
  })
  const isMany = ordinals.length > limit
  const picked = isMany ? ordinalsOf(await tx.query(SELECT_NEWEST, [tenant, ordinals, limit])) : ordinals
  const memories = [...(await readByOrdinals(tx, tenant, picked)).values()]
  return memories
    .sort((a, b) => compareNewestFirst(occurredMs(a.place), occurredMs(b.place)) || compareText(a.id, b.id))
    .slice(0, limit)
}

function ordinalsOf(rows: readonly SqlRow[]): number[] {
  return rows.map(({ ordinal }) => Number(ordinal))
}

/** How many memories the filter lets through. */
export async function countMemories(tx: Transaction, indexes: TenantIndexes, filter: MemoryFilter): Promise<number> {
  return indexes.use(tx, filter.viewer.tenant, ({ layout }) =>
    layout.applyFilter(filter).reduce((sum, isAllowed) => sum + isAllowed, 0),
  )
}
