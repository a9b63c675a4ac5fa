import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutGraphemes, ellipsize, graphemeBoundary, graphemesOf } from './cut-graphemes.ts'

const FAMILY = '👨‍👩‍👧‍👦'
const SCOTLAND = '🏴󠁧󠁢󠁳󠁣󠁴󠁿'
const WHOLE = [FAMILY, SCOTLAND, '🇨🇭', '👍🏽', '❤️‍🔥', 'e\u0301', '각', 'क्षि', '\r\n', '𠮷', '1️⃣']

describe('cutting a text', () => {
  it.each(WHOLE)('leaves %j whole, wherever the cut would fall', (character) => {
    for (const before of ['', 'ab ', '🇨🇭🇫🇷', '漢字']) {
      const text = `${before}${character}z`
      const [from, to] = [before.length, before.length + character.length]
      for (let at = from + 1; at < to; at++) {
        if (from > 0) expect([before, at, graphemeBoundary(text, at)]).toEqual([before, at, from])
      }
      expect([graphemeBoundary(text, from), graphemeBoundary(text, to)]).toEqual([from, to])
      expect(cutGraphemes(text, to)).toBe(before + character)
    }
  })

  it('says where something is left out, within its length', () => {
    expect(ellipsize(`the crew ${FAMILY} sails`, 14)).toBe('the crew…')
    expect(ellipsize('the crew', 8)).toBe('the crew')
    expect(ellipsize('the crew sails', 10)).toBe('the crew…')
  })

  it('gives something of a character that is longer than the cut, and never half a pair', () => {
    const marks = `e${'\u0301'.repeat(500)}`
    expect(cutGraphemes(marks, 50)).toHaveLength(50)
    expect(cutGraphemes(FAMILY, 4)).toBe('👨‍')
    expect(cutGraphemes(`a${'👍'.repeat(200)}`, 100).isWellFormed()).toBe(true)
  })

  it('ends where a character ends, in any text, and leaves out no more than one', () => {
    const part = fc.oneof(fc.constantFrom(...WHOLE, ' ', 'word', '漢'), fc.string({ unit: 'grapheme', maxLength: 4 }))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(80), (parts, at) => {
        const text = parts.join('').toWellFormed()
        const ends = new Set<number>([0])
        for (const one of graphemesOf(text)) ends.add(Math.max(...ends) + one.length)
        const cut = graphemeBoundary(text, at)
        expect(cut).toBeLessThanOrEqual(Math.max(at, 0))
        const first = graphemesOf(text)[0]?.length ?? 0
        if (at >= first) expect(cut).toBe(Math.max(...[...ends].filter((end) => end <= at)))
      }),
      { numRuns: 500 },
    )
  })
})
