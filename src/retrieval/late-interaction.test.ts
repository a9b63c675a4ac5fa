import { describe, expect, it } from 'vitest'
import type { Memory } from '../model/memory.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import type { MemoryStore, WordsMet } from '../store/memory-store.ts'
import { createTokenScan } from '../store/vector-scan/token-scan.ts'
import { makeMemory } from '../testing/make-memory.ts'
import type { FusedCandidate } from './fuse.ts'
import { rerankByTokens } from './late-interaction.ts'

const WEIGHTS = { vector: 0.35, keyword: 0.55, header: 0.05, filepath: 0.05 }
const EAST = [127, 0]
const NORTH = [0, 127]

function candidate(id: string, fused: number, category: Memory['category'] = 'memory'): FusedCandidate {
  return {
    candidate: { memory: { ...makeMemory({ id }), category }, text: 0, window: 0, document: 0, matched: [] },
    signals: { vector: 0, keyword: 0, header: 0, filepath: 0 },
    relative: { keyword: 0, vector: 0 },
    coverage: 0,
    windowCoverage: 0,
    matchedTerms: [],
    weights: WEIGHTS,
    boosts: [],
    fused,
  }
}

/** A store that knows word vectors and nothing else. */
function storeOf(words: Record<string, Array<[offset: number, ...words: number[][]]>>): MemoryStore {
  const scan = createTokenScan({ noNative: true })
  const compareWords: MemoryStore['compareWords'] = async (query, ids, { before, after } = { before: 0, after: 0 }) =>
    new Map(
      Object.entries(words)
        .filter(([id]) => ids.includes(id))
        .map(([id, list]): [string, WordsMet[]] => [
          id,
          list
            .filter(([offset]) => offset >= -before && offset <= after)
            .map(([offset, ...vectors]) => ({
              offset,
              best: scan(query, [Int8Array.from(vectors.flat())])[0] ?? new Float32Array(0),
            })),
        ]),
    )
  return Object.assign(createInMemoryStore(), { compareWords })
}

const query = (...words: number[][]) => ({
  identity: 'test',
  tokens: { dimensions: 2, vectors: Int8Array.from(words.flat()), weights: Float32Array.from(words, () => 1) },
})
const idsOf = (ranked: readonly FusedCandidate[]) => ranked.map(({ candidate: { memory } }) => memory.id)

describe('late interaction', () => {
  it('lifts what meets each word of the query above what meets one of them', async () => {
    const store = storeOf({ one: [[0, EAST, EAST]], both: [[0, EAST, NORTH]] })
    const ranked = await rerankByTokens(store, [candidate('one', 0.6), candidate('both', 0.55)], query(EAST, NORTH))
    expect(idsOf(ranked)).toEqual(['both', 'one'])
    expect(ranked[0]?.boosts).toEqual([
      expect.objectContaining({ name: 'words', reason: 'words met with a cosine of 1.00' }),
    ])
    expect(ranked[0]?.fused).toBeCloseTo(0.55 + 0.3)
    expect(ranked[1]?.fused).toBeCloseTo(0.6)
  })

  it('lets a turn of a talk be met through the turn before it, and a section of a note by itself alone', async () => {
    const words: Parameters<typeof storeOf>[0] = {
      answer: [
        [-1, NORTH],
        [0, EAST],
      ],
      other: [[0, EAST]],
    }
    const rank = (category: Memory['category']) =>
      rerankByTokens(
        storeOf(words),
        [candidate('other', 0.6, category), candidate('answer', 0.55, category)],
        query(EAST, NORTH),
      )
    expect(idsOf(await rank('sessions'))).toEqual(['answer', 'other'])
    expect(idsOf(await rank('memory'))).toEqual(['other', 'answer'])
  })

  it('leaves the order alone where fewer than two have word vectors', async () => {
    const ranked = [candidate('one', 0.6), candidate('two', 0.5)]
    expect(await rerankByTokens(storeOf({ two: [[0, EAST]] }), ranked, query(EAST))).toEqual(ranked)
    expect(await rerankByTokens(storeOf({}), ranked, query(EAST))).toEqual(ranked)
  })

  it('keeps the sum under the boosts that a candidate already has', async () => {
    const boosted = { ...candidate('both', 0.9), boosts: [{ name: 'time', factor: 3, reason: 'of that day' }] }
    const store = storeOf({ one: [[0, EAST]], both: [[0, EAST, NORTH]] })
    const [first] = await rerankByTokens(store, [boosted, candidate('one', 0.6)], query(EAST, NORTH))
    expect(first?.fused).toBeCloseTo((0.3 + 0.3) * 3)
  })

  it('compares no memory again that an earlier search of the same words has compared, and ranks as if it had', async () => {
    const store = storeOf({ one: [[0, EAST, EAST]], both: [[0, EAST, NORTH]], new: [[0, NORTH]] })
    const asked: string[][] = []
    const watched = Object.assign(storeOf({}), {
      compareWords: (...given: Parameters<MemoryStore['compareWords']>) => {
        asked.push([...given[1]])
        return store.compareWords(...given)
      },
    })
    const met = new Map<string, readonly WordsMet[]>()
    await rerankByTokens(watched, [candidate('one', 0.6), candidate('both', 0.55)], { ...query(EAST, NORTH), met })
    const again = [candidate('one', 0.6), candidate('new', 0.58), candidate('both', 0.55)]
    const ranked = await rerankByTokens(watched, again, { ...query(EAST, NORTH), met })
    expect(asked).toEqual([['one', 'both'], ['new']])
    expect(ranked).toEqual(await rerankByTokens(store, again, query(EAST, NORTH)))
  })
})
