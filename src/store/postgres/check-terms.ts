import { CHECK_SAMPLE_MEMORIES } from '../../options.ts'
import { indexTerms } from '../../text/index-terms.ts'
import type { StoreFinding } from '../memory-store.ts'
import type { SqlRow } from './database.ts'
import { toContent } from './memory-rows.ts'
import type { Transaction } from './postgres-connection.ts'
import { PostingSegments } from './posting-segments.ts'

/** Memories whose texts are read in one go. */
const BATCH = 1000
const SELECT_ORDINALS = 'SELECT ordinal FROM memory WHERE tenant = $1 ORDER BY ordinal'
const SELECT_TEXTS = `SELECT m.ordinal, m.id, m.tenant, m.importance, m.text, m.detail, m.embed, m.length, d.path FROM memory m
  JOIN document d ON d.tenant = $1 AND d.number = m.document WHERE m.tenant = $1 AND m.ordinal = ANY($2::integer[])`

/** The terms of memories and how often each has them. */
type Terms = Map<number, Map<string, number>>

/**
 * Makes the terms of memories anew, of at most CHECK_SAMPLE_MEMORIES (every n-th of more), and compares them with what the keyword index
 * says; within a read transaction. What the index says of memories that are not there is looked for in all of it.
 */
export async function checkTerms(tx: Transaction, tenant: string, remedy: string): Promise<StoreFinding[]> {
  const ordinals = (await tx.query(SELECT_ORDINALS, [tenant])).map(({ ordinal }) => Number(ordinal))
  const step = Math.max(1, Math.ceil(ordinals.length / CHECK_SAMPLE_MEMORIES))
  const sample: Terms = new Map(ordinals.filter((_, at) => at % step === 0).map((ordinal) => [ordinal, new Map()]))
  const strays = await readTerms(tx, tenant, { known: new Set(ordinals), sample })
  const finding = (id: string, message: string): StoreFinding => ({ id, severity: 'error', message, remedy })
  if (strays === null) return [finding('keyword-index-differs', 'The keyword index cannot be read')]
  const wrong = await countWrong(tx, tenant, sample)
  const of = step > 1 ? ` of ${sample.size} that were looked at` : ''
  return [
    ...(wrong > 0 ? [finding('keyword-index-differs', `The words of ${wrong} memories${of} are indexed wrongly`)] : []),
    ...(strays > 0
      ? [finding('keyword-index-strays', `The keyword index has ${strays} entries of memories that are not there`)]
      : []),
  ]
}

/** Fills the terms of the sample from the index. How many of its entries are of unknown memories; null where it cannot be taken apart. */
async function readTerms(
  tx: Transaction,
  tenant: string,
  { known, sample }: { known: ReadonlySet<number>; sample: Terms },
): Promise<number | null> {
  const postings = new PostingSegments(tx, tenant, () => 0)
  let strays = 0
  return postings
    .scanAll((term, entries) => {
      for (let at = 0; at < entries.length; at += 2) {
        const ordinal = entries[at] ?? 0
        if (!known.has(ordinal)) strays += 1
        sample.get(ordinal)?.set(term, entries[at + 1] ?? 0)
      }
    })
    .then(
      () => strays,
      (error: unknown) => {
        // What the server says has a code; else it is bytes that are no lists.
        if (error instanceof Error && 'code' in error) throw error
        return null
      },
    )
}

async function countWrong(tx: Transaction, tenant: string, sample: Terms): Promise<number> {
  const ordinals = [...sample.keys()]
  let wrong = 0
  for (let at = 0; at < ordinals.length; at += BATCH) {
    for (const row of await tx.query(SELECT_TEXTS, [tenant, ordinals.slice(at, at + BATCH)])) {
      if (!isIndexedRight(row, sample.get(Number(row.ordinal)) ?? new Map())) wrong += 1
    }
  }
  return wrong
}

function isIndexedRight(row: SqlRow, indexed: ReadonlyMap<string, number>): boolean {
  const { frequencies, length } = indexTerms(toContent(row), String(row.path))
  if (length !== Number(row.length) || frequencies.size !== indexed.size) return false
  return [...frequencies].every(([term, frequency]) => indexed.get(term) === frequency)
}
