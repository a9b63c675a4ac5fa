import { describe, expect, it } from 'vitest'
import { toUnitVector } from './unit-vector.ts'

describe('toUnitVector', () => {
  it('keeps the direction and sets the length to one', () => {
    expect([...(toUnitVector([3, 0, -4]) ?? [])]).toEqual([Math.fround(0.6), 0, Math.fround(-0.8)])
  })

  it.each([
    ['empty', []],
    ['zero', [0, 0]],
    ['NaN', [1, Number.NaN]],
    ['infinite', [1, Number.NEGATIVE_INFINITY]],
    ['null, as JSON writes NaN', [1, null]],
    ['too large to square', [1e200, 1]],
    ['text', ['1', '0']],
  ])('refuses a vector without direction: %s', (_name, values) => {
    expect(toUnitVector(values)).toBeUndefined()
  })
})
