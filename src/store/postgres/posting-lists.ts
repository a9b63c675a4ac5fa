import type { PostingLists } from '../keyword-index/keyword-scorer.ts'
import { countPacked, findOnPage, unpackPieces } from '../keyword-index/posting-codec.ts'
import type { Transaction } from './postgres-connection.ts'

/** A list stands in blocks of its own or on the page with the last first term that is not after it, in each segment. */
const FIND_LISTS = `SELECT t.at, s.first, 0 AS block, p.data FROM unnest($2::text[]) WITH ORDINALITY AS t (term, at)
  CROSS JOIN segment s CROSS JOIN LATERAL (
    SELECT data FROM posting_page p WHERE p.tenant = $1 AND p.segment = s.number AND p.term <= t.term COLLATE "C"
    ORDER BY p.term DESC LIMIT 1
  ) p WHERE s.tenant = $1
  UNION ALL
  SELECT t.at, s.first, b.first, b.data FROM unnest($2::text[]) WITH ORDINALITY AS t (term, at)
  JOIN posting_block b ON b.tenant = $1 AND b.term = t.term COLLATE "C"
  JOIN segment s ON s.tenant = $1 AND s.number = b.segment
  ORDER BY 1, 2, 3`

/** Reads the posting lists of these keys, in one statement. */
export async function fetchPostings(tx: Transaction, tenant: string, keys: readonly string[]): Promise<PostingLists> {
  const wanted = [...new Set(keys)]
  const pieces = new Map<string, Uint8Array[]>(wanted.map((key) => [key, []]))
  const rows = wanted.length === 0 ? [] : await tx.query(FIND_LISTS, [tenant, wanted])
  for (const { at, block, data } of rows) {
    const key = wanted[Number(at) - 1] ?? ''
    const bytes = data as Uint8Array
    const list = Number(block) > 0 ? bytes : findOnPage(bytes, Buffer.from(key))
    if (list.length > 0) pieces.get(key)?.push(list)
  }
  const lists = new Map<string, Int32Array>()
  const find = (term: string): Uint8Array[] => pieces.get(term) ?? []
  return {
    read: (term) => {
      const list = lists.get(term) ?? unpackPieces(find(term))
      lists.set(term, list)
      return list
    },
    count: (term) => find(term).reduce((sum, piece) => sum + countPacked(piece), 0),
  }
}
