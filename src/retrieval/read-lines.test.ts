import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkMarkdown } from '../chunk/index.ts'
import type { MarkdownDocument } from '../model/document.ts'
import { GET_MAX_CHARS } from '../options.ts'
import { type PlacedMemory, readLines } from './read-lines.ts'

const HEAD: Omit<MarkdownDocument, 'text'> = {
  form: 'markdown',
  root: '/notes',
  path: 'a.md',
  category: 'memory',
  scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private' },
  contentHash: 'h',
  title: 'a',
  tier: 'semantic',
  importance: 0.5,
  trust: 'owner',
}

/** The memories of a note, as its document holds them. */
function place(text: string): PlacedMemory[] {
  return chunkMarkdown({ ...HEAD, text }).map((chunk, position) => {
    const at = { root: HEAD.root, path: HEAD.path, startLine: chunk.startLine, endLine: chunk.endLine, position }
    const { scope, category, tier, trust, importance } = HEAD
    const { type, headerPath, embedText } = chunk
    return {
      place: at,
      memory: {
        ...{ id: String(position), scope, category, tier, trust, importance, type, headerPath, embedText },
        ...{ text: chunk.text, place: at, placeCount: 1, state: 'active' as const, accessCount: 0 },
      },
    }
  })
}

/** Lines that hold something, so that none is left out: what the file has, the text must have in the same place. */
const prose = fc.array(fc.constantFrom('heron', 'pump', 'kite', '24', 'volt', 'winch'), { minLength: 3, maxLength: 14 })
const line = fc.tuple(fc.constantFrom('', '- ', '1. ', '> '), prose).map(([mark, words]) => mark + words.join(' '))
const lines = (most: number) => fc.array(line, { minLength: 1, maxLength: most })
const block = fc.oneof(
  lines(5),
  fc
    .tuple(fc.constantFrom('```', '```ts', '~~~', '````md'), lines(120), fc.boolean())
    .map(([fence, body, isOpen]) => [fence, ...body, ...(isOpen ? [] : [fence.replace(/[a-z]+/, '')])]),
  fc
    .array(fc.tuple(prose, prose), { minLength: 1, maxLength: 80 })
    .map((rows) => [
      '| first cell | second |',
      '|---|:--|',
      ...rows.map((cells) => `| ${cells.map((c) => c.join(' ')).join(' | ')} |`),
    ]),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), prose)
    .map(([level, words]) => [`${'#'.repeat(level)} ${words.join(' ')}`, 'A heron stood here.']),
)
const note = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.flatMap((each) => [...each, '']))

describe('lines of a note', () => {
  it('are those of the file, whatever was cut where', () => {
    fc.assert(
      fc.property(note, fc.nat(), fc.nat(), (file, a, b) => {
        const placed = place(file.join('\n'))
        const last = Math.max(...placed.map((one) => one.place.endLine))
        const [from = 1, to = 1] = [1 + (a % last), 1 + (b % last)].sort((x, y) => x - y)
        const answer = readLines(placed, { from, to })
        const got = answer.text.split('\n')
        expect(got).toHaveLength(answer.endLine - from + 1)
        got.forEach((text, index) => {
          const original = file[from - 1 + index] ?? ''
          // A line without a word may stand in no memory.
          expect(/[a-z0-9]/.test(original) || text !== '' ? text.trimEnd() : '').toBe(
            /[a-z0-9]/.test(original) || text !== '' ? original.trimEnd() : '',
          )
        })
      }),
      { numRuns: 150 },
    )
  })

  it('of a code block that was cut show every line once, the heading first', () => {
    const code = Array.from({ length: 200 }, (_, n) => `const pump${n} = connect('heron pump number ${n}')`)
    const file = ['# Wiring of the pumps', '', '```ts', ...code, '```', '', 'Checked by the harbour master.']
    const placed = place(file.join('\n'))
    expect(placed.length).toBeGreaterThan(3)
    const answer = readLines(placed, { from: 1, to: file.length })
    expect(answer).toEqual({ startLine: 1, endLine: file.length, text: file.join('\n'), truncated: false })
  })

  it('are given whole: an answer that is full ends with a line, and says with which', () => {
    const file = Array.from({ length: 900 }, (_, n) => `Crate ${n} stands in hall ${n % 7} beside the northern gate.`)
    const answer = readLines(place(file.join('\n')), { from: 1, to: 900 })
    expect(answer.truncated).toBe(true)
    expect(answer.text.length).toBeLessThanOrEqual(GET_MAX_CHARS)
    expect(answer.text).toBe(file.slice(0, answer.endLine).join('\n'))
    expect(`${answer.text}\n${file[answer.endLine]}`.length).toBeGreaterThan(GET_MAX_CHARS)
  })
})
