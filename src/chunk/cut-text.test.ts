import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

function piecesOf(text: string, limit: number): string[] {
  return cutText(text, () => limit).map(({ from, to }) => text.slice(from, to))
}

describe('cutText', () => {
  it('leaves a text that fits alone', () => {
    expect(piecesOf('short', 5)).toEqual(['short'])
    expect(piecesOf('', 5)).toEqual([''])
  })

  it('prefers a paragraph to a line, a line to a sentence, and a sentence to a space', () => {
    expect(piecesOf('Aa bb. Cc\ndd\n\nEe ff. Gg\nhh', 20)).toEqual(['Aa bb. Cc\ndd\n\n', 'Ee ff. Gg\nhh'])
    expect(piecesOf('Aa bb. Cc dd\nEe ff. Gg hh', 20)).toEqual(['Aa bb. Cc dd\n', 'Ee ff. Gg hh'])
    expect(piecesOf('Aa bb cc dd. Ee ff gg hh', 20)).toEqual(['Aa bb cc dd. ', 'Ee ff gg hh'])
    expect(piecesOf('aaaa bbbb cccc dddd eeee', 20)).toEqual(['aaaa bbbb ', 'cccc dddd eeee'])
  })

  it('cuts sentences of scripts that end them without a space', () => {
    expect(piecesOf('阀门在漏水。我们换了它。泵在运行。一切正常。', 14)).toEqual([
      '阀门在漏水。我们换了它。',
      '泵在运行。一切正常。',
    ])
  })

  it('makes pieces of about equal length rather than a full one and a crumb', () => {
    const lengths = piecesOf('word '.repeat(500), 2000).map((piece) => piece.length)
    expect(lengths).toEqual([1250, 1250])
  })

  it('never cuts a family, a flag or a letter with its accent in two', () => {
    const graphemes = ['👩‍👩‍👧‍👦', '🇨🇭', 'e\u0301', '👍🏽', 'กำ']
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...graphemes), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 16, max: 60 }),
        (parts, limit) => {
          const text = parts.join('')
          const whole = [...segmenter.segment(text)].map(({ segment }) => segment)
          const cut = piecesOf(text, limit).flatMap((piece) =>
            [...segmenter.segment(piece)].map(({ segment }) => segment),
          )
          expect(cut).toEqual(whole)
        },
      ),
    )
  })

  it('cuts a character that is longer than the limit, but no surrogate pair', () => {
    for (const piece of piecesOf(`e${'\u0301'.repeat(50)}`, 10)) expect(piece.length).toBeLessThanOrEqual(10)
    for (const piece of piecesOf('👩‍👩‍👧‍👦'.repeat(3), 4)) expect(/\p{Cs}/u.test(piece)).toBe(false)
  })

  it('covers every text without gap or overlap, within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
        const pieces = piecesOf(text, limit)
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(limit)
      }),
    )
  })
})
