import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankPages } from './page-rank.ts'

describe('the rank of memories around some', () => {
  it('is the share of visits of a walk that starts from them, as worked out by hand for two', () => {
    // r0 = 0.15 + 0.85 r1 and r1 = 0.85 r0.
    const [first = 0, second = 0] = rankPages(2, [{ a: 0, b: 1, weight: 0.3 }], [0])
    expect(first).toBeCloseTo(0.15 / (1 - 0.85 ** 2), 8)
    expect(second).toBeCloseTo(0.85 * first, 8)
  })

  it('goes where the weight is', () => {
    const edges = [
      { a: 0, b: 1, weight: 0.9 },
      { a: 0, b: 2, weight: 0.1 },
    ]
    const [, strong = 0, weak = 0] = rankPages(3, edges, [0])
    expect(strong).toBeCloseTo(9 * weak, 8)
  })

  it('adds up to 1 for any graph, is never negative, and is nothing where the walk cannot come', () => {
    const edge = fc.record({ a: fc.nat(7), b: fc.nat(7), weight: fc.constantFrom(0, 1e-9, 0.2, 1) })
    fc.assert(
      fc.property(fc.array(edge), fc.array(fc.nat(6)), (edges, start) => {
        const ranks = rankPages(9, edges, start)
        expect(ranks.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
        expect(ranks.every((one) => one >= 0)).toBe(true)
        if (start.length > 0) expect(ranks[8]).toBe(0)
      }),
    )
    expect(rankPages(0, [], [])).toHaveLength(0)
  })
})
