import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickBest } from './best-ordinals.ts'
import { BestValues } from './best-values.ts'

describe('the values that decide a cut', () => {
  it('leave all that is picked of all, and of each category, and few more', () => {
    // Few different values, so that many are tied with the last one that is picked.
    const memory = fc.record({ value: fc.integer({ min: -5, max: 30 }), category: fc.constantFrom(0, 1) })
    fc.assert(
      fc.property(fc.array(memory, { maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (memories, limit) => {
        const cut = new BestValues(limit)
        const passed = memories.filter(({ value, category }) => {
          if (value < (cut.floors[category] ?? 0)) return false
          cut.add(value, category)
          return true
        })
        const left = passed.filter(({ value, category }) => value >= (cut.floors[category] ?? 0))
        const quota = Math.ceil(limit / 4)
        expect(pick(left, limit)).toEqual(pick(memories, limit))
        for (const category of [0, 1]) {
          const isOf = (one: { category: number }): boolean => one.category === category
          expect(pick(left.filter(isOf), quota)).toEqual(pick(memories.filter(isOf), quota))
          const least = Math.min(...pick(memories, limit), ...pick(memories.filter(isOf), quota))
          const isFull = memories.length >= limit && memories.filter(isOf).length >= quota
          if (isFull) expect(left.filter(isOf).every(({ value }) => value >= least)).toBe(true)
        }
      }),
    )
  })
})

/** The values of the best, best first. */
function pick(memories: ReadonlyArray<{ value: number }>, limit: number): number[] {
  const ordinals = Int32Array.from(memories, (_, at) => at)
  const keys = [Float64Array.from(memories, ({ value }) => value)]
  const picked = pickBest({ ordinals, keys }, limit, () => new Map())
  return picked.map((at) => memories[at]?.value ?? 0).sort((a, b) => b - a)
}
