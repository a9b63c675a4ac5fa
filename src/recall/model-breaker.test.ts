import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import { createFakeProvider } from '../testing/fake-embedding-provider.ts'
import { createModelBreaker } from './model-breaker.ts'

describe('a model that does not answer', () => {
  it('is left alone after three failures in a row, and tried once after the pause', () => {
    let now = 0
    const breaker = createModelBreaker(() => now)
    breaker.noteFailure()
    breaker.noteFailure()
    breaker.noteAnswer()
    breaker.noteFailure()
    breaker.noteFailure()
    expect(breaker.pausedMs()).toBe(0)
    breaker.noteFailure()
    expect(breaker.pausedMs()).toBe(60_000)
    now = 60_000
    expect(breaker.pausedMs()).toBe(0)
    breaker.noteFailure()
    expect(breaker.pausedMs()).toBe(60_000)
    now = 120_000
    breaker.noteAnswer()
    breaker.noteFailure()
    expect(breaker.pausedMs()).toBe(0)
  })

  it('costs later recalls nothing: keywords answer, and the answer says why', async () => {
    const provider = createFakeProvider()
    const engine = createEngine({
      store: createInMemoryStore(),
      sources: [],
      embedding: provider,
      clock: () => new Date('2026-07-20T09:00:00Z'),
      timeZone: 'UTC',
      viewer: { tenant: 'local', findProject: (folder) => folder },
      monotonic: () => 0,
    })
    await engine.remember('The sluice gate opens at dawn, and closes at four.')
    provider.failWith = new Error('429')
    const ask = (turn: number) => engine.recall({ prompt: `when does the sluice gate open at dawn, day ${turn}?` })
    for (let turn = 0; turn < 3; turn++) expect((await ask(turn)).degraded[0]?.reason).toContain('429')
    const calls = provider.queryCalls
    const answer = await ask(4)
    expect(provider.queryCalls).toBe(calls)
    expect(answer.degraded).toEqual([
      { part: 'vector', reason: 'the model failed 3 times in a row: keywords only for 60 s more' },
    ])
    expect(answer.items[0]?.text).toContain('closes at four')
  })
})
