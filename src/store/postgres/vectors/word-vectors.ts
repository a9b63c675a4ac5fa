import { gatherWordsMet } from '../../gather-words-met.ts'
import type { WordQuery, WordsMet } from '../../memory-store.ts'
import type { TokenScan } from '../../vector-scan/token-scan.ts'
import type { Transaction } from '../postgres-connection.ts'

/** The places of memories and those around them that have word vectors of the identity that is asked for. */
const SELECT_PLACES = `SELECT m.id, p.position - m.position AS offset, p.ordinal FROM memory m
  JOIN place p ON p.tenant = m.tenant AND p.document = m.document AND p.position BETWEEN m.position - $3 AND m.position + $4
  JOIN embedding_identity i ON i.tenant = m.tenant AND i.name = $5
  JOIN embedding e ON e.tenant = p.tenant AND e.ordinal = p.ordinal AND e.identity = i.number
  WHERE m.tenant = $1 AND m.id = ANY($2::text[])`
const SELECT_TOKENS = 'SELECT ordinal, data FROM token_vectors WHERE tenant = $1 AND ordinal = ANY($2::integer[])'

export interface WordComparison {
  query: WordQuery
  ids: readonly string[]
  nearby: { before: number; after: number }
}

/** How memories and their neighbours meet the words of a query; within a read transaction. */
export async function compareWords(
  tx: Transaction,
  scan: TokenScan,
  tenants: readonly string[],
  comparison: WordComparison,
): Promise<Map<string, WordsMet[]>> {
  const found = new Map<string, WordsMet[]>()
  for (const tenant of tenants) {
    const own = await compareInTenant(tx, scan, tenant, comparison)
    for (const [id, list] of own) if (!found.has(id)) found.set(id, list)
  }
  return found
}

async function compareInTenant(
  tx: Transaction,
  scan: TokenScan,
  tenant: string,
  { query, ids, nearby: { before, after } }: WordComparison,
): Promise<Map<string, WordsMet[]>> {
  const places = await tx.query(SELECT_PLACES, [tenant, [...new Set(ids)], before, after, query.identity])
  // Neighbours are shared: each memory's words are read and compared once.
  const ordinals = [...new Set(places.map(({ ordinal }) => Number(ordinal)))]
  const rows = ordinals.length === 0 ? [] : await tx.query(SELECT_TOKENS, [tenant, ordinals])
  const scores = scan(
    query,
    rows.map(({ data }) => toNumbers(data as Uint8Array)),
  )
  const byOrdinal = new Map(rows.map(({ ordinal }, index) => [Number(ordinal), scores[index]]))
  return gatherWordsMet(
    places.map(({ id, offset, ordinal }) => ({ id, offset, ordinal })),
    byOrdinal,
  )
}

function toNumbers(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
