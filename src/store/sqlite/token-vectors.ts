import { gatherWordsMet } from '../gather-words-met.ts'
import type { WordQuery, WordsMet } from '../memory-store.ts'
import type { TokenScan } from '../vector-scan/token-scan.ts'
import type { Connection } from './connection.ts'

/** The places of memories and those around them that have word vectors of the identity that is asked for. */
const SELECT_PLACES = `SELECT m.id AS id, p.position - m.position AS offset, p.ordinal AS ordinal
  FROM json_each(?) j JOIN memory m ON m.id = j.value
  JOIN place p ON p.document = m.document AND p.position BETWEEN m.position - ? AND m.position + ?
  JOIN embedding e ON e.ordinal = p.ordinal
  WHERE e.identity = (SELECT id FROM identity WHERE name = ?)`
const SELECT_TOKENS = `SELECT ordinal, data FROM token_vectors WHERE ordinal IN (SELECT value FROM json_each(?))`

/** How memories and their neighbours meet the words of a query; within a read transaction. */
export function compareWords(
  connection: Connection,
  scan: TokenScan,
  { query, ids, nearby }: { query: WordQuery; ids: readonly string[]; nearby: { before: number; after: number } },
): Map<string, WordsMet[]> {
  const { before, after } = nearby
  const places = connection.rows(SELECT_PLACES, JSON.stringify([...new Set(ids)]), before, after, query.identity)
  // Neighbours are shared: each memory's words are read and compared once.
  const ordinals = [...new Set(places.map(([, , ordinal]) => Number(ordinal)))]
  const rows = connection.rows(SELECT_TOKENS, JSON.stringify(ordinals))
  const texts = rows.map(([, data]) =>
    data instanceof Uint8Array ? new Int8Array(data.buffer, data.byteOffset, data.byteLength) : new Int8Array(0),
  )
  const scores = scan(query, texts)
  const byOrdinal = new Map(rows.map(([ordinal], index) => [Number(ordinal), scores[index]]))
  return gatherWordsMet(
    places.map(([id, offset, ordinal]) => ({ id, offset, ordinal })),
    byOrdinal,
  )
}
