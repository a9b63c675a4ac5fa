import { appendFileSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { IndexProgress, Madeleine } from '../../src/index.ts'
import { TRANSCRIPT_PART } from '../../src/options.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { agent, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

const say = (n: number): object => (n % 2 ? agent : user)(`Message ${n}: crate K${n} went to berth ${n}.`)
const talk = (count: number, from = 0): object[] => Array.from({ length: count }, (_, n) => say(from + n))
const toLines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Everything that can be told of a transcript: texts in order with their lines, and what is embedded. */
async function observe(memory: Madeleine): Promise<unknown> {
  const { text } = await memory.get('sessions/s.jsonl')
  const { memories, documents, partial } = await memory.status()
  return { text, memories, documents, partial }
}

describe('a transcript to which a line is added', () => {
  it('embeds that line alone, whatever its length', async () => {
    for (const count of [10, 400, 2 * TRANSCRIPT_PART.turns + 50]) {
      const file = here.session('s.jsonl', [head('s'), ...talk(count)])
      const embedding = createFakeProvider()
      const memory = await here.open({ embedding, store: join(here.home, `${count}.sqlite`) })
      await memory.index()
      const before = embedding.texts.length
      appendFileSync(file, toLines([user('The lighthouse lamp is from Oslo.')]))
      const report = await memory.index()
      expect(report).toMatchObject({ documents: { changed: 1 }, memories: { added: 1, removed: 0 }, embedded: 1 })
      expect(embedding.texts.slice(before)).toEqual([expect.stringContaining('lamp is from Oslo')])
      expect(embedding.texts.at(-1)).toContain(`crate K${count - 1} `)
      expect((await memory.search('lighthouse lamp')).results[0]?.snippet).toContain('Oslo')
      expect((await memory.doctor()).findings).toEqual([])
      await memory.close()
    }
  })

  it('while it was being written is read to its end the next time, once', async () => {
    const line = toLines([user('The lighthouse lamp is from Oslo.')])
    const file = here.session('s.jsonl', [head('s'), ...talk(40)])
    appendFileSync(file, line.slice(0, 60))
    const memory = await here.openIndexed()
    expect((await memory.status()).memories).toBe(40)
    appendFileSync(file, line.slice(60))
    await memory.index()
    const { results } = await memory.search('lighthouse lamp', { mode: 'keyword' })
    expect(results.filter(({ snippet }) => snippet.includes('lighthouse'))).toHaveLength(1)
    expect((await memory.status()).memories).toBe(41)
  })

  it('goes on with the answer that was the last one, as one memory', async () => {
    const record = (uuid: string, text: string): object => ({
      type: 'assistant',
      uuid,
      sessionId: 's',
      timestamp: '2026-06-08T10:00:00Z',
      cwd: '/no/such/folder',
      message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] },
    })
    const file = here.session('s.jsonl', [record('a', 'The pump leaks at the flange.')])
    const memory = await here.openIndexed()
    appendFileSync(file, toLines([record('b', 'A gasket of copper would mend it.')]))
    await memory.index()
    const { results } = await memory.search('pump gasket', { mode: 'keyword' })
    expect(results.map(({ snippet }) => snippet)).toEqual([
      'The pump leaks at the flange.\nA gasket of copper would mend it.',
    ])
  })

  it('does not bring back what was forgotten of it, and keeps no word of that', async () => {
    const file = here.session('s.jsonl', [head('s'), ...talk(300), user('The weathervane is from Riga.')])
    const memory = await here.openIndexed()
    const [found] = (await memory.search('weathervane')).results
    await memory.forget(found?.id ?? '')
    await memory.close()
    expect(readFileSync(here.storeFile).includes('weathervane')).toBe(false)
    const again = await here.open()
    appendFileSync(file, toLines(talk(1, 300)))
    expect((await again.index()).memories).toMatchObject({ total: 301, added: 1 })
    expect((await again.search('weathervane', { mode: 'keyword' })).results).toEqual([])
  })

  it('embeds it with no word of the turn before, when that was forgotten', async () => {
    const file = here.session('s.jsonl', [head('s'), ...talk(300), user('The weathervane is from Riga.')])
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const [found] = (await memory.search('weathervane')).results
    await memory.forget(found?.id ?? '')
    await memory.index({ full: true })
    for (let n = 300; n < 302; n++) {
      const before = embedding.texts.length
      appendFileSync(file, toLines(talk(1, n)))
      await memory.index()
      expect(embedding.texts.slice(before).join('\n')).not.toContain('weathervane')
    }
    await memory.close()
    expect(readFileSync(here.storeFile).includes('weathervane')).toBe(false)
  })

  it('is what it would be if it had been read at once, embedded texts included', async () => {
    const records = talk(1500)
    const texts: string[][] = []
    for (const steps of [[1500], [7, 640, 641, 1500]]) {
      const embedding = createFakeProvider()
      const memory = await here.open({ embedding, store: join(here.home, `${steps.length}.sqlite`) })
      for (const end of steps) {
        here.session('s.jsonl', [head('s'), ...records.slice(0, end)])
        await memory.index()
      }
      texts.push(embedding.texts.toSorted())
      texts.push([JSON.stringify(await observe(memory))])
      await memory.close()
    }
    expect(texts.slice(2)).toEqual(texts.slice(0, 2))
  })
})

