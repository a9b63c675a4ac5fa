import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alignColumns,
  cleanForTerminal,
  cleanLine,
  displayWidth,
  shortenText,
  stringifySafely,
  wrapLine,
} from './terminal-text.ts'

describe('cleanForTerminal', () => {
  it('removes escape sequences whole: colours, titles, links, cursor moves', () => {
    expect(cleanForTerminal('a\u001b[31mred\u001b[0m b')).toBe('ared b')
    expect(cleanForTerminal('x\u001b]0;owned\u0007y\u001b]8;;http://e.test\u001b\\z')).toBe('xyz')
    expect(cleanForTerminal('up\u001b[2A\u001b[2Kgone')).toBe('upgone')
  })

  it('removes control characters and reordering marks, and keeps lines, tabs and other scripts', () => {
    expect(cleanForTerminal('a\u0000\u0008\u009bb\u202ec\u2066d\u007f')).toBe('abcd')
    expect(cleanForTerminal('é\t東京\r\n👩‍🔧\rend')).toBe('é\t東京\n👩‍🔧\nend')
  })

  it('leaves no control character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanForTerminal(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        expect(cleanLine(text)).not.toMatch(/[\n\t]/)
      }),
    )
  })
})

describe('stringifySafely', () => {
  it('is the same value, and nothing in it acts on a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = stringifySafely({ text })
        expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(JSON.parse(json)).toEqual({ text })
      }),
    )
    expect(stringifySafely('\u009b31m\u202e')).toBe('"\\u009b31m\\u202e"')
  })
})

describe('layout', () => {
  it('counts columns, not characters', () => {
    expect(displayWidth('東京')).toBe(4)
    expect(displayWidth('cafe\u0301')).toBe(4)
    expect(displayWidth('\u001b[1mbold\u001b[22m')).toBe(4)
  })

  it('aligns columns whatever the script', () => {
    expect(
      alignColumns([
        ['東京', 'x'],
        ['abcdef', 'y'],
      ]),
    ).toEqual(['東京    x', 'abcdef  y'])
    expect(
      alignColumns(
        [
          ['a', '1'],
          ['b', '10'],
        ],
        [1],
      ),
    ).toEqual(['a   1', 'b  10'])
  })

  it('wraps without losing a word, and cuts only words that are too long', () => {
    expect(wrapLine('one two three four', 9)).toEqual(['one two', 'three', 'four'])
    expect(wrapLine('東京都庁舎', 4)).toEqual(['東京', '都庁', '舎'])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 20 }), (line, width) => {
        const lines = wrapLine(line, width)
        expect(lines.join('').replace(/ /g, '')).toBe(line.replace(/ /g, ''))
        for (const part of lines) expect(displayWidth(part)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('shortens with an ellipsis within the width', () => {
    expect(shortenText('short', 10)).toBe('short')
    expect(shortenText('the heron pump runs on 24 V', 16)).toBe('the heron pump…')
    expect(displayWidth(shortenText('東京都庁舎の会議', 8))).toBeLessThanOrEqual(8)
  })

  it('leaves characters of several code points whole', () => {
    expect(shortenText('crew 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 9)).toBe('crew 👨‍👩‍👧‍👦…')
    expect(wrapLine('🇨🇭🇫🇷🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽', 4)).toEqual(['🇨🇭🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽'])
  })
})
