import { expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import { createEngine } from '../engine.ts'
import { toRecalledTurn } from './turn-log.ts'

async function openEngine() {
  let now = Date.parse('2026-07-20T09:00:00Z')
  const engine = createEngine({
    store: await openEmptyStore(),
    sources: [],
    embedding: null,
    clock: () => {
      now += 1000
      return new Date(now)
    },
    timeZone: 'UTC',
    viewer: { tenant: 'local', findProject: (folder) => folder },
  })
  return engine
}

describeStores('what came of the last recalls', () => {
  it('is kept with the reason why each memory was in or out, newest first', async () => {
    const engine = await openEngine()
    const { id } = await engine.remember('The sluice gate opens at dawn, and closes at four.')
    await engine.recall({ prompt: 'when does the sluice gate open?', sessionId: 's-1' })
    await engine.recall({ prompt: 'thanks!', sessionId: 's-1' })
    const [last, first] = await engine.recentRecalls()
    expect(last).toMatchObject({
      prompt: 'thanks!',
      skipped: true,
      reason: 'acknowledgement or greeting',
      considered: [],
    })
    expect(first).toMatchObject({
      prompt: 'when does the sluice gate open?',
      sessionId: 's-1',
      skipped: false,
      considered: [{ id, outcome: 'injected' }],
    })
  })

  it('is the newest 50 at most, give or take the next pruning, with short prompts free of secrets', async () => {
    const engine = await openEngine()
    for (let turn = 0; turn < 75; turn++)
      await engine.recall({ prompt: `question ${turn} ${'about the tide '.repeat(40)}` })
    const all = await engine.recentRecalls({ limit: 1000 })
    expect(all.length).toBeLessThanOrEqual(60)
    expect(all.length).toBeGreaterThanOrEqual(50)
    expect(all[0]?.prompt).toMatch(/^question 74 /)
    expect(all.every(({ prompt }) => prompt.length <= 200)).toBe(true)
    await engine.recall({ prompt: 'the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a, use it for the sluice' })
    expect((await engine.recentRecalls({ limit: 1 }))[0]?.prompt).not.toContain('16C7e42F292c6912E7710c838347Ae178B4a')
  })

  it('is as of the clock: turns of one that ran ahead come last, and make room first', async () => {
    const store = await openEmptyStore()
    let now = Date.parse('2031-01-01T09:00:00Z')
    const clock = () => {
      now += 1000
      return new Date(now)
    }
    const viewer = { tenant: 'local', findProject: (folder: string) => folder }
    const engine = createEngine({ store, sources: [], embedding: null, clock, timeZone: 'UTC', viewer })
    for (let turn = 0; turn < 60; turn++) await engine.recall({ prompt: `what came ahead in turn ${turn}?` })
    now = Date.parse('2026-07-20T09:00:00Z')
    for (let turn = 0; turn < 12; turn++) await engine.recall({ prompt: `what came after in turn ${turn}?` })
    const prompts = (await engine.recentRecalls({ limit: 1000 })).map(({ prompt }) => prompt)
    expect(prompts.slice(0, 13)).toEqual([
      ...Array.from({ length: 12 }, (_, index) => `what came after in turn ${11 - index}?`),
      'what came ahead in turn 59?',
    ])
  })

  it('keeps words of a prompt, and no password that stands alone in it', async () => {
    const engine = await openEngine()
    await engine.recall({ prompt: `does s3cr3tpw99 open the lock at ${'e4'.repeat(20)} or 潮位計2番は?` })
    expect((await engine.recentRecalls())[0]?.prompt).toBe('does … open the lock at … or 潮位計2番は?')
  })

  it('is shown to the agent that asked, and to the owner', async () => {
    const engine = await openEngine()
    await engine.recall({ prompt: 'when does the sluice gate open?', agentId: 'a1' })
    expect(await engine.recentRecalls({ agentId: 'a2' })).toEqual([])
    expect(await engine.recentRecalls({ agentId: 'a1' })).toHaveLength(1)
    expect(await engine.recentRecalls()).toHaveLength(1)
  })

  it('is shown to nobody of another tenant', async () => {
    const store = await openEmptyStore()
    const openFor = (tenant: string) =>
      createEngine({
        ...{ store, sources: [], embedding: null, clock: () => new Date('2026-07-20T09:00:00Z'), timeZone: 'UTC' },
        viewer: { tenant, findProject: (folder) => folder },
      })
    const [own, other] = [openFor('local'), openFor('other')]
    await own.recall({ prompt: 'when does the sluice gate open?' })
    await own.heartbeat()
    expect(await own.recentRecalls()).toHaveLength(1)
    expect(await own.recentHeartbeats()).toHaveLength(1)
    expect(await other.recentRecalls()).toEqual([])
    expect(await other.recentHeartbeats()).toEqual([])
  })

  it('does not call in the block what was found when the turn had gone on', async () => {
    const engine = await openEngine()
    const { id } = await engine.remember('The sluice gate opens at dawn, and closes at four.')
    const request = { prompt: 'when does the sluice gate open?' }
    const answer = await engine.recall({ ...request, explain: true })
    const details = {
      at: new Date('2026-07-20T09:00:00Z'),
      viewer: { tenant: 'local' },
      considered: answer.trace ?? [],
    }
    expect(toRecalledTurn({ request, response: answer, ...details }).considered).toMatchObject([
      { id, outcome: 'injected' },
    ])
    const late = { ...answer, text: '', items: [], reason: 'timeout' }
    expect(toRecalledTurn({ request, response: late, ...details }).considered).toMatchObject([
      { id, outcome: 'too-late' },
    ])
  })
})
