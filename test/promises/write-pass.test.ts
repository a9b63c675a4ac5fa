import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { agent, head, printed, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()
const MODES = ['keyword', 'vector', 'hybrid'] as const

/** Whether a word comes up in any way at all. */
async function knows(memory: Madeleine, word: string): Promise<boolean> {
  for (const mode of MODES) {
    const { results } = await memory.search(word, { mode, limit: 50 })
    if (results.some(({ snippet, header, path }) => `${snippet} ${header} ${path}`.includes(word))) return true
  }
  return (await memory.recall({ prompt: `what about ${word}?` })).text.includes(word)
}

describe('a change of a note', () => {
  it('that takes a section out takes it out of every index, and costs no embedding', async () => {
    const section = (name: string): string => `## ${name}\n\nThe drawer of ${name} holds the tools of ${name}.\n\n`
    here.note('memory/drawers.md', `# Drawers\n\n${section('amber')}${section('basalt')}${section('chalk')}`)
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    expect(await knows(memory, 'basalt')).toBe(true)
    const before = embedding.documentCalls
    here.note('memory/drawers.md', `# Drawers\n\n${section('amber')}${section('chalk')}`)
    const report = await memory.index()
    expect(report.documents).toMatchObject({ changed: 1 })
    expect(report.memories).toMatchObject({ added: 0, removed: 1 })
    expect(report.embedded).toBe(0)
    expect(embedding.documentCalls).toBe(before)
    expect(await knows(memory, 'basalt')).toBe(false)
    expect(await knows(memory, 'chalk')).toBe(true)
    expect((await memory.doctor()).findings).toEqual([])
    expect(await memory.status()).toMatchObject({ memories: 2, pending: 0 })
  })

  it('is seen though length and time stayed the same', async () => {
    const file = here.note('memory/pump.md', '# Pump\n\nThe pump is type A1.\n')
    const past = new Date('2026-01-01T00:00:00Z')
    utimesSync(file, past, past)
    const memory = await here.openIndexed()
    writeFileSync(file, '# Pump\n\nThe pump is type B2.\n')
    utimesSync(file, past, past)
    await memory.index()
    expect((await memory.search('pump type')).results.map(({ snippet }) => snippet)).toEqual([
      '# Pump\n\nThe pump is type B2.',
    ])
    expect((await memory.search('A1', { mode: 'keyword' })).results).toEqual([])
  })

  it('of place or name leaves ids as they are', async () => {
    here.note('memory/old-name.md', '# Sluice\n\nThe sluice opens at dawn.\n')
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const [before] = (await memory.search('sluice dawn')).results
    rmSync(join(here.notes, 'memory/old-name.md'))
    here.note(
      'memory/new-name.md',
      'A line above that was not there before.\n\n# Sluice\n\nThe sluice opens at dawn.\n',
    )
    await memory.index()
    const [after] = (await memory.search('sluice dawn')).results
    expect(after).toMatchObject({ id: before?.id, path: 'memory/new-name.md', startLine: 3 })
  })

  it('there is none in a second run', async () => {
    here.note('memory/a.md', '# A\n\nThe anchor is rusty.\n')
    here.session('s.jsonl', [head('s'), user('The anchor is new.')])
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const calls = embedding.documentCalls
    const again = await memory.index()
    expect(again.documents).toEqual({ total: 2, added: 0, changed: 0, removed: 0, skipped: 0 })
    expect(again.memories).toMatchObject({ added: 0, removed: 0 })
    expect(embedding.documentCalls).toBe(calls)
    const full = await memory.index({ full: true })
    expect(full.embedded).toBe(0)
    expect(full.memories.total).toBe(2)
  })
})

describe('what is forgotten', () => {
  it('is in no mode, no count and no byte of the store, and does not come back', async () => {
    const secret = ['pewter', 'weathervane'].join(' ')
    const embedding = createFakeProvider()
    here.note('memory/attic.md', `# Attic\n\nThe ${secret} lies in the attic.\n`)
    for (let n = 0; n < 8; n++) here.note(`memory/n${n}.md`, `# Box ${n}\n\nThe attic holds box ${n}.\n`)
    const memory = await here.openIndexed({ embedding })
    const { id } = await memory.remember(`The ${secret} was sold to Mara.`)
    for (const mode of MODES) expect((await memory.search(secret, { mode })).results.length).toBeGreaterThan(1)
    expect((await memory.forget(id)).forgotten).toEqual([id])
    const [noted] = (await memory.search(secret)).results
    expect(noted?.path).toBe('memory/attic.md')
    await memory.forget(noted?.id ?? '')
    await memory.index({ full: true })
    expect(await knows(memory, 'pewter')).toBe(false)
    expect((await memory.search('attic', { limit: 5 })).results).toHaveLength(5)
    expect((await memory.doctor()).findings).toEqual([])
    await expect(memory.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await memory.close()
    expect(readFileSync(here.storeFile).includes('weathervane')).toBe(false)
  })

  it('with a session that was deleted, too', async () => {
    const file = here.session('gone.jsonl', [head('gone'), user('The lighthouse lamp is from Oslo.')])
    here.note('memory/a.md', '# A\n\nThe lamp shop is closed on Mondays.\n')
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    rmSync(file)
    expect((await memory.index()).documents).toMatchObject({ removed: 1 })
    expect(await knows(memory, 'Oslo')).toBe(false)
    expect((await memory.doctor()).findings).toEqual([])
  })
})

describe('a session that was resumed', () => {
  const said = (n: number): { text: string; at: string } => ({
    text: `Message ${n}: crate K${100 + n} went to berth ${n}.`,
    at: new Date(Date.UTC(2026, 5, 8, 10, n)).toISOString(),
  })
  const ofOpenClaw = (session: string, count: number): object[] => [
    head(session),
    ...Array.from({ length: count }, (_, n) =>
      (n % 2 ? agent : user)(said(n).text, { id: `turn-${n}`, at: said(n).at }),
    ),
  ]
  const ofClaudeCode = (sessionId: string, count: number): object[] =>
    Array.from({ length: count }, (_, n) => ({
      type: n % 2 ? 'assistant' : 'user',
      uuid: `turn-${n}`,
      parentUuid: n > 0 ? `turn-${n - 1}` : null,
      sessionId,
      timestamp: said(n).at,
      cwd: '/no/such/folder',
      message:
        n % 2
          ? { id: `msg-${n}`, role: 'assistant', content: [{ type: 'text', text: said(n).text }] }
          : { role: 'user', content: said(n).text },
    }))

  it.each([
    ['OpenClaw', ofOpenClaw],
    ['Claude Code', ofClaudeCode],
  ])(
    'by %s adds only what is new, embeds each message once, and keeps all when one copy goes',
    async (_host, turnsOf) => {
      const first = here.session('a.jsonl', turnsOf('a', 30))
      here.session('b.jsonl', turnsOf('b', 35))
      here.session('c.jsonl', turnsOf('c', 40))
      const embedding = createFakeProvider()
      const memory = await here.openIndexed({ embedding })
      expect((await memory.status()).memories).toBe(40)
      expect(new Set(embedding.texts).size).toBe(embedding.texts.length)
      expect(embedding.texts.length).toBe(40)
      for (const name of ['K103', 'K138']) {
        const { results } = await memory.search(name, { mode: 'keyword', limit: 50 })
        expect(
          results.filter(({ snippet }) => snippet.includes(name)),
          name,
        ).toHaveLength(1)
      }
      rmSync(first)
      expect(await memory.index()).toMatchObject({ embedded: 0, memories: { total: 40, removed: 0 } })
      expect((await memory.search('crate K103', { mode: 'keyword' })).results[0]).toMatchObject({
        snippet: said(3).text,
        path: expect.stringMatching(/sessions\/[bc]\.jsonl/),
      })
    },
  )
})

describe('a folder', () => {
  it('that is gone for the moment loses nothing, and is reported; a file that cannot be read neither', async () => {
    here.note('memory/a.md', '# A\n\nThe anchor is rusty.\n')
    here.session('s.jsonl', [head('s'), user('The chain is new.')])
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    renameSync(here.notes, `${here.notes}-away`)
    const report = await memory.index()
    expect(report.problems).toEqual([{ path: here.notes, reason: expect.stringMatching(/./), failed: true }])
    expect(report.documents).toMatchObject({ total: 2, removed: 0 })
    expect((await memory.search('anchor')).results[0]?.path).toBe('memory/a.md')
    expect((await memory.status()).roots[0]).toMatchObject({ path: here.notes, problem: expect.any(String) })
    expect((await memory.doctor()).findings).toContainEqual(
      expect.objectContaining({ id: 'root-missing', severity: 'error' }),
    )
    renameSync(`${here.notes}-away`, here.notes)
    expect(await memory.index()).toMatchObject({ problems: [], documents: { added: 0, changed: 0, removed: 0 } })
  })
})

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
