import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexTerms } from './index-terms.ts'
import { TermCounter } from './term-counter.ts'

type Content = Parameters<typeof indexTerms>[0]

function countWith(counter: TermCounter, content: Content, path: string) {
  const frequencies = new Map<string, number>()
  const { length, termCount } = counter.count(content, path, (term, frequency) => {
    frequencies.set(counter.term(term), frequency)
  })
  return { frequencies, length, termCount }
}

const word = fc.oneof(
  fc.constantFrom('the', 'Running', "isn't", 'REQ-0417', 'req_0417', 'a.b/c', 'parseHTTPResponse', 'x86', '2026-02-08'),
  fc.constantFrom(
    'naïve',
    'Zu\u0308rich',
    '备份脚本',
    'コーヒー',
    'ไปไหน',
    '서버를',
    'ﬁne',
    '½',
    '🦩',
    '\ud83e',
    'O’Neil',
    'a-水-b',
  ),
  fc.constantFrom(
    'a'.repeat(70),
    'b-'.repeat(9),
    'w'.repeat(40).concat('-', 'w'.repeat(40)),
    '__proto__',
    'constructor',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const text = fc.array(fc.tuple(word, fc.constantFrom(' ', ' ', '-', '.', "'", '’', ', ', '\n')), { maxLength: 12 })
const joined = text.map((pieces) => pieces.map((piece) => piece.join('')).join(''))
const content = fc.record(
  { text: joined, headerPath: fc.array(joined, { maxLength: 2 }), speaker: joined },
  { requiredKeys: ['text', 'headerPath'] },
)
const path = fc.constantFrom('memory/2026-02-08.md', 'memory/topics/Back-ups_2026.md', 'sessions/备份.jsonl', 'plain')

describe('TermCounter', () => {
  it('counts what indexTerms counts, whatever it has counted before', () => {
    const counter = new TermCounter()
    fc.assert(
      fc.property(content, path, (one, at) => {
        const { frequencies, length } = indexTerms(one as Content, at)
        const expected = { frequencies, length, termCount: frequencies.size }
        expect(countWith(counter, one as Content, at)).toEqual(expected)
        expect(countWith(counter, one as Content, at)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps the number of a term', () => {
    const counter = new TermCounter()
    const before = counter.numberOf('heron')
    for (let n = 0; n < 5000; n++) countWith(counter, { text: `heron word${n} part-${n}`, headerPath: [] }, `${n}.md`)
    expect(counter.numberOf('heron')).toBe(before)
    expect(counter.term(before)).toBe('heron')
    expect(countWith(counter, { text: 'part-17 word4000 heron', headerPath: [] }, 'x')).toEqual({
      frequencies: indexTerms({ text: 'part-17 word4000 heron', headerPath: [] }, 'x').frequencies,
      length: 4,
      termCount: 6,
    })
  })

  it('says when it has seen more words than it should keep', () => {
    const counter = new TermCounter()
    expect(counter.isFull).toBe(false)
    const words = Array.from({ length: 60_000 }, (_, n) => `w${n}`)
    countWith(counter, { text: words.join(' '), headerPath: [] }, 'x')
    expect(counter.isFull).toBe(true)
  })
})
