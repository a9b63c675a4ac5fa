import type { TokensNearby } from '../memory-store.ts'
import type { Connection } from './connection.ts'

/** The places of memories and those around them, with the word vectors of the identity that is asked for. */
const SELECT_TOKENS = `SELECT m.id AS id, p.position - m.position AS offset, p.ordinal AS ordinal, t.data AS data
  FROM json_each(?) j JOIN memory m ON m.id = j.value
  JOIN place p ON p.document = m.document AND p.position BETWEEN m.position - ? AND m.position + ?
  JOIN embedding e ON e.ordinal = p.ordinal
  JOIN token_vectors t ON t.ordinal = p.ordinal
  WHERE e.identity = (SELECT id FROM identity WHERE name = ?)`

/** Word vectors of memories and their neighbours; within a read transaction. */
export function readTokens(
  connection: Connection,
  identity: string,
  { ids, nearby }: { ids: readonly string[]; nearby: { before: number; after: number } },
): Map<string, TokensNearby[]> {
  const { before, after } = nearby
  const rows = connection.rows(SELECT_TOKENS, JSON.stringify([...new Set(ids)]), before, after, identity)
  const known = new Map<number, Int8Array>()
  const found = new Map<string, TokensNearby[]>()
  for (const [id, offset, ordinal, data] of rows) {
    if (!(data instanceof Uint8Array)) continue
    const tokens = known.get(Number(ordinal)) ?? new Int8Array(data.buffer, data.byteOffset, data.byteLength)
    known.set(Number(ordinal), tokens)
    const list = found.get(String(id)) ?? []
    list.push({ offset: Number(offset), tokens })
    found.set(String(id), list)
  }
  return found
}
