import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'

export interface EmbeddingProviderContractOptions {
  /** Opens the provider under test; it is closed when its tests are done. */
  create(): EmbeddingProvider | Promise<EmbeddingProvider>
  /** A text that this provider's model cannot represent, where the test can bring one about. */
  unrepresentable?: string
  /** Words of a text that the model cannot read at once; default 2,000, about 12,000 characters. */
  longTextWords?: number
}

const NOTES = [
  'The heron nests on pier four above the harbour.',
  'Maria prefers trains to planes when she travels to Zurich.',
  'The backup script runs every night at two and writes to tape.',
]
const ODD_TEXTS = [
  '',
  '   \n\t',
  'a',
  '🦩🦩🦩',
  '备份脚本每天晚上运行',
  'ไปไหนมา مرحبا بالعالم',
  'half a pair \ud83e and the other half \udda9',
  'nul \u0000 and bell \u0007',
  'x'.repeat(3000),
]
/** Vectors of one text may differ this much between batches: some models compute in low precision. */
const SAME_TEXT_COSINE = 0.999
const UNIT_TOLERANCE = 1e-3

/**
 * Registers the tests of the EmbeddingProvider contract with vitest. Every adapter runs them.
 *
 * @example
 * testEmbeddingProvider('my provider', { create: () => createMyProvider() })
 */
export function testEmbeddingProvider(name: string, options: EmbeddingProviderContractOptions): void {
  describe(`${name} keeps the contract of EmbeddingProvider`, () => {
    let provider: EmbeddingProvider
    beforeAll(async () => {
      provider = await options.create()
    })
    afterAll(async () => {
      await provider.close()
    })
    testVectors(() => provider)
    testOrder(() => provider)
    testLongTexts(() => provider, options.longTextWords ?? 2000)
    testOddTexts(() => provider, options.unrepresentable)
    testEnding(() => provider, options)
  })
}

function testVectors(provider: () => EmbeddingProvider): void {
  it('gives every document vectors of unit length and of its dimensions', async () => {
    const lists = await provider().embedDocuments(NOTES)
    expect(lists).toHaveLength(NOTES.length)
    expect(provider().dimensions).toBeGreaterThan(0)
    for (const list of lists) {
      expect(list.length).toBeGreaterThan(0)
      for (const vector of list) expectUnit(vector, provider().dimensions)
    }
  })

  it('gives every query one vector of unit length and of its dimensions', async () => {
    const vectors = await provider().embedQueries(['where does the heron nest?', 'when does the backup run?'])
    expect(vectors).toHaveLength(2)
    for (const vector of vectors) expectUnit(vector, provider().dimensions)
  })

  it('brings a question nearest to the note that answers it', async () => {
    const notes = await provider().embedDocuments(NOTES)
    const questions = ['pier of the heron nest', 'Maria trains or planes', 'backup script at night']
    const vectors = await provider().embedQueries(questions)
    expect(vectors.map((vector) => nearest(vector, notes))).toEqual([0, 1, 2])
  })

  it('has an identity that says what it is, and a batch size', () => {
    expect(provider().identity.trim()).not.toBe('')
    expect(provider().batchSize).toBeGreaterThanOrEqual(1)
  })
}

function testOrder(provider: () => EmbeddingProvider): void {
  it('answers nothing with nothing', async () => {
    expect(await provider().embedDocuments([])).toEqual([])
    expect(await provider().embedQueries([])).toEqual([])
  })

  it('keeps the order of more texts than fit one batch, and represents each as it does alone', async () => {
    const texts = Array.from({ length: provider().batchSize * 2 + 3 }, (_, i) => `${NOTES[i % 3]} Entry ${i}.`)
    const lists = await provider().embedDocuments(Object.freeze(texts))
    expect(lists).toHaveLength(texts.length)
    for (const i of [0, provider().batchSize, texts.length - 1]) {
      const [alone] = await provider().embedDocuments([texts[i] ?? ''])
      expect(cosine(only(lists[i]), only(alone))).toBeGreaterThan(SAME_TEXT_COSINE)
    }
  })

  it('does not mix calls that run at the same time', async () => {
    const alone = await provider().embedDocuments(NOTES)
    const together = await Promise.all(NOTES.map((note) => provider().embedDocuments([note])))
    for (const [i, lists] of together.entries()) {
      expect(cosine(only(lists[0]), only(alone[i]))).toBeGreaterThan(SAME_TEXT_COSINE)
    }
  })

  it('hands out vectors that the caller may change', async () => {
    const text = NOTES[0] ?? ''
    const [first] = await provider().embedDocuments([text])
    const kept = Float32Array.from(only(first))
    only(first).fill(0)
    const [second] = await provider().embedDocuments([text])
    expect(cosine(kept, only(second))).toBeGreaterThan(SAME_TEXT_COSINE)
  })
}

