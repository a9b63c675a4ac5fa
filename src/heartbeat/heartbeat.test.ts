import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { describePlaces } from '../../test/stores.ts'
import type { Heart, HeartbeatAnalysis, HeartbeatResult, Signal } from '../model/heartbeat.ts'
import { openNamedStore } from '../open.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { makeWrite, type Sample } from '../testing/memory-store/samples.ts'
import { createHeart, type HeartParts } from './heartbeat.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const TEN = '2026-03-04T10:00:00Z'

/** Where the store is. */
let location: string
const opened: MemoryStore[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const store of opened.splice(0)) await store.close()
})

const TENANTS = ['local']

async function openStore(): Promise<MemoryStore> {
  const store = await openNamedStore(location, { timeZone: 'UTC', tenants: TENANTS })
  opened.push(store)
  return store
}

const conflict = (name: string, more: Partial<Signal> = {}): Signal => ({
  ...{ kind: 'conflict', urgency: 'elevated', signature: `conflict:${name}`, summary: `${name} is told two ways` },
  ...{ memoryIds: [name], weight: 5, ...more },
})

/** A heart over the store, as a process of its own would have it. */
async function openHeart(at: () => string, parts: Partial<HeartParts> = {}): Promise<Heart & { store: MemoryStore }> {
  const store = await openStore()
  const heart = createHeart({
    store,
    clock: () => new Date(at()),
    timeZone: 'UTC',
    toViewer: ({ agentId, project }) => ({
      tenant: 'local',
      ...(agentId !== undefined && { agent: agentId }),
      ...(project !== undefined && { project }),
    }),
    collectSignals: async () => ({ signals: [conflict('tern')], degraded: [] }),
    enrich: async (result) => result,
    listTurns: async () => [],
    reportSalience: async () => ({ timestamp: TEN, items: [], prompts: [], totalItems: 0 }),
    ...parts,
  })
  return { ...heart, store }
}

const remember = (store: MemoryStore, ...samples: Sample[]) => store.putDocuments([makeWrite('notes.md', samples)])

const VERDICT: HeartbeatAnalysis = {
  ...{
    shouldAct: true,
    actionBrief: 'Look at the tern.',
    recommendedActions: [],
    urgency: 'high',
    reasoning: 'because',
  },
  evidence: [],
  usage: { model: 'test', inputTokens: 1, outputTokens: 1, cost: null, elapsedMs: 1 },
}

