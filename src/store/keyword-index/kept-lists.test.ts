import { describe, expect, it } from 'vitest'
import { KEPT_LIST_NUMBERS } from '../kept-options.ts'
import { KeptLists } from './kept-lists.ts'
import { packEntries } from './posting-codec.ts'

/** Lists of so many memories each, of which the first holds the term as often as it was read. */
function makeLists(memories = 1) {
  const reads = new Map<string, number>()
  const others = packEntries(Array.from({ length: 2 * memories - 2 }, (_, at) => (at % 2 === 0 ? at / 2 + 1 : 1)))
  const readPieces = (terms: readonly string[]): Uint8Array[][] =>
    terms.map((term) => {
      reads.set(term, (reads.get(term) ?? 0) + 1)
      return [...packEntries([0, reads.get(term) ?? 0]), ...others].map(({ bytes }) => bytes)
    })
  return { reads, lists: new KeptLists({ readPieces }) }
}

describe('kept posting lists', () => {
  it('are read once while the store is as it was, however they are asked for', () => {
    const { lists, reads } = makeLists()
    lists.refresh(1)
    lists.fetch(['a', 'b', 'a'])
    for (const term of ['a', 'b', 'c', 'c']) lists.read(term)
    lists.refresh(1)
    lists.fetch(['c', 'a'])
    expect([...reads]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ])
  })

  it('are read again when the store has changed', () => {
    const { lists } = makeLists()
    lists.refresh(1)
    expect([...lists.read('a')]).toEqual([0, 1])
    lists.refresh(2)
    expect([...lists.read('a')]).toEqual([0, 2])
  })

  it('are counted and then read, or read and then counted, by one reading', () => {
    const { lists, reads } = makeLists(3)
    lists.refresh(1)
    expect(lists.count('a')).toBe(3)
    expect([...lists.read('a')]).toEqual([0, 1, 1, 1, 2, 1])
    lists.read('b')
    expect(lists.count('b')).toBe(3)
    expect([...reads.values()]).toEqual([1, 1])
  })

  it('go when there are too many, those first that were not used for longest', () => {
    const { lists, reads } = makeLists(Math.floor(KEPT_LIST_NUMBERS / 4) - 100)
    lists.refresh(1)
    for (const term of ['a', 'b', 'a', 'c', 'd', 'a']) lists.read(term)
    expect(reads.get('a')).toBe(1)
    lists.read('b')
    expect(reads.get('b')).toBe(2)
  })

  describe('of an index that tells of its parts', () => {
    /** Parts by their first ordinals, each with a version. */
    const partsOf = (versions: Record<number, string>) =>
      Object.entries(versions).map(([first, version]) => ({ first: Number(first), version }))
    const pack = (...ordinals: number[]): Uint8Array[] =>
      packEntries(ordinals.flatMap((ordinal) => [ordinal, 1])).map(({ bytes }) => bytes)
    const ordinalsOf = (list: Int32Array): number[] => [...list].filter((_, at) => at % 2 === 0)

    /** Lists that have kept the term `a` of 1 and 3 in a first part and of 12 and 15 in a second one. */
    const makeKept = (): KeptLists => {
      const { lists } = makeLists()
      lists.follow(partsOf({ 1: 'x', 10: 'y' }))
      lists.keep([{ term: 'a', from: 0 }], [[...pack(1, 3), ...pack(12, 15)]])
      return lists
    }

    it('lack nothing while all parts are the same', () => {
      const lists = makeKept()
      lists.follow(partsOf({ 1: 'x', 10: 'y' }))
      expect(lists.findLacking(['a', 'b'])).toEqual([{ term: 'b', from: 0 }])
      expect(ordinalsOf(lists.read('a'))).toEqual([1, 3, 12, 15])
    })

    it('are completed from the first part that is new, that changed or that went', () => {
      const changes = [
        { parts: partsOf({ 1: 'x', 10: 'y', 20: 'z' }), from: 20, pieces: [...pack(21)], is: [1, 3, 12, 15, 21] },
        { parts: partsOf({ 1: 'x', 10: 'y2' }), from: 10, pieces: [...pack(15)], is: [1, 3, 15] },
        { parts: partsOf({ 1: 'x' }), from: 10, pieces: [], is: [1, 3] },
        { parts: partsOf({ 1: 'xy', 20: 'z' }), from: 1, pieces: [...pack(1, 12), ...pack(22)], is: [1, 12, 22] },
      ]
      for (const isRead of [false, true]) {
        for (const { parts, from, pieces, is } of changes) {
          const lists = makeKept()
          if (isRead) lists.read('a')
          lists.follow(parts)
          expect(lists.findLacking(['a'])).toEqual([{ term: 'a', from }])
          lists.keep([{ term: 'a', from }], [pieces])
          expect(lists.count('a')).toBe(is.length)
          expect(ordinalsOf(lists.read('a'))).toEqual(is)
          expect(lists.findLacking(['a'])).toEqual([])
        }
      }
    })

    it('take what a piece has before that for known', () => {
      const lists = makeKept()
      lists.follow(partsOf({ 1: 'x', 10: 'y', 20: 'z' }))
      // The second and the third part were joined while nobody looked.
      lists.keep(lists.findLacking(['a']), [[...pack(12, 15, 21)]])
      expect(ordinalsOf(lists.read('a'))).toEqual([1, 3, 12, 15, 21])
    })
  })
})
