import { describe, expect, it } from 'vitest'
import { analyzeQuery } from './analyze-query.ts'

const context = { now: new Date('2026-06-10T09:00:00Z'), timeZone: 'UTC' }
const termsOf = (text: string): string[] => analyzeQuery(text, context).words.map(({ term }) => term)

describe('analyzeQuery', () => {
  it('leaves function words out where there are others', () => {
    expect(termsOf('where is the heron pump?')).toEqual(['heron', 'pump'])
    expect(termsOf('who are you')).toEqual(['who', 'are', 'you'])
  })

  it('reads the beginning and the end of pasted text, each as far as it counts', () => {
    const log = Array.from({ length: 20_000 }, (_, n) => `w${n}x`).join(' ')
    const terms = termsOf(`kestrel ${log} heron`)
    expect(terms).toHaveLength(48)
    expect(terms.at(0)).toBe('kestrel')
    expect(terms.at(-1)).toBe('heron')
    expect(terms).not.toContain('w10000x')
  })

  it('knows a question that is nothing but a time', () => {
    expect(analyzeQuery('what happened yesterday?', context)).toMatchObject({
      isDateOnly: true,
      when: { text: 'yesterday' },
    })
    expect(analyzeQuery('what did the pump do yesterday?', context).isDateOnly).toBe(false)
    expect(analyzeQuery('what happened?', context)).toMatchObject({ isDateOnly: false, when: null })
  })

  it('keeps quoted phrases', () => {
    expect(analyzeQuery('who said “The Heron” or "a pump"?', context).phrases).toEqual(['the heron', 'a pump'])
  })
})
