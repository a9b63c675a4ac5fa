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
})