describePlaces('a tick', (locationOf) => {
  beforeEach(() => {
    location = locationOf()
  })

  it('shows what was found, by kind, with its place and time', async () => {
    const heart = await openHeart(() => TEN, {
      collectSignals: async () => ({
        signals: [conflict('tern'), conflict('goal', { kind: 'goal_progress', urgency: 'normal', progress: 0.4 })],
        degraded: [{ part: 'patterns', reason: 'too little is known' }],
      }),
    })
    await remember(heart.store, { text: 'tern', place: { occurredAt: '2026-03-01T00:00:00Z' } }, { text: 'goal' })
    expect(await heart.heartbeat()).toMatchObject({
      shouldAct: true,
      decisionReason: 'first_contact',
      urgency: 'elevated',
      nextDue: '2026-03-04T10:30:00.000Z',
      conflicts: [
        {
          memory: { id: 'tern', path: 'notes.md', occurredAt: '2026-03-01T00:00:00Z' },
          reason: 'tern is told two ways',
        },
      ],
      goalProgress: [{ id: 'goal', path: 'notes.md', progress: 0.4 }],
      continuity: null,
      summary: 'tern is told two ways; goal is told two ways',
      degraded: [{ part: 'patterns', reason: 'too little is known' }],
    })
  })

  it('does not act again after a restart, and does once the cooldown is over', async () => {
    let now = TEN
    expect(await (await openHeart(() => now)).heartbeat()).toMatchObject({ shouldAct: true })
    now = '2026-03-04T10:01:00Z'
    const again = await (await openHeart(() => now)).heartbeat()
    expect(again).toMatchObject({
      shouldAct: false,
      decisionReason: 'suppress_cooldown',
      signals: [{ signature: 'conflict:tern', suppressedBy: 'suppress_cooldown' }],
      summary: '1 signal held back: too soon after what was told last.',
    })
    now = '2026-03-04T10:40:00Z'
    expect((await (await openHeart(() => now)).heartbeat()).shouldAct).toBe(true)
  })

  it('acts in one of several that tick at once over one store', async () => {
    const hearts = await Promise.all([1, 2, 3, 4].map(() => openHeart(() => TEN)))
    const results = await Promise.all(hearts.map((heart) => heart.heartbeat()))
    expect(results.map(({ decisionReason }) => decisionReason).sort()).toEqual([
      'first_contact',
      'suppress_claimed',
      'suppress_claimed',
      'suppress_claimed',
    ])
  })

  it('acts in one of two processes that tick at the same moment', async () => {
    await openStore()
    const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
    const script = `
      import { createHeart } from ${url('./heartbeat.ts')}
      import { openNamedStore } from ${url('../open.ts')}
      const store = await openNamedStore(${JSON.stringify(location)}, ${JSON.stringify({ timeZone: 'UTC', tenants: TENANTS })})
      const signals = [${JSON.stringify(conflict('tern'))}]
      const heart = createHeart({
        store, clock: () => new Date(${JSON.stringify(TEN)}), timeZone: 'UTC', toViewer: () => ({ tenant: 'local' }),
        collectSignals: async () => ({ signals, degraded: [] }), enrich: async (result) => result, listTurns: async () => [],
      })
      process.stdin.once('data', async () => {
        const { decisionReason } = await heart.heartbeat()
        await store.close()
        process.stdout.write(decisionReason, () => process.exit())
      })
      process.stdout.write('ready ')`
    const processes = [1, 2].map(() => {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      children.push(child)
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        out += part
      })
      const ended = once(child, 'close').then(() => out)
      return { child, ended, ready: Promise.race([once(child.stdout, 'data'), ended]) }
    })
    await Promise.all(processes.map(({ ready }) => ready))
    for (const { child } of processes) child.stdin.write('now')
    const said = await Promise.all(processes.map(({ ended }) => ended))
    expect(said.sort()).toEqual(['ready first_contact', 'ready suppress_claimed'])
  })

  it('neither waits for ever nor bursts when the clock is set back', async () => {
    let now = '2026-03-04T12:00:00Z'
    const heart = await openHeart(() => now)
    const acts: string[] = []
    const tick = async (time: string) => {
      now = `2026-03-04T${time}:00Z`
      if ((await heart.heartbeat()).shouldAct) acts.push(time)
    }
    await tick('12:00')
    for (const time of ['11:00', '11:01', '11:15', '11:29', '11:31', '11:32']) await tick(time)
    expect(acts).toEqual(['12:00', '11:31'])
  })

  it('keeps what agents told apart', async () => {
    const heart = await openHeart(() => TEN)
    expect((await heart.heartbeat({ agentId: 'a1' })).shouldAct).toBe(true)
    expect((await heart.heartbeat({ agentId: 'a1' })).shouldAct).toBe(false)
    expect((await heart.heartbeat({ agentId: 'a2' })).shouldAct).toBe(true)
    expect(await heart.recentHeartbeats({ agentId: 'a2' })).toHaveLength(1)
    expect(await heart.recentHeartbeats()).toHaveLength(3)
  })

  it('keeps nothing of a trial', async () => {
    const heart = await openHeart(() => TEN)
    for (let tick = 0; tick < 3; tick++) expect((await heart.heartbeat({ dryRun: true })).shouldAct).toBe(true)
    expect(await heart.store.listStates('heartbeat/')).toEqual([])
    expect(await heart.recentHeartbeats()).toEqual([])
  })

  it('begins anew where what it kept is damaged or of another version, says so, and does not fire at once', async () => {
    let now = TEN
    const heart = await openHeart(() => now)
    await heart.heartbeat()
    const [kept] = await heart.store.listStates('heartbeat/state/')
    for (const value of ['{"version":1,', '"text"', '{"version":1,"told":5}', '{"version":99}', 'null']) {
      await heart.store.setState(kept?.key ?? '', value)
      now = '2026-03-04T11:00:00Z'
      const begun = await heart.heartbeat()
      expect(begun).toMatchObject({ shouldAct: false, decisionReason: 'suppress_cooldown' })
      expect(begun.degraded[0]?.reason).toMatch(/begun anew/)
      now = '2026-03-04T11:31:00Z'
      expect(await heart.heartbeat()).toMatchObject({ shouldAct: true, degraded: [] })
    }
  })

  it('holds back what it cannot keep', async () => {
    const store = await openStore()
    const failing = Object.assign(Object.create(store) as MemoryStore, {
      getState: (key: string) => store.getState(key),
      listMemories: () => Promise.resolve([]),
      counts: () => store.counts(),
      getMemories: () => Promise.resolve([]),
      claimState: () => Promise.reject(new Error('the disk is full')),
      setState: () => Promise.reject(new Error('the disk is full')),
    })
    const heart = await openHeart(() => TEN, { store: failing })
    const result = await heart.heartbeat()
    expect(result).toMatchObject({
      shouldAct: false,
      decisionReason: 'suppress_claimed',
      signals: [{ suppressedBy: 'suppress_claimed' }],
    })
    expect(result.degraded.map(({ part }) => part)).toEqual(['heartbeat-state', 'heartbeat-log'])
  })

  it('goes on without a part that fails, and says which', async () => {
    const fail = () => Promise.reject(new Error('no such luck'))
    const parts = { listTurns: fail, enrich: fail, analyze: fail }
    const result = await (await openHeart(() => TEN, parts)).heartbeat({ analyze: true })
    expect(result.shouldAct).toBe(true)
    expect(result.degraded.map(({ part }) => part)).toEqual(['user-turns', 'related-context', 'analysis'])
    const blind = await openHeart(() => TEN, { collectSignals: fail })
    expect(await blind.heartbeat()).toMatchObject({
      shouldAct: false,
      decisionReason: 'no_signals',
      degraded: [{ part: 'signals', reason: 'no such luck' }],
    })
  })

  it('learns from transcripts and from heard turns whether it was answered', async () => {
    let now = '2026-03-04T08:00:00Z'
    let heard: number[] = []
    const heart = await openHeart(() => now, { listTurns: async () => heard })
    await heart.heartbeat()
    const answers = async (): Promise<unknown[]> => {
      const [state] = await heart.store.listStates('heartbeat/state/')
      return JSON.parse(state?.value ?? '').acts.map(({ answered }: { answered?: boolean }) => answered)
    }
    now = '2026-03-04T09:00:00Z'
    heard = [Date.parse('2026-03-04T08:20:00Z')]
    await heart.heartbeat()
    expect(await answers()).toEqual([true, undefined])
    await heart.store.putDocuments([
      makeWrite('sessions/s.jsonl', [
        { text: 'on it', role: 'user', category: 'sessions', place: { occurredAt: '2026-03-04T09:30:00Z' } },
        { text: 'fine', role: 'assistant', category: 'sessions', place: { occurredAt: '2026-03-04T09:58:00Z' } },
      ]),
    ])
    heard = []
    now = TEN
    await heart.heartbeat()
    expect(await answers()).toEqual([true, true])
  })
})

