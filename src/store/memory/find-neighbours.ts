import { inverseDocumentFrequency } from '../bm25.ts'
import { compareText } from '../canonical-place.ts'
import type { Neighbour, NeighbourSearch, NeighbourSubject } from '../memory-store.ts'
import { NEIGHBOUR_SCAN } from '../neighbour-options.ts'
import { dot } from '../vector-scan/unit-vector.ts'
import type { Corpus, HeldMemory } from './corpus.ts'
import { type HeldVectors, passesFilter } from './find-by-brute-force.ts'

/** Compares every memory with every other: what an index has to agree with. */
export function findNeighbours(
  corpus: Corpus,
  vectors: ReadonlyMap<string, HeldVectors>,
  { memories, identity, filter, limit }: NeighbourSearch,
): Map<string, Neighbour[]> {
  const allowed = [...corpus.memories.values()].filter((held) => passesFilter(held, filter))
  const { tenant } = filter.viewer
  const count = [...corpus.memories.values()].filter(({ memory }) => memory.scope.tenant === tenant).length
  const cosineOf = (a: string, b: string): number | undefined => compare(identity, vectors.get(a), vectors.get(b))
  return new Map(
    memories
      .filter(({ id }) => corpus.memories.has(id))
      .map((subject) => {
        const others = allowed.filter(({ memory }) => memory.id !== subject.id)
        const cosines = others.map((other) => cosineOf(subject.id, other.memory.id))
        const shared = weighShared(others, subject, count)
        const found = new Set([
          ...pick(others, (at) => cosines[at], limit),
          ...pick(others, (at) => shared[at] || undefined, limit),
          ...others.filter(({ memory }) => subject.also?.includes(memory.id)).map(({ memory }) => memory.id),
        ])
        const neighbours = [...found].sort(compareText).map((id): Neighbour => {
          const cosine = cosineOf(subject.id, id)
          return { id, ...(cosine !== undefined && { cosine }) }
        })
        return [subject.id, neighbours]
      }),
  )
}

/** For each of the others the weight of the rare keys that it shares. */
function weighShared(others: readonly HeldMemory[], { keys }: NeighbourSubject, count: number): number[] {
  const lists = [...new Set(keys)]
    .map((key) => ({ key, at: [...others.keys()].filter((at) => others[at]?.terms.frequencies.has(key)) }))
    .sort((a, b) => a.at.length - b.at.length || compareText(a.key, b.key))
  const sums = others.map(() => 0)
  let looked = 0
  for (const { at } of lists) {
    looked += at.length
    if (looked > NEIGHBOUR_SCAN.holders) break
    for (const index of at) sums[index] = (sums[index] ?? 0) + inverseDocumentFrequency(count, at.length)
  }
  return sums
}

function pick(others: readonly HeldMemory[], weightOf: (at: number) => number | undefined, limit: number): string[] {
  return others
    .flatMap(({ memory: { id } }, at) => {
      const value = weightOf(at)
      return value === undefined ? [] : [{ id, value }]
    })
    .sort((a, b) => b.value - a.value || compareText(a.id, b.id))
    .slice(0, limit)
    .map(({ id }) => id)
}

function compare(
  identity: string | undefined,
  a: HeldVectors | undefined,
  b: HeldVectors | undefined,
): number | undefined {
  if (identity === undefined || a?.identity !== identity || b?.identity !== identity) return undefined
  if (a.windows.length === 0 || b.windows.length === 0) return undefined
  return Math.min(1, Math.max(...a.windows.flatMap((first) => b.windows.map((second) => dot(first, second)))))
}
