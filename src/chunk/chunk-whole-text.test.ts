import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk, MarkdownDocument, TranscriptDocument } from '../model/document.ts'
import { MAX_CHUNK_CHARS } from '../options.ts'
import { chunkMarkdown } from './chunk-markdown.ts'
import { chunkTranscript } from './chunk-transcript.ts'

const head = {
  root: '/r',
  path: 'memory/shed.md',
  scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private' },
  contentHash: 'h',
} as const

function chunkNote(text: string): Chunk[] {
  const document: MarkdownDocument = {
    ...head,
    form: 'markdown',
    category: 'memory',
    text,
    title: 'shed',
    tier: 'semantic',
    importance: 0.5,
    trust: 'owner',
  }
  return chunkMarkdown(document)
}

function chunkTurn(text: string): Chunk[] {
  const document: TranscriptDocument = {
    ...head,
    form: 'transcript',
    category: 'sessions',
    sessionId: 's1',
    turns: [{ id: 't1', role: 'user', speaker: 'Mira', text, startLine: 1, endLine: 1, trust: 'owner' }],
  }
  return chunkTranscript(document)
}

/** Whether the letters and digits of a text stand in the chunks, in their order; chunks may repeat some. */
function holdsEveryLetter(chunks: readonly Chunk[], text: string): boolean {
  const kept = chunks.map((chunk) => chunk.text).join('\n')
  let at = 0
  for (const [letter] of text.matchAll(/[\p{L}\p{N}]/gu)) {
    at = kept.indexOf(letter, at) + letter.length
    if (at < letter.length) return false
  }
  return true
}

/** Numbered, so that a part that is lost or out of order is missed. */
const numbered = (prefix: string, count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${prefix}${line(n)}`).join('\n')

const words = fc.constantFrom(
  'larch and oak',
  'der Kahn',
  '备份脚本每天运行。',
  'ไม่มีช่องว่าง',
  '👩‍👩‍👧‍👦 crew',
  'e\u0301te\u0301',
)
const lines = (prefix: string): fc.Arbitrary<string> =>
  fc.tuple(words, fc.integer({ min: 1, max: 90 })).map(([text, n]) => numbered(prefix, n, (i) => `${text} ${i}`))
const block = fc.oneof(
  lines(''),
  lines('- '),
  lines('1. '),
  lines('> '),
  lines('> - '),
  lines('    '),
  lines('<b>'),
  lines('').map((code) => `\`\`\`sh\n${code}\n\`\`\``),
  lines('').map((code) => `~~~\n# ${code}\n~~~`),
  lines('').map((html) => `<div>\n${html}\n</div>`),
  lines('| ').map((rows) => `| name | bin |\n|---|---|\n${rows}`),
  lines('').map((line) => line.replaceAll('\n', ' ')),
  fc.integer({ min: 1, max: 2500 }).map((n) => `${'x'.repeat(n)} end`),
)
const section = fc.tuple(
  fc.constantFrom('# The yard', '### Deep', '## Paint ##', 'Shed\n====', 'Boat\n----', '> # Quoted', '#'),
  fc.array(block, { minLength: 1, maxLength: 4 }),
)
const note = fc
  .array(section, { minLength: 1, maxLength: 4 })
  .map((sections) => sections.map(([heading, blocks]) => `${heading}\n\n${blocks.join('\n\n')}`).join('\n\n'))

describe('a note in chunks', () => {
  it('is all there: every letter, in order, within the cap, whatever it is made of', () => {
    fc.assert(
      fc.property(note, (text) => {
        const chunks = chunkNote(text)
        expect(holdsEveryLetter(chunks, text)).toBe(true)
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
          expect(/\p{Cs}/u.test(chunk.text)).toBe(false)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('tells its listener what became of every character, and is cut the same without one', () => {
    fc.assert(
      fc.property(fc.oneof(note, fc.string({ unit: 'grapheme', maxLength: 300 })), (text) => {
        let counted = 0
        const kept: number[] = []
        const count = (_name: string, characters: number): void => {
          counted += characters
        }
        const tally = { strip: count, skip: count, keep: (characters: number) => kept.push(characters) }
        const document = { ...head, form: 'markdown', category: 'memory', text, title: 'shed' } as const
        const options = { tier: 'semantic', importance: 0.5, trust: 'owner' } as const
        const chunks = chunkMarkdown({ ...document, ...options }, { tally })
        expect(kept.length).toBe(chunks.length)
        expect(kept.reduce((sum, one) => sum + one, counted)).toBe(text.length)
        expect(chunkNote(text)).toEqual(chunks)
      }),
      { numRuns: 60 },
    )
  })

  it('has no heading in HTML, indented code or a longer fence', () => {
    const text =
      '# Yard\n\n<div>\n# in a block\n</div>\n\n    # in code\n\n````md\n```\n# in a fence\n```\n````\n\nlarch'
    expect(chunkNote(text).map((chunk) => chunk.headerPath)).toEqual([['Yard']])
    expect(chunkNote(text)[0]?.text).toBe(text)
  })
})

describe('a character on the edge of a chunk', () => {
  const edges = ['🦉', '👩‍👩‍👧‍👦', '🇨🇭', 'e\u0301', '👍🏽', 'กำ', '한'.normalize('NFD')]

  it.each([
    ['note', chunkNote],
    ['turn', chunkTurn],
  ] as const)('stays whole, and the text comes together again: %s', (_name, cut) => {
    for (const edge of edges) {
      for (let n = MAX_CHUNK_CHARS - 12; n <= MAX_CHUNK_CHARS + 2; n++) {
        const text = `${'a'.repeat(n)}${edge}${'b'.repeat(n)}`
        const chunks = cut(text)
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
        expect(chunks.some((chunk) => chunk.text.includes(edge))).toBe(true)
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
      }
    }
  })
})

describe('a long turn', () => {
  it('is told with role, speaker, session and id in each of its pieces, whatever was said', () => {
    const said = fc.array(words, { minLength: 200, maxLength: 600 }).map((parts) => parts.join(' '))
    fc.assert(
      fc.property(said, (text) => {
        const chunks = chunkTurn(text)
        expect(chunks.length).toBeGreaterThan(1)
        for (const chunk of chunks)
          expect(chunk).toMatchObject({ role: 'user', speaker: 'Mira', sessionId: 's1', turnId: 't1', startLine: 1 })
        expect(
          chunks
            .map((chunk) => chunk.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''))
      }),
      { numRuns: 20 },
    )
  })
})
