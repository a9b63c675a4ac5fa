import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Memory } from '../model/memory.ts'
import type { Hit } from '../model/search.ts'
import { bringOutcomes } from './bring-outcomes.ts'

function makeHit(position: number, role: Memory['role'], text: string, path = 'sessions/a.jsonl'): Hit {
  const place = { root: '/made', path, position, startLine: position, endLine: position }
  return { memory: { id: `${path} ${position}`, role, text, place }, score: 0.9, explanation: {} } as unknown as Hit
}

const positions = (hits: readonly Hit[]): number[] => hits.map(({ memory }) => memory.place.position)

describe('bringOutcomes', () => {
  it('puts what came of a call behind it, every result of several', () => {
    const call = makeHit(4, 'assistant', 'Measuring.\n[tool] exec: gauge show')
    const [first, second] = [makeHit(5, 'tool', '2.31 m'), makeHit(6, 'tool', 'ok')]
    expect(positions(bringOutcomes([call, makeHit(1, 'user', 'again please'), second, first]))).toEqual([4, 5, 6, 1])
  })

  it('moves no other output: of another session, behind a gap, of a turn that ran nothing, or found before its call', () => {
    const call = makeHit(4, 'assistant', '[tool] exec: gauge show')
    const said = makeHit(8, 'assistant', 'It shows 2.31 m.')
    const others = [makeHit(5, 'tool', 'x', 'sessions/b.jsonl'), makeHit(6, 'tool', 'y'), makeHit(9, 'tool', 'z')]
    const hits = [call, said, makeHit(1, 'user', 'a'), ...others]
    expect(bringOutcomes(hits)).toEqual(hits)
    const before = [makeHit(5, 'tool', '2.31 m'), call]
    expect(bringOutcomes(before)).toEqual(before)
  })

  it('keeps every hit once, and the order of those that are no outcome', () => {
    const one = fc.record({
      position: fc.nat(12),
      role: fc.constantFrom('user', 'assistant', 'tool'),
      calls: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ position }) => position }), (list) => {
        const hits = list.map(({ position, role, calls }) =>
          makeHit(position, role as Memory['role'], calls ? '[tool] x' : 'x'),
        )
        const brought = bringOutcomes(hits)
        expect(new Set(brought)).toEqual(new Set(hits))
        expect(brought).toHaveLength(hits.length)
        const isOther = ({ memory }: Hit): boolean => memory.role !== 'tool'
        expect(brought.filter(isOther)).toEqual(hits.filter(isOther))
      }),
    )
  })
})
