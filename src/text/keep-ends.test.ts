import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepEnds } from './keep-ends.ts'

describe('keepEnds', () => {
  it('keeps a short text whole, and both ends of a long one', () => {
    expect(keepEnds('abcdefg', 7)).toBe('abcdefg')
    expect(keepEnds('abcdefgh', 7)).toBe('abc\nfgh')
  })

  it('never cuts a character in two', () => {
    expect(keepEnds('🦉🦉🦉🦉', 7)).toBe('🦉\n🦉')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.integer({ min: 3, max: 50 }), (text, max) => {
        const kept = keepEnds(text, max)
        expect(kept.length).toBeLessThanOrEqual(Math.max(max, 3))
        if (text.isWellFormed()) expect(kept.isWellFormed()).toBe(true)
      }),
    )
  })
})
