import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk, MarkdownDocument } from '../model/document.ts'
import { MAX_CHUNK_CHARS, MAX_EMBED_HEADER_CHARS } from '../options.ts'
import { chunkMarkdown } from './chunk-markdown.ts'

function chunk(text: string, overrides: Partial<MarkdownDocument> = {}): Chunk[] {
  const document: MarkdownDocument = {
    form: 'markdown',
    root: '/r',
    path: 'memory/shed.md',
    category: 'memory',
    scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private' },
    contentHash: 'h',
    text,
    title: 'shed',
    tier: 'semantic',
    importance: 0.5,
    trust: 'owner',
    ...overrides,
  }
  return chunkMarkdown(document, { timeZone: 'Europe/Zurich' })
}

const paths = (chunks: Chunk[]): string[] => chunks.map((one) => one.headerPath.join(' > '))
const texts = (chunks: Chunk[]): string[] => chunks.map((one) => one.text)

describe('chunkMarkdown: sections', () => {
  it('gives each section its lines, with the heading, where they stand in the file and the headings above', () => {
    const chunks = chunk('# Shed\n\nBuilt of larch.\n\n## Paint\n\nGreen,\ntwo coats.\n\n\n# Boat\nBlue.\n')
    expect(
      chunks.map(({ text, startLine, endLine, headerPath }) => ({ text, startLine, endLine, headerPath })),
    ).toEqual([
      { text: '# Shed\n\nBuilt of larch.', startLine: 1, endLine: 3, headerPath: ['Shed'] },
      { text: '## Paint\n\nGreen,\ntwo coats.', startLine: 5, endLine: 8, headerPath: ['Shed', 'Paint'] },
      { text: '# Boat\nBlue.', startLine: 11, endLine: 12, headerPath: ['Boat'] },
    ])
  })

  it('takes no comment in a code block for a heading', () => {
    const chunks = chunk('# Deploy\n```sh\n# stop first\nrun\n```\n## After\ncheck')
    expect(paths(chunks)).toEqual(['Deploy', 'Deploy > After'])
    expect(chunks[0]?.text).toBe('# Deploy\n```sh\n# stop first\nrun\n```')
  })

  it('takes no heading in a quote or list for a section', () => {
    expect(paths(chunk('# Talk\n> # quoted\n> words\n\n- # listed\n  words'))).toEqual(['Talk'])
  })

  it('knows underlined headings, but not a paragraph that a rule happens to follow', () => {
    expect(paths(chunk('Shed\n====\nlarch\n\nPaint\n-----\ngreen'))).toEqual(['Shed', 'Shed > Paint'])
    expect(paths(chunk('# Log\none line of text\nand another\n---\nmore'))).toEqual(['Log'])
  })

  it('keeps equal headings apart', () => {
    const chunks = chunk('# Mon\n## Notes\ncrate A\n# Tue\n## Notes\ncrate B\n# Wed\n## Notes\ncrate C')
    expect(paths(chunks)).toEqual(['Mon > Notes', 'Tue > Notes', 'Wed > Notes'])
    expect(chunks.map((one) => one.startLine)).toEqual([2, 5, 8])
  })

  it('leaves the path of a skipped level without a hole', () => {
    expect(paths(chunk('# A\n#### Deep\nx\n## B\ny\n#\nz'))).toEqual(['A > Deep', 'A > B', ''])
  })

  it('reads headings as a person does', () => {
    const heading = (line: string): string | undefined => chunk(`${line}\ntext of it`)[0]?.headerPath[0]
    expect(heading('## The **big** `pump` and [the yard](http://yard.test) ##')).toBe('The big pump and the yard')
    expect(heading('# [[larch|Wood]] of snake_case_names')).toBe('Wood of snake_case_names')
    expect(heading(`# ${'long '.repeat(100)}`)?.length).toBeLessThanOrEqual(200)
  })

  it('gives the text before the first heading to the title', () => {
    expect(paths(chunk('\n\nkettle on the left\n\n# Rest\nx'))).toEqual(['shed', 'Rest'])
    expect(chunk('\n\nkettle on the left')[0]).toMatchObject({
      startLine: 3,
      endLine: 3,
      embedText: 'shed\nkettle on the left',
    })
  })

  it('gives nothing for sections that say nothing', () => {
    expect(chunk('')).toEqual([])
    expect(chunk('# Notes\n\n## Next\n\n---\n\n## Log\n<!-- fill in\nlater -->\n')).toEqual([])
    expect(
      chunk('## Links\n- [[larch]]\n- <https://yard.test/a>\n- [yard](https://yard.test)\n\n[yard]: https://yard.test'),
    ).toEqual([])
  })

  it('keeps links with a sentence, code that looks like a comment, and a heading that is a sentence of its own', () => {
    expect(paths(chunk('## Links\n- [how the kiln is fired](k.md)\n## Down\n[site](http://x.test) is down'))).toEqual([
      'Links',
      'Down',
    ])
    expect(texts(chunk('# Yard\n## Call the yard about larch'))).toEqual(['## Call the yard about larch'])
    expect(texts(chunk('# Call the yard about larch\n## Reason\nout of stock'))).toEqual(['## Reason\nout of stock'])
  })

  it('embeds title and headings before the text, once and within bounds', () => {
    expect(chunk('# Paint\ngreen')[0]?.embedText).toBe('shed > Paint\n# Paint\ngreen')
    expect(chunk('# Shed\n## Paint\ngreen')[0]?.embedText).toBe('Shed > Paint\n## Paint\ngreen')
    const deep = chunk(
      `${[1, 2, 3, 4].map((level) => `${'#'.repeat(level)} ${'word '.repeat(39)}${level}`).join('\n')}\nx`,
    )[0]
    expect(deep?.embedText.split('\n')[0]?.length).toBeLessThanOrEqual(MAX_EMBED_HEADER_CHARS)
    expect(deep?.embedText).toContain('word 4\n')
  })
})