describePlaces('related context and analysis', (locationOf) => {
  beforeEach(() => {
    location = locationOf()
  })

  /** A heart that counts what it is asked for. */
  async function openCounting(verdict: boolean, at: () => string = () => TEN) {
    const calls = { enrich: 0, analyze: 0 }
    const heart = await openHeart(at, {
      async enrich(result): Promise<HeartbeatResult> {
        calls.enrich += 1
        return { ...result, graphContext: ['a -[supports]-> b'] }
      },
      async analyze() {
        calls.analyze += 1
        return { ...VERDICT, shouldAct: verdict }
      },
    })
    return { heart, calls }
  }

  it('are sought only where the tick acts, and where they are asked for', async () => {
    const { heart, calls } = await openCounting(true)
    expect(await heart.heartbeat({ dryRun: true })).not.toHaveProperty('analysis')
    expect(calls).toEqual({ enrich: 0, analyze: 0 })
    await heart.heartbeat({ dryRun: true, related: true })
    expect(calls).toEqual({ enrich: 1, analyze: 0 })
    const told = await heart.heartbeat({ analyze: true })
    expect(told).toMatchObject({ graphContext: ['a -[supports]-> b'], analysis: { actionBrief: 'Look at the tern.' } })
    expect(calls).toEqual({ enrich: 2, analyze: 1 })
    expect((await heart.heartbeat({ analyze: true, related: true })).shouldAct).toBe(false)
    expect(calls).toEqual({ enrich: 2, analyze: 1 })
  })

  it('may hold a tick back, which is asked about again only after the cooldown', async () => {
    let now = TEN
    const { heart, calls } = await openCounting(false, () => now)
    expect(await heart.heartbeat({ analyze: true })).toMatchObject({
      shouldAct: false,
      decisionReason: 'suppress_llm',
      signals: [{ suppressedBy: 'suppress_llm' }],
      analysis: { shouldAct: false },
    })
    now = '2026-03-04T10:20:00Z'
    expect((await heart.heartbeat({ analyze: true })).decisionReason).toBe('suppress_cooldown')
    now = '2026-03-04T10:40:00Z'
    await heart.heartbeat({ analyze: true })
    now = '2026-03-04T11:20:00Z'
    await heart.heartbeat({ analyze: true })
    expect(calls.analyze).toBe(3)
  })

  it('say so where no language model is configured', async () => {
    const heart = await openHeart(() => TEN)
    expect(await heart.heartbeat({ analyze: true })).toMatchObject({
      shouldAct: true,
      degraded: [{ part: 'analysis', reason: 'no language model is configured' }],
    })
  })
})

