import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../text/tokenize.ts'
import { makeSnippet, makeSnippetFromMatch } from './snippet.ts'

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

  it('shows no line that repeats where another one matches', () => {
    const checks = Array.from({ length: 60 }, (_, n) => `- ${n}:00 hourly check of the valve: nothing`)
    checks.splice(40, 0, '- the gasket leaks')
    const snippet = makeSnippet(checks.join('\n'), ['hour', 'check', 'valv', 'gasket'], 160)
    expect(snippet).toContain('- the gasket leaks')
  })

  it('shows what stands before and after the matched words, in lines and within one long line', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `This is line number ${n} of the log.`)
    lines[30] = 'The heron nests'
    lines[31] = 'on pier 4.'
    for (const text of [lines.join('\n'), lines.join(' ')]) {
      const snippet = makeSnippet(text, ['heron', 'nest'])
      expect(snippet).toMatch(/number 29 of the log\.\sThe heron nests\son pier 4\.\sThis is line number 32/)
      expect(snippet.length).toBeGreaterThan(550)
      expect(snippet.length).toBeLessThanOrEqual(700)
    }
  })

  it('puts the column names of a table in front of its rows, once', () => {
    const names = '| Part | Bin |\n|------|:---:|\n'
    const rows = Array.from({ length: 90 }, (_, n) => `| bolt ${n} | ${n} |\n`)
    const text = `Stock\n\n${names}${rows.join('')}`
    const late = makeSnippet(text, ['80'], 200)
    expect(late.startsWith(`${names}| bolt 7`)).toBe(true)
    expect(late).toContain('| bolt 80 | 80 |')
    expect(late.length).toBeLessThanOrEqual(200)
    const early = makeSnippet(text, ['1'], 200)
    expect(early.split('| Part | Bin |')).toHaveLength(2)
    expect(text).toContain(early)
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
      // A musical note of three code points, longer than a piece of a short snippet.
      { examples: [[' \u{10000}\u{10000}\u{10000}\u{1d158}\u{1d165}\u{1d16e}  \u{1d158}\u{1d165}\u{1d16e}', 20]] },
    )
  })
})

describe('makeSnippetFromMatch', () => {
  const note =
    '# 2026-04-09\n\n## Evening\n\nNothing else came up.\n\n- Dropped the slot; the log shrank.\n- Went home.\n'

  it('begins with the line that matches, however short the text is', () => {
    expect(makeSnippetFromMatch(note, ['slot', 'log'], 300)).toBe('- Dropped the slot; the log shrank.\n- Went home.')
    expect(makeSnippetFromMatch(note, ['slot', 'log'], 40)).toBe('- Dropped the slot; the log shrank.')
    expect(makeSnippetFromMatch(`${'Nothing. '.repeat(100)}The slot fills.`, ['slot'], 60)).toMatch(/The slot fills\.$/)
  })

  it('begins below the headings where nothing matches', () => {
    expect(makeSnippetFromMatch(note, [], 60)).toMatch(/^Nothing else came up\.\n/)
    expect(makeSnippetFromMatch('# Only a heading', [], 60)).toBe('# Only a heading')
  })

  it('is a well-formed part of the text within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), fc.integer({ min: 20, max: 100 }), (text, max) => {
        const terms = tokenize(text).map(({ term }) => term)
        const snippet = makeSnippetFromMatch(text, terms.slice(-2), max)
        expect(text).toContain(snippet)
        expect(snippet.length).toBeLessThanOrEqual(max)
        if (text.isWellFormed()) expect(snippet.isWellFormed()).toBe(true)
      }),
    )
  })
})