describe('a long transcript', () => {
  const LONG = 4 * TRANSCRIPT_PART.turns

  it('tells how far it is; interrupted, it keeps what it has, says so, and goes on from there', async () => {
    here.session('s.jsonl', [head('s'), ...talk(LONG)])
    const memory = await here.open()
    const seen: IndexProgress[] = []
    const stop = new AbortController()
    const onProgress = (progress: IndexProgress): void => {
      if (progress.bytes) seen.push(progress)
      if (seen.length === 2) stop.abort()
    }
    await expect(memory.index({ onProgress, signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const half = await memory.status()
    expect(half).toMatchObject({ documents: 1, partial: 1 })
    expect(half.memories).toBeGreaterThan(2 * TRANSCRIPT_PART.turns - 1)
    expect(half.memories).toBeLessThan(LONG)
    expect((await memory.doctor()).findings).toMatchObject([{ id: 'documents-partial', severity: 'info' }])
    expect((await memory.search('crate K17', { mode: 'keyword' })).results[0]?.snippet).toContain('K17')
    const report = await memory.index()
    expect(report.memories).toMatchObject({ total: LONG, added: LONG - half.memories, removed: 0, duplicates: 0 })
    expect(await memory.status()).not.toHaveProperty('partial')
    expect((await memory.doctor()).findings).toEqual([])
    const places = seen.map(({ bytes }) => bytes?.done ?? 0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('whose beginning changed is read again as a whole and embeds what is new', async () => {
    const records = talk(LONG)
    here.session('s.jsonl', [head('s'), ...records])
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const before = embedding.texts.length
    here.session('s.jsonl', [head('s'), user('The lighthouse lamp is from Oslo.'), ...records.slice(0, -20)])
    const report = await memory.index()
    expect(report.memories).toMatchObject({ total: LONG - 19, added: 1, removed: 20 })
    // The line, and the one after it, which is embedded with the end of it.
    expect(embedding.texts.slice(before)).toHaveLength(2)
    expect((await memory.doctor()).findings).toEqual([])
  })

  it('read anew in full keeps all vectors', async () => {
    here.session('s.jsonl', [head('s'), ...talk(LONG)])
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    expect(await memory.index({ full: true })).toMatchObject({ embedded: 0, memories: { added: 0, removed: 0 } })
  })
})

describe('a change of the embedding model', () => {
  it('leaves words findable, and all memories are embedded anew by the next run', async () => {
    here.session('s.jsonl', [head('s'), ...talk(30)])
    const first = await here.openIndexed({ embedding: createFakeProvider() })
    await first.close()
    const embedding = createFakeProvider({ identity: 'another model' })
    const memory = await here.open({ embedding })
    const before = await memory.search('crate K17')
    expect(before.results[0]?.snippet).toContain('K17')
    expect(before.degraded).toMatchObject([{ part: 'vector-identity' }])
    expect(await memory.index({ skipEmbedding: true })).toMatchObject({ embedded: 0, pending: 30 })
    expect(await memory.index()).toMatchObject({ embedded: 30, pending: 0 })
    expect((await memory.search('crate K17')).degraded).toEqual([])
    expect((await memory.doctor()).findings).toEqual([])
  })
})

describe('what cannot be made again from the files', () => {
  it('survives a full run: what was remembered, what was forgotten, what was looked at', async () => {
    here.session('s.jsonl', [head('s'), ...talk(30)])
    here.note('memory/lamp.md', '# Lamp\n\nThe lighthouse lamp is from Oslo.\n')
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    const { id } = await memory.remember('Ines prefers the night ferry to Riga.')
    const [gone] = (await memory.search('crate K17', { mode: 'keyword' })).results
    await memory.forget(gone?.id ?? '')
    await memory.index({ full: true })
    expect(await memory.get(id)).toMatchObject({ text: 'Ines prefers the night ferry to Riga.' })
    expect((await memory.search('K17', { mode: 'keyword' })).results.map((found) => found.id)).not.toContain(gone?.id)
    expect((await memory.doctor()).findings).toEqual([])
  })
})

describe('a note that is renamed', () => {
  it('keeps its id and its vector when its title is its own', async () => {
    const file = here.note('memory/old.md', '---\ntitle: Sluice\n---\n# Gates\n\nThe sluice opens at dawn.\n')
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const [before] = (await memory.search('sluice dawn')).results
    renameSync(file, join(here.notes, 'memory/new.md'))
    expect(await memory.index()).toMatchObject({ embedded: 0 })
    expect((await memory.search('sluice dawn')).results[0]).toMatchObject({ id: before?.id, path: 'memory/new.md' })
  })
})
