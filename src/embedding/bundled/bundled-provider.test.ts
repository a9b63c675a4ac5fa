import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { testEmbeddingProvider } from '../../testing/embedding-provider-contract.ts'
import type { EmbeddingProvider } from '../embedding-provider.ts'
import { createBundledProvider } from './bundled-provider.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'madeleine-bundled-'))
const opened: EmbeddingProvider[] = []

function open(threads: number): EmbeddingProvider {
  const provider = createBundledProvider({ cacheDir, threads })
  opened.push(provider)
  return provider
}

afterAll(async () => {
  await Promise.all(opened.map((provider) => provider.close()))
  rmSync(cacheDir, { recursive: true, force: true })
})

const longText = (topic: string): string =>
  `The ${topic} log says that the tide was high and the gate stayed shut. `.repeat(30)

testEmbeddingProvider('the bundled model', { create: () => open(2), unrepresentable: '🦩🦩🦩' })

describe('createBundledProvider', () => {
  it('says which model, precision, window and version its vectors come from', () => {
    const provider = open(1)
    expect([provider.identity, provider.dimensions]).toEqual(['all-MiniLM-L6-v2/int8/w256/2', 384])
  })

  it.each([
    ['Which pump did we choose?', true],
    ['Welche Pumpe wählten wir?', true],
    ['PMP-7 在哪里', true],
    ['4711', true],
    ['我们选了哪台泵？', false],
    ['どのポンプを選びましたか', false],
    ['Какой насос мы выбрали?', false],
    ['हमने कौन सा पंप चुना?', false],
    ['PMP 我们选了哪台泵', false],
  ])('reads what is in Latin letters mostly: %s', (text, isRead) => {
    expect(open(1).reads?.(text)).toBe(isRead)
  })

  it('gives a long text one vector for each window, at its place among the others', async () => {
    const provider = open(2)
    const lists = await provider.embedDocuments(['heron', '', longText('harbour'), 'tide gauge'])
    expect(lists.map((list) => list.length)).toEqual([1, 0, 2, 1])
    const alone = await Promise.all([provider.embedDocuments(['tide gauge']), provider.embedQueries(['heron'])])
    expect(lists[3]).toEqual(alone[0][0])
    expect(lists[0]?.[0]).toEqual(alone[1][0])
  })

  it('cuts a query at the window', async () => {
    const provider = open(1)
    const [first, second] = await provider.embedQueries([
      longText('harbour'),
      longText('harbour') + longText('harbour'),
    ])
    expect(first).toEqual(second)
  })

  it('gives the same numbers with any number of threads', async () => {
    const texts = ['heron', longText('harbour'), 'tide']
    const [one, three] = await Promise.all([open(1).embedDocuments(texts), open(3).embedDocuments(texts)])
    expect(one).toEqual(three)
  })

  it('answers a query before a batch of documents that came earlier', async () => {
    const provider = open(1)
    const order: string[] = []
    const documents = provider
      .embedDocuments(Array.from({ length: 4 }, (_, index) => longText(`office ${index}`)))
      .then(() => order.push('documents'))
    // When this first query is answered, the documents' windows wait in line.
    await provider.embedQueries(['heron'])
    const query = provider.embedQueries(['where is the office?']).then(() => order.push('query'))
    await Promise.all([documents, query])
    expect(order).toEqual(['query', 'documents'])
  })

  it('leaves the event loop free while it embeds', async () => {
    const provider = open(1)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await provider.embedDocuments([longText('harbour')])
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })

  it('stops when the caller aborts', async () => {
    const provider = open(1)
    const stop = new AbortController()
    const documents = provider.embedDocuments([longText('harbour')], { signal: stop.signal })
    stop.abort()
    await expect(documents).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await expect(provider.embedQueries(['tide'], { signal: stop.signal })).rejects.toMatchObject({
      code: 'INTERRUPTED',
    })
  })

  it('costs nothing until it is used, and may be closed twice', async () => {
    const provider = createBundledProvider({ cacheDir: join(cacheDir, 'never'), threads: 1 })
    await provider.close()
    await provider.close()
    await expect(provider.embedQueries(['tide'])).rejects.toMatchObject({ code: 'EMBEDDING_UNAVAILABLE' })
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses %s threads', (threads) => {
    expect(() => createBundledProvider({ cacheDir, threads })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })

  it('lets a process end that never closes it', async () => {
    const script = join(cacheDir, 'open-and-leave.mjs')
    const module = pathToFileURL(join(import.meta.dirname, 'bundled-provider.ts')).href
    writeFileSync(
      script,
      `import { createBundledProvider } from ${JSON.stringify(module)}
       const provider = createBundledProvider({ cacheDir: ${JSON.stringify(cacheDir)}, threads: 2 })
       const [vector] = await provider.embedQueries(['heron'])
       await provider.embedDocuments(['heron', ${JSON.stringify(longText('harbour'))}])
       console.log(vector.length)`,
    )
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, script])
    expect(stdout.trim()).toBe('384')
  })
})
