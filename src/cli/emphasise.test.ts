import { describe, expect, it } from 'vitest'
import { emphasise, isMatched, wordsBehind } from './emphasise.ts'

const mark = (line: string, ...terms: string[]) => emphasise(line, terms, (word) => `[${word}]`)

describe('emphasise', () => {
  it('marks whole words in any form of the term', () => {
    expect(mark('Pumps pump pumping, jump', 'pump')).toBe('[Pumps] [pump] [pumping], jump')
    expect(mark('the batteries ran out', 'batteri')).toBe('the [batteries] ran out')
    expect(mark('Zürich, zurich', 'zurich')).toBe('[Zürich], [zurich]')
  })

  it('does not mark words that only begin like a short term', () => {
    expect(mark('on one online', 'on')).toBe('[on] one online')
    expect(mark('24 V and 240 V', '24')).toBe('[24] V and 240 V')
  })

  it('marks parts of a line without spaces', () => {
    expect(mark('昨日東京で会議', '東京')).toBe('昨日[東京]で会議')
  })

  it('leaves a line alone that nothing matches', () => {
    expect(isMatched('nothing here', ['pump'])).toBe(false)
    expect(isMatched('a pump', ['pump'])).toBe(true)
    expect(mark('$& $1 pump', 'pump')).toBe('$& $1 [pump]')
  })
})

describe('wordsBehind', () => {
  it('gives the words as they were asked, each once', () => {
    expect(wordsBehind('Postgres refuses writes, Postgres!', ['postgr', 'write'])).toEqual(['Postgres', 'writes'])
    expect(wordsBehind('会議は東京で', ['東京'])).toEqual(['東京'])
  })
})
