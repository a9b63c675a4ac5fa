import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EmbeddingProvider } from '../../src/embedding/embedding-provider.ts'
import { createEngine, type EngineParts } from '../../src/engine.ts'
import type { Madeleine } from '../../src/index.ts'
import { RECALL_DEADLINE_MS } from '../../src/options.ts'
import { createInMemoryStore } from '../../src/store/memory/in-memory-store.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { createFakeProvider } from '../../src/testing/index.ts'

const PROMPT = 'which knot holds the dinghy at the ring?'
const CONVERSATION = { prompt: PROMPT, recentTurns: [{ role: 'user' as const, text: 'Tell me about the mooring.' }] }
const never = (): Promise<never> => new Promise(() => undefined)

/** Time passes where a test says so, and when timers are advanced. */
let now = 0
let store: MemoryStore
let engine: Madeleine
const monotonic = (): number => now

beforeEach(async () => {
  now = 0
  store = createInMemoryStore()
})
afterEach(async () => {
  vi.useRealTimers()
  await engine.close()
})

/** An engine over one memory that answers the prompt, with the given methods of the store in place of its own. */
async function open(methods: Partial<MemoryStore> = {}, embedding: EmbeddingProvider | null = null): Promise<void> {
  const parts = (used: MemoryStore, model: EmbeddingProvider | null): EngineParts => ({
    store: used,
    sources: [],
    embedding: model,
    clock: () => new Date('2026-06-10T09:00:00Z'),
    timeZone: 'UTC',
    viewer: { tenant: 'local', findProject: (folder) => folder },
    monotonic,
  })
  const writer = createEngine(parts(store, embedding && createFakeProvider({ identity: embedding.identity })))
  await writer.remember('The bowline holds the dinghy at the ring of the mooring.')
  const slow = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get({ ...methods }, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  engine = createEngine(parts(slow, embedding))
}

/** Advances clock and timers together, step by step, until the answer is there. */
async function pass<T>(answer: Promise<T>, ms: number): Promise<T> {
  let isDone = false
  void answer.finally(() => {
    isDone = true
  })
  for (const end = now + ms; now < end && !isDone; ) {
    now += 10
    await vi.advanceTimersByTimeAsync(10)
  }
  return answer
}

describe('the deadline of a recall', () => {
  it('leaves the keywords time where the model never answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await open({}, { ...createFakeProvider({ identity: 'mute' }), embedQueries: never })
    const answer = await pass(engine.recall({ prompt: PROMPT }), RECALL_DEADLINE_MS)
    expect(answer.items).toHaveLength(1)
    expect(answer.degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('too slow') }])
    expect(answer.elapsedMs).toBeLessThan(RECALL_DEADLINE_MS)
  })

  it('counts from the beginning: what was lost before the model was asked is not given to it again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const counts: MemoryStore['counts'] = (identity) => {
      now += 400
      return store.counts(identity)
    }
    await open({ counts }, { ...createFakeProvider({ identity: 'mute' }), embedQueries: never })
    const answer = await pass(engine.recall({ prompt: PROMPT }), RECALL_DEADLINE_MS)
    expect(answer.items).toHaveLength(1)
    expect(answer.elapsedMs).toBeLessThanOrEqual(RECALL_DEADLINE_MS * 0.7)
  })

  it('is kept by a store that blocks the thread: what is ready too late is not said, nor noted as said', async () => {
    let searches = 0
    const findCandidates: MemoryStore['findCandidates'] = (query) => {
      now += RECALL_DEADLINE_MS + 50
      searches += 1
      return store.findCandidates(query)
    }
    await open({ findCandidates })
    const answer = await engine.recall({ ...CONVERSATION, sessionId: 's-1' })
    expect(answer).toMatchObject({ text: '', items: [], reason: 'timeout', degraded: [{ part: 'recall' }] })
    expect(searches).toBe(1)
    expect(await store.listStates('recall/injected/')).toEqual([])
  })

  it('covers what comes before the search', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await open({ counts: never }, createFakeProvider())
    const answer = await pass(engine.recall({ prompt: PROMPT }), RECALL_DEADLINE_MS)
    expect(answer).toMatchObject({ text: '', items: [], reason: 'timeout' })
  })

  it('leaves the conversation out where there is no time for a second search', async () => {
    const findCandidates: MemoryStore['findCandidates'] = (query) => {
      now += RECALL_DEADLINE_MS * 0.6
      return store.findCandidates(query)
    }
    await open({ findCandidates })
    const answer = await engine.recall(CONVERSATION)
    expect(answer.items).toHaveLength(1)
    expect(answer.degraded).toEqual([{ part: 'context', reason: expect.stringContaining('the prompt alone') }])
  })
})