describe('chunkMarkdown: type and date', () => {
  const types = (text: string, overrides?: Partial<MarkdownDocument>): string[] =>
    chunk(text, overrides).map((one) => one.type)

  it('tells plans and activities from facts, and daily notes from topics', () => {
    expect(
      types('# A\n- [ ] call\n# Next\nbuy oil\n# B\nWe decided on larch.\n# C\nlarch is hard\n# D\n- [x] done'),
    ).toEqual(['plan', 'plan', 'activity', 'fact', 'activity'])
    expect(types('larch is hard', { date: '2026-03-01', dateOrigin: 'name' })).toEqual(['event'])
    expect(types('- [ ] call', { type: 'preference' })).toEqual(['preference'])
  })

  it('takes what is ticked off for done, and what stands below a day in a running log for what happened', () => {
    expect(types('# Next\n- [x] buy oil\n- [x] call\n# Next\n- [x] buy oil\n- [ ] call')).toEqual(['activity', 'plan'])
    expect(types('# Log\n## 2026-03-04\nthe valve leaks\n### Root cause\nworn seal\n## Valves\nbrass')).toEqual([
      'event',
      'activity',
      'fact',
    ])
  })

  it('lets the headings between the title and the text speak, not the title of a whole note', () => {
    expect(types('# Goals of the yard\n## Plans\n### Garden\nroses\n## Wood\nlarch')).toEqual(['plan', 'fact'])
  })

  it('dates a section by the nearest heading with a date, then by the document', () => {
    const dates = chunk('intro\n# 2026-07-05\nx\n## Fix\ny\n## 12 March 2026: fix\nz\n# 2026-02-30\nw', {
      date: '2026-01-02',
      dateOrigin: 'name',
    }).map((one) => [one.occurredAt, one.dateOrigin])
    expect(dates).toEqual([
      ['2026-01-02T00:00:00+01:00', 'name'],
      ['2026-07-05T00:00:00+02:00', 'text'],
      ['2026-07-05T00:00:00+02:00', 'text'],
      ['2026-03-12T00:00:00+01:00', 'text'],
      ['2026-01-02T00:00:00+01:00', 'name'],
    ])
    expect(chunk('x', { date: '2026-05-01T10:00:00Z', dateOrigin: 'mtime' })[0]).toMatchObject({
      occurredAt: '2026-05-01T10:00:00Z',
      dateOrigin: 'mtime',
    })
    expect(chunk('x')[0]).not.toHaveProperty('occurredAt')
  })
})

