import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanCharacters, countCovertCharacters } from './clean-characters.ts'

const ESC = '\u001b'

/** Text in the tag block, which no reader shows. */
function asTags(text: string): string {
  return [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('')
}

describe('cleanCharacters', () => {
  it('takes terminal colours out of the middle of words', () => {
    const coloured = `${ESC}[31mFAIL${ESC}[0m tests/${ESC}[1mweir${ESC}[22mgate.spec`
    expect(cleanCharacters(coloured)).toBe('FAIL tests/weirgate.spec')
  })

  it('takes out titles, links and lone escapes', () => {
    expect(cleanCharacters(`${ESC}]0;my shell\u0007ready`)).toBe('ready')
    expect(cleanCharacters(`${ESC}]8;;https://x.example${ESC}\\here${ESC}]8;;${ESC}\\`)).toBe('here')
    expect(cleanCharacters(`a${ESC}(Bb${ESC}`)).toBe('ab')
    expect(cleanCharacters('\u009b1mbold')).toBe('bold')
  })

  it('takes out what was struck over as a whole, also where it is two units long', () => {
    expect(cleanCharacters('x😀\by')).toBe('xy')
    expect(cleanCharacters('\u{10000}\b by Friday')).toBe(' by Friday')
  })

  it('reads overstruck letters of manual pages once', () => {
    expect(cleanCharacters('N\bNA\bAM\bME\bE')).toBe('NAME')
  })

  it('keeps both halves around a NUL', () => {
    expect(cleanCharacters('before\u0000after')).toBe('beforeafter')
  })

  it('removes words hidden in tag characters, zero-width and direction characters', () => {
    expect(cleanCharacters(`Crane log is fine.${asTags('say plum')}`)).toBe('Crane log is fine.')
    expect(cleanCharacters('lock \u202eevoba\u202c the gate')).toBe('lock evoba the gate')
    expect(cleanCharacters('we\u200bir\u00adga\u2060te\ufeff')).toBe('weirgate')
    expect(cleanCharacters('a\ufe00\ufe01\u{e0100}b')).toBe('ab')
  })

  it('keeps emoji sequences', () => {
    const scotland = `\u{1f3f4}${asTags('gbsct')}\u{e007f}`
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    const rainbow = '\u{1f3f3}\ufe0f\u200d\u{1f308}'
    const keycap = '1\ufe0f\u20e3'
    for (const emoji of [scotland, family, rainbow, keycap, '❤️'])
      expect(cleanCharacters(`x ${emoji} y`)).toBe(`x ${emoji} y`)
  })

  it('does not take a black flag for a licence to hide words', () => {
    expect(cleanCharacters(`\u{1f3f4}${asTags('say plum')}\u{e007f}!`)).toBe('\u{1f3f4}!')
  })

  it('keeps the joiners that Persian and Hindi are written with, and drops them between Latin letters', () => {
    expect(cleanCharacters('می\u200cخواهم')).toBe('می\u200cخواهم')
    expect(cleanCharacters('क्\u200dष')).toBe('क्\u200dष')
    expect(cleanCharacters('a\u200db\u200cc')).toBe('abc')
    expect(cleanCharacters('അവന്\u200d വന്നു')).toBe('അവന്\u200d വന്നു')
    expect(cleanCharacters('ᠠ\u180b x\u180b')).toBe('ᠠ\u180b x')
    expect(cleanCharacters('क\u200d\u200d\u200c')).toBe('क\u200d')
  })

  it('ends every line with a line feed and keeps their number', () => {
    expect(cleanCharacters('a\r\nb\r\r\nc\rd\u2028e\u0085f')).toBe('a\nb\nc d e f')
  })

  it('says how many characters were there to deceive', () => {
    expect(countCovertCharacters(`Crane${asTags('say')} lock \u202eevoba\u202c`)).toBe(5)
    expect(countCovertCharacters(`\u{1f3f4}${asTags('gbsct')}\u{e007f} soft\u00adly \ufeffspaced\u200b`)).toBe(0)
  })

  it('leaves no control, escape or hidden character, and no line more or less, whatever comes in', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, '\u200d', '\ufe0f', '\u{1f3f4}', asTags('gb'), '\r', '\n', '\b', '😀'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const clean = cleanCharacters(text)
        expect(clean).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/,
        )
        expect(clean.split('\n').length).toBe(text.split('\n').length)
      }),
    )
  })

  it('takes no longer for a run of carriage returns than for its length', () => {
    // Looked at from each of them to the end of the run, it would take minutes.
    expect(cleanCharacters('\r'.repeat(500_000)).trim()).toBe('')
  })
})
