import { PageBuilder, type PostingEntries, packEntries, readPage, unpackEntries } from './posting-codec.ts'

/** A memory to be taken out of the index: its terms as they are made now, and how many different ones it was added with. */
export interface RemovedMemory {
  ordinal: number
  terms: readonly string[]
  termCount: number
}

/** Which of the memories hold each term, in the order of the memories. */
export function groupByTerm(memories: readonly RemovedMemory[]): Map<string, number[]> {
  const holders = new Map<string, number[]>()
  for (const { ordinal, terms } of memories) {
    for (const term of terms) {
      const ordinals = holders.get(term)
      if (ordinals) ordinals.push(ordinal)
      else holders.set(term, [ordinal])
    }
  }
  return holders
}

/** What is left of a page without these memories, and how many entries went. A page that loses all its terms is none. */
export function withoutGoneOnPage(
  page: Uint8Array,
  gone: ReadonlySet<number>,
): { removed: number; pages: Array<{ term: string; data: Uint8Array }> } {
  let removed = 0
  const pages: Array<{ term: string; data: Uint8Array }> = []
  const builder = new PageBuilder((term, data) => pages.push({ term, data }))
  for (const { term, list } of readPage(page)) {
    const { left, count } = withoutGone(list, gone)
    removed += count
    if (count === 0) builder.add(term, list)
    else if (left.length > 0) builder.add(term, packEntries(left)[0]?.bytes ?? list)
  }
  builder.flush()
  return { removed, pages }
}

/** What is left of a packed list without these memories, and how many entries went. */
export function withoutGone(list: Uint8Array, gone: ReadonlySet<number>): { left: PostingEntries; count: number } {
  const entries: PostingEntries = []
  unpackEntries(list, entries)
  const left: PostingEntries = []
  for (let at = 0; at < entries.length; at += 2) {
    const ordinal = entries[at] ?? 0
    if (!gone.has(ordinal)) left.push(ordinal, entries[at + 1] ?? 1)
  }
  return { left, count: (entries.length - left.length) / 2 }
}
