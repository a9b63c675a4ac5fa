import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differInFact } from './fact-difference.ts'
import { toNormalForm } from './normal-form.ts'
import { tokenize } from './tokenize.ts'

const WORDS = (
  'boiler cellar pressure gasket harbour ledger orchard tram ferry invoice notary lantern quarry saddle turbine willow ' +
  'ölofen señal straße naïve été мост насос δρόμος'
).split(' ')
const word = fc.constantFrom(...WORDS)
const sentence = fc.array(word, { minLength: 4, maxLength: 12 }).map((words) => words.join(' '))
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 5 })

/** Ways to write the same sentences otherwise. */
const FORMS: Record<string, (sentences: readonly string[]) => string> = {
  stops: (sentences) => `${sentences.join('. ')}.`,
  'no stops': (sentences) => sentences.join(' '),
  commas: (sentences) => sentences.join(', '),
  lines: (sentences) => sentences.join('.\n'),
  bullets: (sentences) => sentences.map((one) => `- ${one}`).join('\n'),
  stars: (sentences) => sentences.map((one) => `* ${one};`).join('\n'),
  heading: (sentences) => `## ${sentences.join('\n\n')}`,
  quoted: (sentences) => sentences.map((one) => `> ${one}`).join('\n'),
  'quotation marks': (sentences) => sentences.map((one) => `“${one}”`).join(' '),
  bold: (sentences) => sentences.map((one) => `**${one}**`).join(' '),
  'first letters': (sentences) => sentences.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join('! '),
  'small letters': (sentences) => sentences.join('. ').toLowerCase(),
  'wide spaces': (sentences) => ` ${sentences.join('.  ').replaceAll(' ', '\u00a0 ')}\t`,
  courtesy: (sentences) => `FYI: ${sentences.join('. ')}`,
  articles: (sentences) => sentences.map((one) => `the ${one}`).join('. '),
  decomposed: (sentences) => sentences.join('. ').normalize('NFD'),
}
const form = fc.constantFrom(...Object.values(FORMS))

/** Pairs of which one in the place of the other is another fact. */
const FACTS: ReadonlyArray<readonly [string, string]> = [
  ['is 24 now', 'is 12 now'],
  ['is 1.5 now', 'is 15 now'],
  ['is -5 now', 'is 5 now'],
  ['takes 40 kg', 'takes 40 g'],
  ['costs $40', 'costs €40'],
  ['belongs to Nora', 'belongs to Mara'],
  ['on 2027-03-01', 'on 2027-04-01'],
  ['on Monday', 'on Tuesday'],
  ['is locked', 'is not locked'],
  ['does hold', "doesn't hold"],
  ['from Lyon to Turin', 'from Turin to Lyon'],
  ['before noon', 'after noon'],
  ['is on', 'is off'],
  ['ticket REQ-0417', 'ticket REQ-0471'],
  ['in load_user', 'in load-user'],
  ['in /etc/main', 'in etc/main'],
  ['salt, oil', 'oil, salt'],
]
const fact = fc.constantFrom(...FACTS)

/** What the index finds a text by: its words. An opening courtesy says nothing. */
function wordsOf(text: string): Set<string> {
  const words = tokenize(text).filter(({ kind, term }) => kind === 'word' && !['pleas', 'btw', 'fyi'].includes(term))
  return new Set(words.map(({ term }) => term))
}

describe('the normal form of a text', () => {
  it('is the same in whatever form the same sentences are written', () => {
    fc.assert(
      fc.property(paragraph, form, form, (sentences, first, second) => {
        expect(toNormalForm(second(sentences))).toBe(toNormalForm(first(sentences)))
        expect(differInFact(first(sentences), second(sentences))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('is another when one fact is another, in whatever form the rest is written', () => {
    fc.assert(
      fc.property(paragraph, fc.nat(), fact, form, form, (sentences, at, [one, other], first, second) => {
        const put = (text: string): string[] => sentences.toSpliced(at % (sentences.length + 1), 0, `this ${text}`)
        expect(toNormalForm(second(put(other)))).not.toBe(toNormalForm(first(put(one))))
      }),
      { numRuns: 1000 },
    )
  })

  it('is shared by no two texts of which one has a word that the other lacks', () => {
    const piece = fc.oneof(
      word,
      fc.constantFrom(
        ...'the a an A I IT us please 5 5.1 -3 mW don’t x_y a/b C++ https://e.org/A?b=1 `a b` `$x`'.split(' '),
      ),
      fc.constantFrom(...'. , ; : ! ? … - – — " “ ” ( ) [ ] * ** _ # > ~ = ✅ ， 。 泵 ﬁ ½ \u00ad \u200d'.split(' ')),
      fc.constantFrom(' ', '\n', '\n- ', '\n  * ', '\n```\n', '\t', '\u00a0'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    const pieces = fc.array(piece, { maxLength: 12 })
    /** Changes that may or may not keep the form. */
    const change = fc.constantFrom<(text: string) => string>(
      (text) => text.toLowerCase(),
      (text) => text.toUpperCase(),
      (text) => text.replace(/[\p{P}\p{S}]/gu, ''),
      (text) => text.replace(/[\p{P}\p{S}]/gu, ' '),
      (text) => text.replace(/\s+/g, ' '),
      (text) => text.replace(/\b(?:a|an|the|please)\b/gi, ''),
      (text) => text.normalize('NFKC'),
      (text) => text.normalize('NFD'),
      (text) => text.replace(/[\u00ad\u200d]/g, ''),
    )
    fc.assert(
      fc.property(pieces, change, (parts, alter) => {
        const text = parts.join('')
        const altered = alter(text)
        fc.pre(toNormalForm(text) === toNormalForm(altered))
        expect(wordsOf(altered)).toEqual(wordsOf(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('keeps numbers and letters, whatever stands around them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const digits = (some: string): string => some.normalize('NFC').replace(/[^\p{N}]/gu, '')
        const wide = text.replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
        expect(digits(toNormalForm(text))).toBe(digits(wide))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes time in proportion to length', () => {
    for (const piece of ['a..', '*a', '_a ', '`', '~~~\n', '- ', '([', 'a+', '> ', '\n   ', '[x] ', 'http:/']) {
      expect(typeof toNormalForm(piece.repeat(20_000))).toBe('string')
    }
  })
})
