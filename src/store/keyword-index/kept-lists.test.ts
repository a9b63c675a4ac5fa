import { describe, expect, it } from 'vitest'
import { KEPT_LIST_NUMBERS } from '../kept-options.ts'
import { KeptLists } from './kept-lists.ts'

/** Lists of so many numbers each, which begin with how often the term was read. */
function makeLists(numbers = 2) {
  const reads = new Map<string, number>()
  const readAll = (terms: readonly string[]): Int32Array[] =>
    terms.map((term) => {
      reads.set(term, (reads.get(term) ?? 0) + 1)
      return new Int32Array(numbers).fill(reads.get(term) ?? 0, 0, 1)
    })
  const read = (term: string): Int32Array => readAll([term])[0] ?? new Int32Array(0)
  return { reads, lists: new KeptLists({ readAll, read, count: () => 99 }) }
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
    expect(lists.read('a')[0]).toBe(1)
    lists.refresh(2)
    expect(lists.read('a')[0]).toBe(2)
  })

  it('are counted without reading where they are known', () => {
    const { lists } = makeLists(6)
    lists.refresh(1)
    expect(lists.count('a')).toBe(99)
    lists.read('a')
    expect(lists.count('a')).toBe(3)
  })

  it('go when there are too many, those first that were not used for longest', () => {
    const { lists, reads } = makeLists(Math.floor(KEPT_LIST_NUMBERS / 2) - 100)
    lists.refresh(1)
    for (const term of ['a', 'b', 'a', 'c', 'd', 'a']) lists.read(term)
    expect(reads.get('a')).toBe(1)
    lists.read('b')
    expect(reads.get('b')).toBe(2)
  })
})
