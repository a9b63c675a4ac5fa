import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWindows } from './split-windows.ts'

describe('splitWindows', () => {
  it('leaves a text alone that fits', () => {
    expect(splitWindows('twelve chars', 12)).toEqual(['twelve chars'])
  })

  it('cuts at white space where there is some near', () => {
    expect(splitWindows('alpha beta gamma delta', 12)).toEqual(['alpha beta ', 'gamma delta'])
  })

  it('cuts a text without spaces into even pieces', () => {
    expect(splitWindows('x'.repeat(30), 20).map((window) => window.length)).toEqual([15, 15])
  })

  it('gives windows that are short enough, join to the text and keep every character whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
        const windows = splitWindows(text, limit)
        expect(windows.join('')).toBe(text)
        for (const window of windows) expect(window.length).toBeLessThanOrEqual(limit)
        if (!/\p{Surrogate}/u.test(text)) for (const window of windows) expect(window).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })
})
