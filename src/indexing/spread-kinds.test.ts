import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Source } from '../source/source.ts'
import type { Work } from './read-writes.ts'
import { spreadKinds } from './spread-kinds.ts'

const work = (kind: Source['kind'], path: string, bytes: number): Work =>
  ({ source: { kind }, entry: { path, bytes }, mark: '', known: undefined }) as unknown as Work
const pathsOf = (list: readonly Work[]): string[] => list.map(({ entry }) => entry.path)

describe('spreadKinds', () => {
  it('lets both kinds of files come to their ends together', () => {
    const notes = ['a', 'b', 'c', 'd'].map((path) => work('markdown', path, 10))
    const sessions = ['x', 'y'].map((path) => work('claude-code', path, 1000))
    expect(pathsOf(spreadKinds([...notes, ...sessions]))).toEqual(['a', 'x', 'b', 'c', 'y', 'd'])
  })

  it('leaves out no file, doubles none, and keeps the order within a kind', () => {
    const kinds = fc.constantFrom<Source['kind']>('markdown', 'claude-code')
    const files = fc.array(fc.record({ kind: kinds, bytes: fc.nat(1_000_000) }), { maxLength: 60 })
    fc.assert(
      fc.property(files, (list) => {
        const all = list.map(({ kind, bytes }, index) => work(kind, String(index), bytes))
        const spread = spreadKinds(all)
        for (const kind of ['markdown', 'claude-code']) {
          const own = (some: readonly Work[]) => pathsOf(some.filter(({ source }) => source.kind === kind))
          expect(own(spread)).toEqual(own(all))
        }
        expect(spread).toHaveLength(all.length)
      }),
    )
  })
})
