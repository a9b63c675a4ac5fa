import { describe, expect, it } from 'vitest'
import type { SearchResponse } from '../../src/index.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { describeOverStores, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()
const idsOf = ({ results }: SearchResponse): string[] => results.map(({ id }) => id)

function knots(): void {
  for (const [name, text] of Object.entries({
    bowline: 'The bowline holds the dinghy at the ring.',
    reef: 'The reef knot ties the sail.',
    hitch: 'The clove hitch holds the fender at the rail.',
    figure: 'The figure eight stops the rope at the block.',
  }))
    here.note(`memory/${name}.md`, `# ${name}\n\n${text}\n`)
  here.session('talk.jsonl', [head('talk'), user('Which knot holds the dinghy?'), user('I bought a new rope of hemp.')])
}

describeOverStores(here, 'a model that was not made for a language', () => {
  it('is not asked what a question in it means: the words alone decide, and that is said', async () => {
    knots()
    const model = { ...createFakeProvider(), reads: (text: string) => /[a-z]/i.test(text) }
    const memory = await here.openIndexed({ embedding: model })
    here.note('memory/泵.md', '# 泵\n\n我们选了 HK-200 这台泵。\n')
    await memory.index()
    const asked = '我们选了哪台泵？'
    const found = await memory.search(asked)
    expect(found.results[0]?.path).toBe('memory/泵.md')
    expect(found.degraded).toEqual([
      { part: 'vector', reason: 'the model gave no vector for this query: keywords only' },
    ])
    expect(model.texts).not.toContain(asked)
    expect((await memory.recall({ prompt: asked })).text).toContain('HK-200')
    expect((await memory.search('which knot holds the dinghy?')).degraded).toEqual([])
  })
})

describeOverStores(here, 'another model', () => {
  it.each([
    ['of the same size', createFakeProvider({ identity: 'other-64' })],
    ['of another size', createFakeProvider({ identity: 'other-32', dimensions: 32 })],
  ])('%s gives keywords until an index run embeds anew, once', async (_name, other) => {
    knots()
    const first = await here.openIndexed({ embedding: createFakeProvider() })
    expect((await first.status()).vectors).toMatchObject({ identity: 'fake:64x1000', wanted: 'fake:64x1000' })
    await first.close()
    const memory = await here.open({ embedding: other })
    const expected = idsOf(await memory.search('which knot holds the dinghy?', { mode: 'keyword' }))
    const found = await memory.search('which knot holds the dinghy?')
    expect(idsOf(found)).toEqual(expected)
    expect(found.degraded).toEqual([{ part: 'vector-identity', reason: expect.stringMatching(/fake:64x1000.*other-/) }])
    expect((await memory.recall({ prompt: 'which knot holds the dinghy?' })).degraded).toEqual(found.degraded)
    expect(await memory.search('dinghy', { mode: 'vector' })).toMatchObject({
      results: [],
      degraded: [{ part: 'vector-identity' }],
    })
    expect(other.texts).toEqual([])
    expect((await memory.status()).vectors).toMatchObject({ identity: 'fake:64x1000', wanted: other.identity })
    expect((await memory.doctor()).findings).toContainEqual(expect.objectContaining({ id: 'vector-identity' }))
    const report = await memory.index()
    expect(report).toMatchObject({ embedded: 6, pending: 0, documents: { added: 0, changed: 0 } })
    const again = await memory.search('which knot holds the dinghy?', { explain: true })
    expect(again.degraded).toEqual([])
    expect(again.results[0]?.signals?.vector).toBeGreaterThan(0)
    expect((await memory.index()).embedded).toBe(0)
    expect((await memory.doctor()).findings).toEqual([])
  })

  it('none: keywords answer, nothing is degraded, and the vectors are kept for later', async () => {
    knots()
    const first = await here.openIndexed({ embedding: createFakeProvider() })
    await first.close()
    const bare = await here.openIndexed({ embedding: 'none' })
    const found = await bare.search('dinghy')
    expect(found.results[0]?.snippet).toContain('dinghy')
    expect(found.degraded).toEqual([])
    await bare.close()
    const back = createFakeProvider()
    const memory = await here.openIndexed({ embedding: back })
    expect(back.documentCalls).toBe(0)
    expect((await memory.search('dinghy', { explain: true })).results[0]?.signals?.vector).toBeGreaterThan(0)
  })
})

