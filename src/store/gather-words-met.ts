import type { WordsMet } from './memory-store.ts'

/** What each memory that was asked about, and those beside it, meet of a query: places in order, what was compared by ordinal. */
export function gatherWordsMet(
  places: ReadonlyArray<{ id: unknown; offset: unknown; ordinal: unknown }>,
  byOrdinal: ReadonlyMap<number, Float32Array | undefined>,
): Map<string, WordsMet[]> {
  const found = new Map<string, WordsMet[]>()
  for (const { id, offset, ordinal } of places) {
    const best = byOrdinal.get(Number(ordinal))
    if (!best) continue
    const list = found.get(String(id)) ?? []
    list.push({ offset: Number(offset), best })
    found.set(String(id), list)
  }
  return found
}
