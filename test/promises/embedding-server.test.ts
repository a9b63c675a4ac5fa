import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Madeleine, OpenOptions } from '../../src/index.ts'
import {
  type FakeEmbeddingServer,
  type FakeEmbeddingServerOptions,
  startFakeEmbeddingServer,
} from '../../src/testing/fake-embedding-server.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()
const QUESTION = 'which knot holds the dinghy?'
/** Changed in a test, it is another model behind the same name. */
let service: FakeEmbeddingServerOptions
let server: FakeEmbeddingServer

beforeEach(async () => {
  service = { kind: 'openai', dimensions: 16 }
  server = await startFakeEmbeddingServer(service)
  here.note('memory/bowline.md', '# Bowline\n\nThe bowline holds the dinghy at the ring.\n')
  here.note('memory/reef.md', '# Reef\n\nThe reef knot ties the sail.\n')
  here.note('memory/hitch.md', '# Hitch\n\nThe clove hitch holds the fender at the rail.\n')
})
afterEach(() => server.close())

const open = (options: OpenOptions = {}): Promise<Madeleine> =>
  here.open({ embedding: 'openai:m', embeddingEndpoint: { baseUrl: server.baseUrl }, ...options })

describe('a bad answer of an embedding server', () => {
  it.each(['nan', 'zeros'] as const)('costs a text its vector until the next run, and no longer: %s', async (reply) => {
    const memory = await open()
    server.script.push(reply)
    const report = await memory.index()
    expect(report).toMatchObject({ embedded: 0, pending: 3 })
    expect(report.problems).toEqual([
      { path: expect.stringContaining('openai:m'), reason: expect.stringContaining('3 memories'), failed: true },
    ])
    expect((await memory.search('bowline')).results[0]?.path).toBe('memory/bowline.md')
    expect((await memory.doctor()).findings.map(({ id }) => id)).toEqual(['vectors-pending', 'unread-parts'])
    expect(await memory.index()).toMatchObject({ embedded: 3, pending: 0, problems: [] })
    const { results, degraded } = await memory.search(QUESTION, { mode: 'vector' })
    expect(results[0]?.path).toBe('memory/bowline.md')
    expect(degraded).toEqual([])
  })

  it('costs the others nothing where one text never gets a vector, however many such texts come first', async () => {
    service.nanFor = 'unspeakable'
    for (let n = 0; n < 70; n++)
      here.note(`memory/2026-06-${n}.md`, `# Log ${n}\n\nAn unspeakable thing, number ${n}.\n`)
    const memory = await open()
    expect(await memory.index()).toMatchObject({ embedded: 3, pending: 70, problems: [{ failed: true }] })
  })

  it('leaves what is remembered pending', async () => {
    const memory = await open()
    server.script.push('nan')
    const { id } = await memory.remember('The spare key hangs behind the clock.')
    expect((await memory.get(id)).text).toContain('spare key')
    expect((await memory.status()).pending).toBe(1)
  })

  it.each(['nan', 'zeros'] as const)('to a question is answered by keywords, and said: %s', async (reply) => {
    const memory = await open()
    await memory.index()
    server.script.push(reply, reply)
    const found = await memory.search(QUESTION)
    expect(found.results[0]?.path).toBe('memory/bowline.md')
    expect(found.degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('keywords only') }])
    expect((await memory.recall({ prompt: QUESTION })).degraded).toEqual(found.degraded)
  })
})

describe('an embedding server whose vectors have another length than those in the store', () => {
  const BOTH = /(\b7\b.*\b16\b|\b16\b.*\b7\b)/

  async function openChanged(): Promise<Madeleine> {
    const first = await open()
    await first.index()
    await first.close()
    service.dimensions = 7
    return open()
  }

  it('leaves search, recall and remember their keywords, and is named', async () => {
    const memory = await openChanged()
    for (const profile of ['default', 'seed'] as const) {
      const found = await memory.search(QUESTION, { profile })
      expect(found.results[0]?.path).toBe('memory/bowline.md')
      expect(found.degraded).toEqual([{ part: 'vector-dimensions', reason: expect.stringMatching(BOTH) }])
    }
    const recalled = await memory.recall({ prompt: 'The bowline holds the dinghy' })
    expect(recalled.items[0]?.path).toBe('memory/bowline.md')
    expect(recalled.degraded).toEqual([{ part: 'vector-dimensions', reason: expect.stringMatching(BOTH) }])
    const { id } = await memory.remember('The spare key hangs behind the clock.')
    expect((await memory.get(id)).text).toContain('spare key')
    expect((await memory.status()).pending).toBe(1)
    expect((await memory.doctor()).findings).toContainEqual(
      expect.objectContaining({
        id: 'vector-dimensions',
        message: expect.stringMatching(BOTH),
        remedy: expect.stringContaining('index --full'),
      }),
    )
  })

  it('is a problem of an index run, which a full one gets out of', async () => {
    const memory = await openChanged()
    here.note('memory/eight.md', '# Eight\n\nThe figure eight stops the rope at the block.\n')
    const report = await memory.index()
    expect(report).toMatchObject({ embedded: 0, pending: 1, documents: { added: 1 } })
    expect(report.problems).toEqual([{ path: expect.any(String), reason: expect.stringMatching(BOTH), failed: true }])
    expect(report.problems[0]?.reason).toContain('index --full')
    expect(await memory.index({ full: true })).toMatchObject({ embedded: 4, pending: 0, problems: [] })
    const found = await memory.search('rope block', { mode: 'vector' })
    expect(found.degraded).toEqual([])
    expect(found.results[0]?.path).toBe('memory/eight.md')
    expect((await memory.doctor()).findings).toEqual([])
  })

  it('loses nothing to a full run while the server does not answer', async () => {
    const memory = await open()
    await memory.index()
    server.script.push({ status: 401 })
    expect(await memory.index({ full: true })).toMatchObject({ embedded: 0, pending: 0 })
    expect((await memory.search(QUESTION, { mode: 'vector' })).results[0]?.path).toBe('memory/bowline.md')
  })

  it('is taken as it is where nothing is left of the old length', async () => {
    const memory = await open()
    const { id } = await memory.remember('The spare key hangs behind the clock.')
    await memory.forget(id)
    await memory.close()
    service.dimensions = 7
    const later = await open()
    expect(await later.index()).toMatchObject({ embedded: 3, pending: 0, problems: [] })
  })
})

describe('a search by meaning alone', () => {
  it('says why it finds nothing where no embedding is configured', async () => {
    const memory = await here.openIndexed({ embedding: 'none' })
    const { results, degraded } = await memory.search(QUESTION, { mode: 'vector' })
    expect(results).toEqual([])
    expect(degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('no embedding is configured') }])
    expect((await memory.search(QUESTION)).degraded).toEqual([])
  })
})