describe('chunkMarkdown: long sections', () => {
  it('cuts at blocks into balanced pieces with the lines of each', () => {
    const paragraph = (n: number): string => `Paragraph ${n}: ${'the heron stands still. '.repeat(30)}`.trim()
    const chunks = chunk(`# Pond\n\n${[1, 2, 3, 4].map(paragraph).join('\n\n')}`)
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 5],
      [7, 9],
    ])
    expect(paths(chunks)).toEqual(['Pond', 'Pond'])
  })

  it('cuts a long list between its items, not inside', () => {
    const item = (n: number): string =>
      `- 10:${String(n).padStart(2, '0')} checked the pump.\n  It runs. ${'Well. '.repeat(20).trim()}`
    const chunks = chunk(Array.from({ length: 40 }, (_, n) => item(n)).join('\n'))
    expect(chunks.length).toBeGreaterThan(2)
    for (const one of chunks) {
      expect(one.text.startsWith('- 10:')).toBe(true)
      expect(one.text.endsWith('Well.')).toBe(true)
    }
  })

  it('repeats the head of a table that it cuts between rows', () => {
    const head = '| crate | depth |\n|:--|--:|'
    const row = (n: number): string => `| no ${n} | ${'deep '.repeat(8)}|`
    const chunks = chunk(`# Crates\n\n${head}\n${Array.from({ length: 90 }, (_, n) => row(n)).join('\n')}\n\nThe end.`)
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks[0]?.text.startsWith(`# Crates\n\n${head}\n| no 0 `)).toBe(true)
    for (const one of chunks.slice(1)) expect(one.text.startsWith(`${head}\n| no `)).toBe(true)
    expect(chunks.at(-1)?.text.endsWith('|\n\nThe end.')).toBe(true)
    expect(chunks.map((one) => one.text.match(/^\| no /gm)?.length ?? 0).reduce((sum, rows) => sum + rows)).toBe(90)
  })

  it('fences each piece of a cut code block again', () => {
    const code = Array.from({ length: 90 }, (_, n) => `  pump(${n}) // ${'turn '.repeat(6)}`).join('\n')
    const chunks = chunk(`# Code\n\n~~~js\n${code}\n~~~\nThe end.`)
    expect(chunks.length).toBeGreaterThan(2)
    for (const one of chunks) expect(one.text.match(/^~~~/gm)).toHaveLength(2)
    expect(chunks[1]?.text).toMatch(/^~~~js\n {2}pump\(/)
    expect(chunks[1]?.text).toMatch(/turn \n~~~$|turn\n~~~$/)
  })

  it('takes a line of 40,000 characters, and the sentence after it', () => {
    const data = JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`k${n}`, n])))
    const chunks = chunk(`# Data\n${data}\n\nThe sluice opens at dawn.`)
    expect(chunks.at(-1)?.text).toContain('The sluice opens at dawn.')
    expect(chunks.map((one) => one.text).join('')).toContain(data.slice(0, 1500))
    for (const one of chunks) expect(one.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
  })
})

describe('chunkMarkdown: any text', () => {
  const words = fc.constantFrom(
    'larch',
    'der Kahn',
    '备份脚本',
    'ไม้',
    '👩‍👩‍👧‍👦 crew',
    '# no',
    '| a',
    '> q',
    '``',
    '2026-03-01',
    '[x](y)',
    '\u2028',
    '\u0000',
  )
  const line = fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '))
  const lines = (prefix: string): fc.Arbitrary<string> =>
    fc.tuple(line, fc.integer({ min: 1, max: 120 })).map(([text, count]) => `${prefix}${text}\n`.repeat(count))
  const block = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}\n`),
    lines(''),
    lines('- '),
    lines('  1. '),
    lines('> '),
    lines('    '),
    fc
      .tuple(fc.constantFrom('```', '~~~~', '> ```', '- ```'), lines(''))
      .map(([fence, code]) => `${fence}js\n${code}${fence}\n`),
    fc.tuple(line, lines('| ')).map(([head, rows]) => `| a | ${head} |\n|---|---|\n${rows}`),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('\n\n', '---\n', '===\n', '<div>\n', 'x'.repeat(5000), '好'.repeat(3000)),
  )
  const markdown = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join('\n'))

  it('keeps every line that says something, within the cap, well formed, in order and the same each time', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const text = Buffer.from(source.replaceAll('\r', ''), 'utf8').toString('utf8')
        const chunks = chunk(text)
        const fileLines = text.split('\n')
        const covered = new Set<number>()
        let last = 1
        for (const one of chunks) {
          expect(one.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
          expect(/\p{Cs}/u.test(one.text + one.embedText)).toBe(false)
          expect(one.startLine).toBeGreaterThanOrEqual(last)
          expect(one.endLine).toBeGreaterThanOrEqual(one.startLine)
          expect(one.endLine).toBeLessThanOrEqual(fileLines.length)
          last = one.startLine
          const place = fileLines.slice(one.startLine - 1, one.endLine).join('\n')
          // What a piece of a cut table or code block repeats stands elsewhere; every line of it stands in the file.
          if (!place.includes(one.text)) for (const part of one.text.split('\n')) expect(text).toContain(part.trim())
          for (let n = one.startLine; n <= one.endLine; n++) covered.add(n)
        }
        fileLines.forEach((content, i) => {
          if (!covered.has(i + 1)) expect(mayBeLeftOut(content, fileLines[i + 1])).toBe(true)
        })
        expect(chunk(text)).toEqual(chunks)
      }),
      { numRuns: 100 },
    )
  })

  it('finishes on a megabyte of nasty input', () => {
    const nasty = ['# ', '> ', '| a ', '`', '1. ', '* > ', '- ', '[', '<!--', '\t'].map((mark) =>
      mark.repeat(50_000 / mark.length),
    )
    const lines = ['> - a', '|a|\n|-|', '```', 'a\n=', '# a'].map((text) => `${text}\n`.repeat(50_000 / text.length))
    for (const one of chunk([...nasty, ...lines].join('\n\n')))
      expect(one.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
  })
})

/** Headings (they are in the paths below them), bare links, and lines without a letter or digit. */
function mayBeLeftOut(line: string, next = ''): boolean {
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(line) || /^ {0,3}(?:=+|-+)\s*$/.test(next)) return true
  return !/[\p{L}\p{N}]/u.test(line.replaceAll('[x](y)', ''))
}