describeOverStores(here, 'vectors that a model cannot make', () => {
  it('rank nothing: such memories are found by their words, and all scores are numbers', async () => {
    for (let n = 0; n < 18; n++)
      here.note(`memory/rope-${n}.md`, `# Rope ${n}\n\nRope number ${n} hangs in locker ${n % 4}.\n`)
    here.note('memory/kelp.md', '# Weed\n\nThe kelp grew over the slipway.\n')
    here.note('memory/silt.md', '# Mud\n\nThe silt filled the basin.\n')
    const embedding = createFakeProvider({ zeroFor: 'kelp', nanFor: 'silt' })
    const memory = await here.open({ embedding })
    await memory.index()
    for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
      const { results } = await memory.search('rope locker', { mode, limit: 20 })
      expect(
        results
          .slice(0, 5)
          .map(({ path }) => path)
          .join(),
      ).not.toMatch(/kelp|silt/)
      for (const { score } of results) expect(score >= 0 && score <= 1, `${mode} ${score}`).toBe(true)
    }
    expect(await memory.status()).toMatchObject({ memories: 20, pending: 2 })
    expect((await memory.doctor()).findings).toContainEqual(
      expect.objectContaining({ id: 'vectors-pending', message: expect.stringMatching(/^2 memories/) }),
    )
    for (const word of ['kelp', 'silt']) expect((await memory.search(word)).results[0]?.path).toBe(`memory/${word}.md`)
    expect(
      (await memory.search('slipway', { mode: 'vector', limit: 50 })).results.map(({ path }) => path),
    ).not.toContain('memory/kelp.md')
  })
})

describe('plain JavaScript', () => {
  it('in place of compiled code gives the same answers, and says so', async () => {
    knots()
    const options = { embedding: createFakeProvider() }
    const native = await here.openIndexed(options)
    const plain = await here.open({ embedding: createFakeProvider(), noNative: true })
    for (const query of ['which knot holds the dinghy?', 'rope', 'sail at the rail', 'zebra']) {
      for (const mode of ['hybrid', 'vector'] as const) {
        const [a, b] = [await native.search(query, { mode }), await plain.search(query, { mode })]
        expect(b.results).toEqual(a.results)
      }
    }
    expect((await native.status()).vectors.backend).toBe('wasm')
    expect((await plain.status()).vectors.backend).toBe('js')
  })
})

describeOverStores(here, 'a model that gives up half way', () => {
  it('leaves all words findable, keeps what is embedded, and goes on from there', async () => {
    for (let n = 0; n < 20; n++) here.note(`memory/n${n}.md`, `# Note ${n}\n\nCrate ${n} stands in hall ${n}.\n`)
    const embedding = createFakeProvider({ batchSize: 4 })
    embedding.failWith = () => (embedding.documentCalls > 2 ? new Error('quota exceeded') : undefined)
    const memory = await here.open({ embedding })
    const report = await memory.index()
    expect(report).toMatchObject({ embedded: 8, pending: 12 })
    expect(report.problems).toEqual([
      expect.objectContaining({ failed: true, reason: expect.stringContaining('quota exceeded') }),
    ])
    embedding.failWith = undefined
    for (const n of [0, 19]) expect((await memory.search(`crate ${n}`)).results[0]?.path).toBe(`memory/n${n}.md`)
    const { degraded } = await memory.search('crate 19')
    expect(degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('12') }])
    const given = embedding.texts.length
    expect(await memory.index()).toMatchObject({ embedded: 12, pending: 0, problems: [] })
    expect(embedding.texts.length - given).toBe(12)
    expect(new Set(embedding.texts.slice(given)).size).toBe(12)
  })

  it('remembers all the same', async () => {
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    for (const failure of [new Error('fetch failed'), new TypeError('x is undefined')]) {
      embedding.failWith = failure
      const { id } = await memory.remember(`The spare key hangs behind ${failure.message}.`)
      embedding.failWith = undefined
      expect((await memory.get(id)).text).toContain('spare key')
    }
    expect((await memory.status()).pending).toBe(2)
    expect((await memory.index()).embedded).toBe(2)
  })
})
