import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { agent, head, user, useWorkspace } from './workspace.ts'

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
