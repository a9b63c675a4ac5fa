import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SEGMENT_FAN_IN, SEGMENT_MAX_MEMORIES } from '../../options.ts'
import { chooseMerge, type Segment } from '../keyword-index/choose-merge.ts'
import { Connection } from './connection.ts'
import { loadSqlite } from './database.ts'
import { MIGRATIONS } from './migrations.ts'
import { PostingIndex } from './posting-index.ts'

let connection: Connection
let index: PostingIndex

beforeEach(async () => {
  connection = new Connection((await loadSqlite()).open(':memory:', { readOnly: false }), 'memory')
  connection.exec(MIGRATIONS[0] ?? '')
  index = new PostingIndex(connection)
})
afterEach(() => connection.close())

/** Memories with terms: every one holds "common"; the other terms come round again after a while. */
function makeMemories(from: number, count: number): Map<number, Map<string, number>> {
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const ordinal = from + at
      const terms = [
        ['common', (ordinal % 3) + 1],
        [`often ${ordinal % 7}`, 1],
        [`rare ${ordinal % 211}`, 2],
      ] as const
      return [ordinal, new Map<string, number>([...terms, [`own ${ordinal} 𝒜${ordinal % 5}`, 300]])]
    }),
  )
}

function add(memories: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
  const draft = index.createDraft()
  for (const [ordinal, frequencies] of memories) draft.addTerms(ordinal, frequencies)
  index.add(draft)
}

function remove(memories: ReadonlyMap<number, ReadonlyMap<string, number>>, ordinals: readonly number[]): void {
  index.remove(
    ordinals.map((ordinal) => {
      const terms = [...(memories.get(ordinal)?.keys() ?? [])]
      return { ordinal, terms, termCount: terms.length }
    }),
  )
}

/** The lists as they must be: ordinal, frequency, ordinal, frequency, … */
function invert(memories: ReadonlyMap<number, ReadonlyMap<string, number>>): Map<string, number[]> {
  const lists = new Map<string, number[]>()
  for (const [ordinal, frequencies] of memories) {
    for (const [term, frequency] of frequencies) lists.set(term, [...(lists.get(term) ?? []), ordinal, frequency])
  }
  return lists
}

function expectIndexOf(memories: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
  const lists = invert(memories)
  for (const [term, list] of lists) expect([...index.read(term)]).toEqual(list)
  const seen = new Map<string, number[]>()
  index.scan((term, entries) => seen.set(term, [...(seen.get(term) ?? []), ...entries]))
  expect(seen).toEqual(lists)
}

const count = (table: string): number => Number(connection.sql(`SELECT count(*) AS n FROM ${table}`).get()?.n)

describe('PostingIndex', () => {
  it('gives back what was added, long lists and terms of any script too', () => {
    const memories = makeMemories(1, 1500)
    add(memories)
    expectIndexOf(memories)
    expect(count('posting_block')).toBeGreaterThan(1)
    expect([...index.read('unknown')]).toEqual([])
    expect([...index.read('')]).toEqual([])
    expect([...index.read('zzz')]).toEqual([])
  })

  it('keeps the same lists whatever is merged and removed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 60 }), gone: fc.array(fc.nat(400), { maxLength: 6 }) }), {
          minLength: 1,
          maxLength: 30,
        }),
        (steps) => {
          index.clear()
          const memories = new Map<number, Map<string, number>>()
          let next = 1
          for (const { size, gone } of steps) {
            const added = makeMemories(next, size)
            add(added)
            for (const [ordinal, terms] of added) memories.set(ordinal, terms)
            next += size
            const present = [...new Set(gone)].filter((ordinal) => memories.has(ordinal)).sort((a, b) => a - b)
            remove(memories, present)
            for (const ordinal of present) memories.delete(ordinal)
            while (index.mergeNext());
          }
          expectIndexOf(memories)
          expect(count('segment')).toBeLessThan(3 * SEGMENT_FAN_IN)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('gives back what was added after more words than it remembers', () => {
    const wordsOf = (from: number): Map<string, number> =>
      new Map(Array.from({ length: 30_000 }, (_, at) => [`word ${from + at}`, 1]))
    for (let n = 0; n < 4; n++) add(new Map([[n + 1, new Map([...wordsOf(n * 20_000), ['common', n + 1]])]]))
    expect([...index.read('common')]).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
    expect([...index.read('word 0')]).toEqual([1, 1])
    expect([...index.read('word 25000')]).toEqual([1, 1, 2, 1])
    expect([...index.read('word 89999')]).toEqual([4, 1])
  })

  it('leaves no row when all is removed, one by one', () => {
    const memories = makeMemories(1, 600)
    add(memories)
    for (const ordinal of memories.keys()) remove(memories, [ordinal])
    for (const table of ['segment', 'posting_page', 'posting_block']) expect(count(table)).toBe(0)
  })

  it('keeps no removed word, not even as the key of a page', () => {
    const memories = new Map([
      [1, new Map([['aardvark', 1]])],
      [2, new Map([['heron', 1]])],
    ])
    add(memories)
    remove(memories, [1])
    expect(connection.sql('SELECT term FROM posting_page').all()).toMatchObject([{ term: 'heron' }])
  })
})

