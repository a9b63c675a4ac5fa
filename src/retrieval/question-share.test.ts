import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { questionShare } from './question-share.ts'

describe('questionShare', () => {
  it('is the share of characters in sentences that ask', () => {
    expect(questionShare('Where did you go?')).toBe(1)
    expect(questionShare('I went home.')).toBe(0)
    // 8 of 16 characters.
    expect(questionShare('I know. You too?')).toBeCloseTo(8 / 15, 9)
  })

  it('knows the question marks of other scripts', () => {
    expect(questionShare('你昨天去哪里了？')).toBe(1)
    expect(questionShare('أين ذهبت؟')).toBe(1)
  })

  it('leaves a caption at the end out', () => {
    expect(questionShare('Do you like it? [a red boat]')).toBe(1)
  })

  it('is between 0 and 1 for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = questionShare(text)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
})
