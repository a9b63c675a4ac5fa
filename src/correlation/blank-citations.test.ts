import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blankCitations } from './blank-citations.ts'

const squeeze = (text: string): string => blankCitations(text).replace(/ +/g, ' ').trim()

describe('blankCitations', () => {
  it.each([
    ['As written in memory/boiler.md, the limit is 5 bar.', ', the limit is 5 bar.'],
    ['The limit is 5 bar (see also [[boiler|the boiler]]).', 'The limit is 5 bar ( ).'],
    ['According to [the log](memory/2026-02-03.md) it is 5 bar.', 'it is 5 bar.'],
    ['Laut boiler.md sind es 5 bar, vgl. notes/a/b.md', 'sind es 5 bar,'],
  ])('takes out where it stands: "%s"', (text, rest) => {
    expect(squeeze(text)).toBe(rest)
  })

  it.each([
    'I see 3/4 of the tank.',
    'See 5/8/2026 and/or later.',
    'The limit of memory/boiler.md is 5 bar.',
    'We oversee notes/a.md now.',
    'See the [boiler] for 5 bar.',
  ])('leaves what is said: "%s"', (text) => {
    expect(blankCitations(text)).toBe(text)
  })

  it('keeps the place of every other character', () => {
    const part = fc.constantFrom(
      'see ',
      'as noted in ',
      'a/b.md',
      '[[x]]',
      '[x](y)',
      '3/4',
      '\n',
      ', ',
      '5 bar',
      '/',
      '[',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const blanked = blankCitations(text)
        expect(blanked).toHaveLength(text.length)
        for (let at = 0; at < text.length; at++) if (blanked[at] !== ' ') expect(blanked[at]).toBe(text[at])
      }),
    )
  })
})
