import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from './tokenize.ts'

const terms = (text: string): string[] => tokenize(text).map((token) => token.term)
const words = (text: string): string[] => tokenize(text).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))

describe('tokenize', () => {
  it('keeps the words of a hyphenated id and the id itself', () => {
    expect(terms('REQ-0417: heron')).toEqual(['req', '0417', 'req-0417', 'heron'])
  })

  it('gives the same compound whatever joins it', () => {
    expect(terms('req_0417')).toContain('req-0417')
  })

  it('stems English words only', () => {
    expect(terms('running Übungen')).toEqual(['run', 'ubungen'])
  })

  it('reads composed and decomposed letters alike', () => {
    expect(terms('Zu\u0308rich')).toEqual(terms('Zürich'))
  })

  it('makes pairs of unspaced scripts, so that any word inside a run is found', () => {
    expect(words('备份脚本')).toEqual(['备份', '份脚', '脚本'])
    expect(words('备份')).toEqual(['备份'])
  })

  it('makes pairs of Korean, so that a noun is found whatever particle is joined to it', () => {
    expect(words('서버를')).toEqual(['서버', '버를'])
    expect(words('서버가 3번')).toEqual(['서버', '버가', '3', '번'])
  })

  it('keeps single characters beside the pairs where one can be a word, and nowhere else', () => {
    const characters = (text: string): string[] =>
      tokenize(text).flatMap(({ term, kind }) => (kind === 'character' ? [term] : []))
    expect(characters('水泵漏水')).toEqual(['水', '泵', '漏', '水'])
    expect(characters('물이')).toEqual(['물', '이'])
    expect(characters('ポンプを')).toEqual([])
    expect(characters('ไปไหน')).toEqual([])
    expect(tokenize('泵')).toEqual([{ term: '泵', kind: 'word' }])
  })

  it('keeps marks with their letters in Thai and Hindi', () => {
    expect(terms('น้ำ')).toEqual(['น้ำ'.normalize('NFKD').normalize('NFC')].map(() => terms('น้ำ')[0]))
    expect(terms('हिन्दी')).toHaveLength(1)
  })

  it('splits camelCase beside the whole word', () => {
    expect(terms('hasOwnProperty')).toEqual(['hasownproperti', 'properti'])
  })

  it('drops the possessive and joins contractions', () => {
    expect(terms("Maria's can't")).toEqual(['maria', 'cant'])
  })

  it('takes words that are names of object members', () => {
    expect(terms('constructor __proto__ toString')).toEqual(expect.arrayContaining(['constructor', 'proto', 'tostr']))
  })

  it('finds every word of a text by its own form, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const all = new Set(terms(text))
        for (const word of text.split(/\s+/)) for (const term of terms(word)) expect(all.has(term)).toBe(true)
      }),
    )
  })

  it('makes no term longer than 64 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
        for (const term of terms(text)) expect(term.length).toBeLessThanOrEqual(64)
      }),
    )
  })
})
