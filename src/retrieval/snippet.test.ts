import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../text/tokenize.ts'
import { makeSnippet } from './snippet.ts'

describe('makeSnippet', () => {
  it('gives a short text whole', () => {
    expect(makeSnippet('The sluice opens at dawn.', ['sluic'])).toBe('The sluice opens at dawn.')
  })

  it('shows the stretch that holds the matched words, wherever it is', () => {
    const filler = 'Nothing to see on this line of the log.\n'.repeat(40)
    const snippet = makeSnippet(`${filler}The east valve leaks near the pump.\n${filler}`, ['valv', 'leak'])
    expect(snippet).toContain('The east valve leaks near the pump.')
    expect(snippet.length).toBeLessThanOrEqual(700)
  })

  it('prefers the stretch with more different words to the earlier one', () => {
    const text = `valve\n${'x\n'.repeat(400)}valve and pump\n`
    expect(makeSnippet(text, ['valv', 'pump'])).toContain('valve and pump')
  })

  it('is always a well-formed part of the text within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), fc.integer({ min: 20, max: 100 }), (text, max) => {
        const snippet = makeSnippet(
          text,
          tokenize(text)
            .map(({ term }) => term)
            .slice(0, 3),
          max,
        )
        expect(text).toContain(snippet)
        expect(snippet.length).toBeLessThanOrEqual(max)
        if (text.isWellFormed()) expect(snippet.isWellFormed()).toBe(true)
      }),
    )
  })
})
