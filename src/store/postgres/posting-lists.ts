import type { LackingList, ListPart } from '../keyword-index/kept-lists.ts'
import { findOnPage } from '../keyword-index/posting-codec.ts'
import { fromBase64, toBase64 } from './base64.ts'
import type { Transaction } from './postgres-connection.ts'

/**
 * A list stands in blocks of its own or on the page with the last first term that is not after it, in each segment. A page on which several
 * of the terms may stand comes once. Of a list that is to be read from an ordinal on, segments that end before it are left out.
 */
const FIND_LISTS = `SELECT f.at, s.first, 0 AS block, ${toBase64('p.data')} AS data FROM (
    SELECT array_agg(t.at) AS at, s.number, p.term FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS t (term, start, at)
    CROSS JOIN segment s CROSS JOIN LATERAL (
      SELECT p.term FROM posting_page p WHERE p.tenant = $1 AND p.segment = s.number AND p.term <= t.term COLLATE "C"
      ORDER BY p.term DESC LIMIT 1
    ) p WHERE s.tenant = $1 AND s.last >= t.start GROUP BY s.number, p.term
  ) f
  JOIN segment s ON s.tenant = $1 AND s.number = f.number
  JOIN posting_page p ON p.tenant = $1 AND p.segment = f.number AND p.term = f.term
  UNION ALL
  SELECT ARRAY[t.at], s.first, b.first, ${toBase64('b.data')} FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS t (term, start, at)
  JOIN posting_block b ON b.tenant = $1 AND b.term = t.term COLLATE "C"
  JOIN segment s ON s.tenant = $1 AND s.number = b.segment AND s.last >= t.start
  ORDER BY 2, 3`
const SELECT_PARTS = 'SELECT number, first, memories FROM segment WHERE tenant = $1 ORDER BY first'

/** The segments as parts of lists: one never gets memories, its number is never used again, and what is removed of it it counts. */
export async function readParts(tx: Transaction, tenant: string): Promise<ListPart[]> {
  const rows = await tx.query(SELECT_PARTS, [tenant])
  return rows.map(({ number, first, memories }) => ({ first: Number(first), version: `${number} ${memories}` }))
}

/** Reads what posting lists lack in one statement: for each the pieces of its list, in the order of their ordinals. */
export async function fetchPieces(
  tx: Transaction,
  tenant: string,
  lacking: readonly LackingList[],
): Promise<Uint8Array[][]> {
  const keys = lacking.map(({ term }) => term)
  const found: Uint8Array[][] = keys.map(() => [])
  if (keys.length === 0) return found
  for (const { at, block, data } of await tx.query(FIND_LISTS, [tenant, keys, lacking.map(({ from }) => from)])) {
    const bytes = fromBase64(data)
    for (const number of at as number[]) {
      const index = Number(number) - 1
      const list = Number(block) > 0 ? bytes : findOnPage(bytes, Buffer.from(keys[index] ?? ''))
      if (list.length > 0) found[index]?.push(list)
    }
  }
  return found
}