describe('chooseMerge', () => {
  const segments = (...sizes: number[]): Segment[] =>
    sizes.map((memories, id) => ({ id, first: id * 100_000, last: id * 100_000 + memories, memories }))
  const sizesOf = (chosen: readonly Segment[]): number[] => chosen.map(({ memories }) => memories)

  it('leaves few segments alone', () => {
    expect(chooseMerge([])).toEqual([])
    expect(chooseMerge(segments(1, 1, 1, 1, 1, 1, 1))).toEqual([])
  })

  it('joins neighbours of one size', () => {
    expect(sizesOf(chooseMerge(segments(5000, 1, 2, 1, 1, 3, 1, 1, 1)))).toEqual([1, 2, 1, 1, 3, 1, 1, 1])
  })

  it('does not write a large segment again for little', () => {
    expect(chooseMerge(segments(60_000, 1, 1, 1, 1, 1, 1, 1))).toEqual([])
    expect(chooseMerge(segments(1, 1, 1, 1, 60_000, 1, 1, 1, 1))).toEqual([])
  })

  it('never goes beyond the largest size', () => {
    const sizes = Array.from({ length: 40 }, () => 9000)
    const chosen = sizesOf(chooseMerge(segments(...sizes)))
    expect(chosen).toEqual([])
    const small = Array.from({ length: 40 }, () => 4000)
    expect(sizesOf(chooseMerge(segments(...small)))).toEqual([4000, 4000, 4000, 4000])
  })

  it('fills a segment with few when more would not fit', () => {
    const batches = Array.from({ length: SEGMENT_FAN_IN }, () => 2100)
    expect(sizesOf(chooseMerge(segments(...batches)))).toEqual(batches.slice(1))
    expect(chooseMerge(segments(...batches.slice(1)))).toEqual([])
    expect(chooseMerge(segments(SEGMENT_MAX_MEMORIES - 10, 5, 5, 5))).toEqual([])
  })

  it('keeps the number of segments and the work small, whatever the sizes of writes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3000 })), {
          minLength: 200,
          maxLength: 400,
        }),
        (writes) => {
          let list: Segment[] = []
          let written = 0
          let total = 0
          for (const [at, memories] of writes.entries()) {
            total += memories
            list.push({ id: at, first: at, last: at, memories })
            for (let due = chooseMerge(list); due.length > 0; due = chooseMerge(list)) {
              const size = due.reduce((sum, segment) => sum + segment.memories, 0)
              written += size
              const from = list.indexOf(due[0] as Segment)
              list = [
                ...list.slice(0, from),
                { ...(due[0] as Segment), memories: size },
                ...list.slice(from + due.length),
              ]
            }
          }
          expect(list.length).toBeLessThan(60 + total / 9000)
          expect(written).toBeLessThan(8 * total)
        },
      ),
      { numRuns: 20 },
    )
  })
})
