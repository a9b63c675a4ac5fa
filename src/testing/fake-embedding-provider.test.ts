import { describe, expect, it } from 'vitest'
import { MadeleineError } from '../errors.ts'
import { testEmbeddingProvider } from './embedding-provider-contract.ts'
import { createFakeProvider } from './fake-embedding-provider.ts'

testEmbeddingProvider('the fake provider', {
  create: () => createFakeProvider({ zeroFor: 'unspeakable' }),
  unrepresentable: 'something unspeakable happened',
})
testEmbeddingProvider('the fake provider with NaN', {
  create: () => createFakeProvider({ dimensions: 32, nanFor: 'unspeakable', delayMs: 1 }),
  unrepresentable: 'something unspeakable happened',
})

describe('createFakeProvider', () => {
  it('gives the same vectors in every process', async () => {
    const [vector = []] = await createFakeProvider({ dimensions: 8 }).embedQueries(['heron pier tide'])
    expect(Array.from(vector, Math.sign)).toEqual([-1, 1, 0, 0, 0, 0, 0, -1])
  })

  it('counts calls and keeps the texts it was given', async () => {
    const provider = createFakeProvider()
    await provider.embedDocuments(['a heron', 'a pier'])
    await provider.embedQueries(['where?'])
    expect(provider).toMatchObject({ documentCalls: 1, queryCalls: 1, texts: ['a heron', 'a pier', 'where?'] })
  })

  it('fails as it is told, for as long as it is told', async () => {
    const failure = new MadeleineError('EMBEDDING_UNAVAILABLE', 'Cannot embed: down', { remedy: 'Wait' })
    const provider = createFakeProvider({ failWith: (texts) => (texts.includes('a pier') ? failure : undefined) })
    expect(await provider.embedDocuments(['a heron'])).toHaveLength(1)
    await expect(provider.embedDocuments(['a heron', 'a pier'])).rejects.toBe(failure)
    provider.failWith = undefined
    expect(await provider.embedDocuments(['a pier'])).toHaveLength(1)
  })

  it('ends a slow call when the caller gives up', async () => {
    const provider = createFakeProvider({ delayMs: 3_600_000 })
    const caller = new AbortController()
    const call = provider.embedQueries(['heron'], { signal: caller.signal })
    caller.abort()
    await expect(call).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  it('has another identity where its vectors differ', () => {
    const identities = [
      createFakeProvider(),
      createFakeProvider({ dimensions: 32 }),
      createFakeProvider({ windowChars: 500 }),
    ]
    expect(new Set(identities.map(({ identity }) => identity)).size).toBe(3)
    expect(createFakeProvider({ identity: 'mine' }).identity).toBe('mine')
  })
})
