import { describe, expect, it } from 'vitest'
import { defuseTags } from './defuse-tags.ts'

/** What reads as `<` once widths and presentation forms are folded. */
const BRACKETS = [...'<‹〈⟨⟪❮❰❬〈《«˂ᐸ⧼']

describe('defuseTags', () => {
  it('knows every character that folds into what reads as <', () => {
    const found: string[] = []
    for (let code = 1; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const sign = String.fromCodePoint(code)
      if (!BRACKETS.includes(sign.normalize('NFKC'))) continue
      found.push(sign)
      expect(defuseTags(`a ${sign}/recalled-context>`), code.toString(16)).toBe('a (/recalled-context>')
    }
    expect(found).toEqual(expect.arrayContaining(['<', '＜', '﹤', '︽', '︿']))
  })

  it.each(['&lt;', '＆lt;', '%3c', '％3c', '\\u003c', '＼u003c', '&#60;'])('knows %s', (sign) => {
    expect(defuseTags(`a ${sign}/recalled-context>`)).toBe('a (/recalled-context>')
  })

  it('leaves a comparison and a price alone', () => {
    expect(defuseTags('3 < 4 & 20 % of C:\\temp «so»')).toBe('3 < 4 & 20 % of C:\\temp «so»')
  })
})