describePlaces('recent ticks', (locationOf) => {
  beforeEach(() => {
    location = locationOf()
  })

  it('are the last fifty, newest first, those that stayed silent too', async () => {
    let at = Date.parse(TEN)
    const heart = await openHeart(() => new Date(at).toISOString())
    await remember(heart.store, { text: 'tern' })
    for (let tick = 0; tick < 53; tick++, at += 60_000) await heart.heartbeat()
    const ticks = await heart.recentHeartbeats({ limit: 100 })
    expect(ticks).toHaveLength(50)
    expect(ticks[0]).toEqual({
      at: '2026-03-04T10:52:00.000Z',
      shouldAct: false,
      decisionReason: 'suppress_repeat',
      urgency: 'elevated',
      nextDue: '2026-03-04T11:22:00.000Z',
      signals: [
        {
          kind: 'conflict',
          urgency: 'elevated',
          signature: 'conflict:tern',
          summary: 'tern',
          suppressedBy: 'suppress_repeat',
        },
      ],
      summary: 'held 1 back',
    })
    expect(await heart.recentHeartbeats()).toHaveLength(10)
  })

  it('hold no word of what is forgotten', async () => {
    const heart = await openHeart(() => TEN, {
      collectSignals: async () => ({ signals: [conflict('tern', { topic: 'the secret of the heron' })], degraded: [] }),
    })
    await remember(heart.store, { text: '# Birds\n\n- the secret of the heron\n- another', id: 'tern' })
    await heart.heartbeat()
    expect((await heart.recentHeartbeats())[0]?.signals[0]?.summary).toBe('the secret of the heron')
    await heart.store.forget({ ids: ['tern'] }, new Date(TEN))
    expect(JSON.stringify(await heart.store.listStates('heartbeat/'))).not.toMatch(/heron|told two ways/)
    expect((await heart.recentHeartbeats())[0]?.signals[0]?.summary).toBe('')
  })

  it('go on after a clock that ran ahead', async () => {
    let at = Date.parse('2031-01-01T10:00:00Z')
    const heart = await openHeart(() => new Date(at).toISOString())
    for (let tick = 0; tick < 50; tick++, at += 60_000) await heart.heartbeat()
    at = Date.parse(TEN)
    await heart.heartbeat()
    const ticks = await heart.recentHeartbeats({ limit: 2 })
    expect(ticks.map((tick) => tick.at)).toEqual(['2026-03-04T10:00:00.000Z', '2031-01-01T10:49:00.000Z'])
  })
})
