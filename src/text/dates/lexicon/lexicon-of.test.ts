import { describe, expect, it } from 'vitest'
import type { Language } from '../language-of.ts'
import { lexiconOf, mayKnowWordsOf } from './lexicon-of.ts'
import { readLexicon } from './read-lexicon.ts'

const LANGUAGES: Language[] = ['ar', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'sv', 'tr', 'uk', 'zh']

describe('the word lists of dates', () => {
  it.each(LANGUAGES)('name every weekday, yesterday and tomorrow, and twelve months or their mark: %s', (language) => {
    const roles = [...lexiconOf(language).words.values()]
    expect(new Set(roles.flatMap(({ weekday }) => weekday ?? [])).size).toBe(7)
    const months = new Set(roles.flatMap(({ month }) => month ?? [])).size
    expect(months === 12 || roles.some(({ monthMark }) => monthMark)).toBe(true)
    const shifts = roles.flatMap(({ period, either }) =>
      period?.unit === 'day' ? period.shift : either ? [-1, 1] : [],
    )
    expect(shifts).toEqual(expect.arrayContaining([-1, 1]))
  })

  it.each(LANGUAGES)('name a month as the locale data do: %s', (language) => {
    const format = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' })
    const { words, hasMarks } = lexiconOf(language)
    if (hasMarks) return
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2026, month - 1, 15))
      const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase() ?? ''
      expect([name, words.get(name)?.month]).toEqual([name, month])
    }
  })

  it('tell a text that may hold their words from one that cannot', () => {
    expect(mayKnowWordsOf('commit from gestern', 'de')).toBe(true)
    expect(mayKnowWordsOf('refactor the parser', 'de')).toBe(false)
  })

  it('refuse a role that there is not', () => {
    expect(() => readLexicon('colour: rot')).toThrow(/no role/)
  })
})
