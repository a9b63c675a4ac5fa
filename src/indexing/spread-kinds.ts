import type { Work } from './read-writes.ts'

/**
 * The files in an order in which each kind of source is through by about the same share of its bytes at any time. Notes take the thread
 * that reads longest, transcripts the one that stores: one kind after the other, each thread would wait for the other in its turn.
 */
export function spreadKinds(work: readonly Work[]): Work[] {
  const lists = new Map<string, Work[]>()
  const bytes = new Map<string, number>()
  for (const one of work) {
    const { kind } = one.source
    const list = lists.get(kind)
    if (list) list.push(one)
    else lists.set(kind, [one])
    bytes.set(kind, (bytes.get(kind) ?? 0) + one.entry.bytes)
  }
  if (lists.size < 2) return [...work]
  const placed = [...lists].flatMap(([kind, list]) => {
    const all = Math.max(1, bytes.get(kind) ?? 0)
    let done = 0
    return list.map((one) => {
      // Where its middle comes to stand among its kind.
      const at = (done + one.entry.bytes / 2) / all
      done += one.entry.bytes
      return { one, at }
    })
  })
  return placed.sort((a, b) => a.at - b.at).map(({ one }) => one)
}
