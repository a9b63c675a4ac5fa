import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFakeProvider } from '../../src/testing/index.ts'
import { head, printed, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

describe('a transcript', () => {
  it('is read behind a broken line, which is reported with its place', async () => {
    here.session('broken.jsonl', [
      head('broken'),
      ...Array.from({ length: 4 }, (_, n) => user(`Before the break, message ${n}.`)),
      '{"type":"message","mess',
      ...Array.from({ length: 4 }, (_, n) => user(`After the break, message ${n}.`)),
      user('The stork nests on chimney 4.'),
    ])
    const memory = await here.open()
    const report = await memory.index()
    expect(report.problems).toEqual([
      { path: 'sessions/broken.jsonl', line: 6, reason: expect.stringMatching(/JSON/), failed: true },
    ])
    expect(report.memories.total).toBe(9)
    expect((await memory.search('stork chimney')).results[0]).toMatchObject({ startLine: 11 })
    expect((await memory.status()).skipped).toEqual([
      { path: 'sessions/broken.jsonl', line: 6, reason: expect.any(String) },
    ])
  })

  it('has one record a line, whatever Unicode calls a line', async () => {
    here.session('lines.jsonl', [
      head('lines'),
      user('left\u2028right osprey\u2029and\u0085end'),
      user('The second one.'),
    ])
    const memory = await here.openIndexed()
    const { results } = await memory.search('osprey')
    expect(results[0]).toMatchObject({ startLine: 2, endLine: 2 })
    for (const word of ['left', 'right', 'end']) expect(results[0]?.snippet).toContain(word)
    expect((await memory.status()).memories).toBe(2)
  })

  it('of a terminal gives words, not colours', async () => {
    here.session('run.jsonl', [
      head('run'),
      printed(
        'bash',
        '\u001b[31mFAIL\u001b[0m tests/\u001b[1mlock\u001b[22mgate.spec \u001b]8;;http://x.test\u0007link\u001b]8;;\u0007',
      ),
    ])
    const memory = await here.openIndexed()
    const { results } = await memory.search('lockgate')
    expect(results[0]?.snippet).toContain('FAIL tests/lockgate.spec link')
    await memory.close()
    expect(readFileSync(here.storeFile).includes('\u001b[')).toBe(false)
  })
})

describe('a note', () => {
  it('of one line of forty thousand characters is cut into pieces that fit, and hides nothing', async () => {
    const line = JSON.stringify(Object.fromEntries(Array.from({ length: 3400 }, (_, n) => [`k${n}`, n])))
    expect(line.length).toBeGreaterThan(40_000)
    here.note('memory/long.md', `# Dump\n\n${line}\n\nThe weir opens at dusk.\n`)
    here.note('memory/words.md', `# Words\n\n${'The same long line of words goes on and on. '.repeat(1000)}\n`)
    here.note('memory/plain.md', '# Plain\n\nThe ferry leaves at noon.\n')
    const embedding = createFakeProvider({ windowChars: 4000 })
    const memory = await here.open({ embedding })
    const report = await memory.index()
    expect(report.documents).toMatchObject({ added: 3, skipped: 0 })
    expect(report.problems.filter(({ failed }) => failed)).toEqual([])
    expect(Math.max(...embedding.texts.map(({ length }) => length))).toBeLessThanOrEqual(2000)
    for (const [query, path] of [
      ['weir dusk', 'memory/long.md'],
      ['ferry noon', 'memory/plain.md'],
    ])
      expect((await memory.search(query ?? '')).results[0]?.path).toBe(path)
  })

  it('with comments in a fenced block has only the headings that it has', async () => {
    here.note(
      'memory/deploy.md',
      '## Deploy\n\nFirst the oven.\n\n```sh\n# stop the oven\nsystemctl stop oven\n# start the oven\n```\n\n### Check\n\nLook at the flame.\n',
    )
    const memory = await here.openIndexed()
    const { results } = await memory.search('oven flame', { mode: 'keyword', limit: 20 })
    expect(results.map(({ header }) => header).sort()).toEqual(['Deploy', 'Deploy > Check'])
    expect(results.find(({ header }) => header === 'Deploy')?.snippet).toContain(
      '```sh\n# stop the oven\nsystemctl stop oven\n# start the oven\n```',
    )
  })

  it('with the same heading many times gives each section its own id, place and path of headings', async () => {
    here.note(
      'memory/week.md',
      ['Mon', 'Tue', 'Wed'].map((day, n) => `# ${day}\n\n## Notes\n\nCrate ${'ABC'[n]} arrived.\n`).join('\n'),
    )
    const memory = await here.openIndexed()
    const { results } = await memory.search('crate C', { limit: 10 })
    expect(results[0]).toMatchObject({ header: 'Wed > Notes', startLine: 15 })
    expect(new Set(results.map(({ id }) => id)).size).toBe(3)
  })

  it('is read whatever its front matter holds, and front matter is no body', async () => {
    const values = ['2025-11-30', '7042', '', '[a, b]', 'yes', 'Plain words', '"quoted: yes"', '{broken: [']
    for (const [n, value] of values.entries())
      here.note(`memory/n${n}.md`, `---\ntitle: ${value}\ntags: [heat, ${n}]\n---\n\nThe tank number ${n} is full.\n`)
    const memory = await here.open({ timeZone: 'America/Los_Angeles' })
    const report = await memory.index()
    expect(report.documents).toMatchObject({ added: values.length, skipped: 0 })
    const { results } = await memory.search('tank full', { limit: 20 })
    expect(results).toHaveLength(values.length)
    for (const { snippet, startLine } of results) {
      expect(startLine).toBe(6)
      expect(snippet).not.toMatch(/title|tags/)
    }
    expect((await memory.index()).documents).toMatchObject({ added: 0, changed: 0 })
  })

  it('made on Windows is read like any other, and its line numbers are those of the file', async () => {
    here.note(
      'memory/boiler.md',
      '\ufeff---\r\ntitle: Boiler\r\ntags: [heat]\r\n---\r\n# Boiler\r\nPressure is 1.4 bar.\r\n',
    )
    const memory = await here.openIndexed()
    const [hit] = (await memory.search('1.4 bar')).results
    expect(hit).toMatchObject({ header: 'Boiler', startLine: 5, endLine: 6, snippet: '# Boiler\nPressure is 1.4 bar.' })
  })

  it('with a NUL in it keeps its words, and a transcript does too', async () => {
    here.note('memory/nul.md', '# Nul\n\nbefore\u0000after the lock\n')
    here.session('nul.jsonl', [head('nul'), user('left\u0000right of the bridge')])
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    for (const [query, path] of [
      ['after the lock', 'memory/nul.md'],
      ['left bridge', 'sessions/nul.jsonl'],
      ['right bridge', 'sessions/nul.jsonl'],
    ]) {
      const [hit] = (await memory.search(query ?? '', { mode: 'keyword' })).results
      expect(hit?.path, query).toBe(path)
      expect(hit?.snippet).not.toContain('\u0000')
    }
    expect((await memory.status()).skipped).toEqual([])
  })

  it('is cut between characters, never inside one', async () => {
    const signs = ['🦉', '👩‍👩‍👧', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'e\u0301']
    const embedding = createFakeProvider({ windowChars: 4000 })
    const texts = new Map<string, string>()
    for (const [n, sign] of signs.entries()) {
      for (let shift = 0; shift <= 8; shift++) {
        const start = `Note ${n} ${shift} `
        const text = `${start}${'字'.repeat(2000 - start.length - sign.length - 4 + shift)}${sign}${'水'.repeat(300)}`
        texts.set(`memory/e${n}-${shift}.md`, text)
        here.note(`memory/e${n}-${shift}.md`, `${text}\n`)
      }
    }
    const memory = await here.openIndexed({ embedding })
    expect(embedding.texts.length).toBeGreaterThan(texts.size)
    for (const text of embedding.texts) expect(text.isWellFormed()).toBe(true)
    for (const [path, text] of texts)
      expect((await memory.get(path)).text.replaceAll(/[\n ]/g, '')).toBe(text.replaceAll(' ', ''))
  })

  it('has the name it has on disk, whatever characters that is made of', async () => {
    const names = {
      'rope_list.md': 'teal',
      'rope-list.md': 'plum',
      'rope list.md': 'rust',
      '🦑.md': 'ivory',
      'Ünïcode.md': 'moss',
      "it's 100% [ok] #1.md": 'coral',
    }
    for (const [name, colour] of Object.entries(names))
      here.note(`memory/${name}`, `The rope on the left is ${colour}.\n`)
    const memory = await here.openIndexed()
    expect((await memory.status()).documents).toBe(6)
    for (const [name, colour] of Object.entries(names)) {
      const [hit] = (await memory.search(colour)).results
      expect(hit?.path).toBe(`memory/${name}`)
      expect(statSync(join(here.notes, hit?.path ?? '')).isFile()).toBe(true)
      expect((await memory.get(hit?.path ?? '')).text).toContain(colour)
    }
  })
})

describe('words that nobody would store', () => {
  it('are no memories: wrappers, polls, screenshots', async () => {
    const picture = Buffer.from(Array.from({ length: 120_000 }, (_, n) => (n * 7919) % 251)).toString('base64')
    here.session('screen.jsonl', [
      head('screen'),
      user('Look at the gauge.'),
      {
        type: 'message',
        id: 'shot',
        timestamp: '2026-06-08T10:00:00Z',
        message: {
          role: 'toolResult',
          toolName: 'camera',
          content: [
            { type: 'image', data: picture, mimeType: 'image/png' },
            { type: 'text', text: 'gauge reads 41 psi' },
          ],
        },
      },
      printed('curl', `data:image/png;base64,${picture}\ndone: 3 gauges`),
    ])
    const embedding = createFakeProvider({ windowChars: 4000 })
    const memory = await here.openIndexed({ embedding })
    expect((await memory.status()).memories).toBeLessThan(5)
    expect((await memory.search('41 psi')).results[0]?.tool).toBe('camera')
    expect((await memory.search('3 gauges')).results.map(({ tool }) => tool)).toContain('curl')
    for (const text of embedding.texts) expect(text).not.toMatch(/[A-Za-z0-9+/]{200}/)
  })
})