function testLongTexts(provider: () => EmbeddingProvider, words: number): void {
  const filler = Array.from({ length: words }, (_, i) => ['salt', 'water', 'stone', 'rope', 'tide'][i % 5]).join(' ')
  const last = 'The heron nests on pier four above the harbour.'

  it('embeds a long document in windows, the last words included', async () => {
    const [without = [], withLast = []] = await provider().embedDocuments([filler, `${filler}. ${last}`])
    expect(withLast.length).toBeGreaterThan(1)
    for (const vector of withLast) expectUnit(vector, provider().dimensions)
    const question = only(await provider().embedQueries(['pier of the heron nest']))
    expect(best(question, withLast)).toBeGreaterThan(best(question, without))
  })

  it('does the same in the middle of a batch', async () => {
    const lists = await provider().embedDocuments([NOTES[1] ?? '', filler, NOTES[2] ?? ''])
    expect(lists.map((list) => list.length > 1)).toEqual([false, true, false])
    const [alone] = await provider().embedDocuments([NOTES[2] ?? ''])
    expect(cosine(only(lists[2]), only(alone))).toBeGreaterThan(SAME_TEXT_COSINE)
  })

  it('cuts a long query and still gives it one vector', async () => {
    const vectors = await provider().embedQueries([`${last} ${filler}`, 'Maria and trains'])
    expect(vectors).toHaveLength(2)
    for (const vector of vectors) expectUnit(vector, provider().dimensions)
  })
}

function testOddTexts(provider: () => EmbeddingProvider, unrepresentable: string | undefined): void {
  it.each(ODD_TEXTS.map((text) => [JSON.stringify(text.slice(0, 30)), text]))(
    'takes the odd text %s',
    async (_, text) => {
      const [before, list = [], after] = await provider().embedDocuments([NOTES[0] ?? '', text, NOTES[1] ?? ''])
      for (const vector of [only(before), ...list, only(after)]) expectUnit(vector, provider().dimensions)
      const [query] = await provider().embedQueries([text])
      if (query && query.length > 0) expectUnit(query, provider().dimensions)
      expect(query).toBeInstanceOf(Float32Array)
    },
  )

  it.skipIf(unrepresentable === undefined)(
    'gives what it cannot represent no vector, and its neighbours theirs',
    async () => {
      const text = unrepresentable ?? ''
      const lists = await provider().embedDocuments([NOTES[0] ?? '', text, NOTES[1] ?? ''])
      expect(lists.map((list) => list.length)).toEqual([1, 0, 1])
      const queries = await provider().embedQueries([text, NOTES[2] ?? ''])
      expect(queries.map((vector) => vector.length)).toEqual([0, provider().dimensions])
    },
  )
}

function testEnding(provider: () => EmbeddingProvider, options: EmbeddingProviderContractOptions): void {
  it('does nothing for a caller who has given up, and serves the next one', async () => {
    const signal = AbortSignal.abort()
    await expect(provider().embedDocuments(NOTES, { signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await expect(provider().embedQueries(['heron'], { signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await provider().embedQueries(['heron'])).toHaveLength(1)
  })

  it('stops when the caller gives up on the way', async () => {
    const caller = new AbortController()
    const call = provider().embedDocuments(
      Array.from({ length: 200 }, (_, i) => `${NOTES[i % 3]} ${i}`),
      {
        signal: caller.signal,
      },
    )
    caller.abort()
    await expect(call).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await provider().embedDocuments([NOTES[0] ?? ''])).toHaveLength(1)
  })

  it('may be closed twice, and is unavailable afterwards', async () => {
    const other = await options.create()
    expect(other.identity).toBe(provider().identity)
    await other.close()
    await other.close()
    await expect(other.embedQueries(['heron'])).rejects.toMatchObject({ code: 'EMBEDDING_UNAVAILABLE' })
  })
}

function expectUnit(vector: Float32Array, dimensions: number): void {
  expect(vector).toBeInstanceOf(Float32Array)
  expect(vector).toHaveLength(dimensions)
  expect(Math.abs(Math.sqrt(cosine(vector, vector)) - 1)).toBeLessThan(UNIT_TOLERANCE)
}

function only(list: readonly Float32Array[] | undefined): Float32Array {
  const [vector] = list ?? []
  if (!vector) throw new Error('A text that any model can represent got no vector')
  return vector
}

/** Of unit vectors. NaN where the lengths differ, which no comparison lets pass. */
function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.NaN
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0)
}

function best(query: Float32Array, windows: readonly Float32Array[]): number {
  return Math.max(...windows.map((window) => cosine(query, window)))
}

function nearest(query: Float32Array, documents: ReadonlyArray<readonly Float32Array[]>): number {
  const scores = documents.map((windows) => best(query, windows))
  return scores.indexOf(Math.max(...scores))
}
