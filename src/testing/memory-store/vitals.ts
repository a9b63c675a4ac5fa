import { describe, expect, it } from 'vitest'
import type { MemoryState } from '../../model/memory.ts'
import { relate } from './relationships.ts'
import { askFor, findIds, makeContent, makeWrite, OWNER, type Sample } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const NOW = new Date('2026-07-20T12:00:00Z')

function said(day: string, id: string, more: Partial<Sample> = {}): Sample {
  const place = { occurredAt: `${day}T00:00:00Z` }
  return { id, text: `heron ${id}`, tier: 'episodic', place, ...more }
}

const TOOL = { role: 'tool', trust: 'untrusted', category: 'sessions' } as const

/** What a store promises about what is left of memories. */
export function testVitals(useStore: StoreFactory): void {
  describe('forgetting', () => {
    it('sets states by age and importance, and takes them back when something is read', async () => {
      const store = await useStore()
      await store.putDocuments([
        makeWrite('notes.md', [said('2026-07-19', 'new'), said('2026-05-01', 'old'), { id: 'undated', text: 'egret' }]),
        makeWrite('talk.jsonl', [said('2026-05-01', 'output', TOOL)]),
      ])
      const statesOf = async (): Promise<Record<string, MemoryState>> =>
        Object.fromEntries((await store.listMemories(OWNER)).map(({ id, state }) => [id, state]))
      expect(await store.ageMemories(NOW)).toBe(2)
      expect(await statesOf()).toEqual({ new: 'active', old: 'stale', output: 'archived', undated: 'active' })
      expect(await store.ageMemories(NOW)).toBe(0)
      expect(await store.countMemories({ ...OWNER, states: ['active'] })).toBe(2)
      expect(await store.countMemories({ ...OWNER, states: ['stale', 'archived'] })).toBe(2)

      for (let n = 0; n < 6; n++) await store.recordAccess(['output'], NOW)
      expect(await store.ageMemories(NOW)).toBe(1)
      expect(await statesOf()).toMatchObject({ output: 'active' })
    })

    it('gives what is new the state of the time that its write names, and leaves what was there as it is', async () => {
      const store = await useStore()
      const samples = [said('2026-07-19', 'new'), said('2026-05-01', 'old'), { id: 'undated', text: 'egret' }]
      await store.putDocuments([makeWrite('early.md', [said('2026-05-01', 'early')])])
      await store.putDocuments([
        { ...makeWrite('early.md', [said('2026-05-01', 'early')]), agedAtMs: NOW.getTime() },
        { ...makeWrite('notes.md', samples), agedAtMs: NOW.getTime() },
        { ...makeWrite('talk.jsonl', [said('2026-05-01', 'output', TOOL)]), agedAtMs: NOW.getTime() },
      ])
      const states = (await store.listMemories(OWNER)).map(({ id, state }) => [id, state])
      expect(Object.fromEntries(states)).toEqual({
        ...{ early: 'active', new: 'active', old: 'stale', output: 'archived', undated: 'active' },
      })
      expect(await store.countMemories({ ...OWNER, states: ['stale', 'archived'] })).toBe(2)
      expect(await store.ageMemories(NOW)).toBe(1)
      expect(await store.check()).toEqual([])
    })

    it('hides nothing but from filters that ask for states', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('talk.jsonl', [said('2026-05-01', 'output', TOOL)])])
      await store.ageMemories(NOW)
      expect(await findIds(store, askFor('heron'))).toEqual(['output'])
      const filter = { ...OWNER, states: ['active' as const, 'stale' as const] }
      expect(await findIds(store, askFor('heron', { filter }))).toEqual([])
    })

    it('keeps states when the document is written again, and begins anew with another text', async () => {
      const store = await useStore()
      const old = said('2026-05-01', 'old')
      await store.putDocuments([makeWrite('notes.md', [old])])
      await store.ageMemories(NOW)
      await store.putDocuments([makeWrite('notes.md', [old, said('2026-05-01', 'beside')])])
      const filter = { ...OWNER, states: ['stale' as const] }
      expect((await store.listMemories(filter)).map(({ id }) => id)).toEqual(['old'])
      expect(await store.check()).toEqual([])
      await store.putDocuments([makeWrite('notes.md', [said('2026-07-19', 'beside')])])
      await store.putDocuments([makeWrite('notes.md', [old])])
      expect(await store.listMemories(filter)).toEqual([])
    })

    it('lists those first of which most is lost by how much they matter', async () => {
      const store = await useStore()
      await store.putDocuments([
        makeWrite('memory/topics/boats.md', [
          { id: 'topic', text: 'heron', headerPath: ['Boats', 'Keel'], place: { occurredAt: '2026-01-01T00:00:00Z' } },
        ]),
        makeWrite('memory/2026-01-01.md', [said('2026-01-01', 'daily'), said('2026-07-20', 'today')]),
      ])
      await store.relationships.put([relate('daily', 'topic')], { now: NOW })
      await store.recordAccess(['topic'], new Date('2026-01-02T00:00:00Z'))
      const vitals = await store.listVitals({ filter: OWNER, at: NOW, limit: 2 })
      expect(vitals.map(({ id }) => id)).toEqual(['topic', 'daily'])
      expect(vitals[0]).toMatchObject({
        ...{ path: 'memory/topics/boats.md', header: 'Boats > Keel', tier: 'semantic', state: 'active', size: 5 },
        ...{ accessCount: 1, lastAccess: '2026-01-02T00:00:00.000Z', incoming: 1 },
        ...{ occurredAt: '2026-01-01T00:00:00.000Z' },
      })
      await store.addRemembered(makeContent({ id: 'stated', text: 'stated', importance: 0.9 }), {})
      for (const [statedFrom, ids] of [
        [0.8, ['stated']],
        [0.5, ['stated', 'topic']],
        [0.95, []],
      ] as const) {
        const stated = await store.listVitals({
          filter: { ...OWNER, tiers: ['semantic'] },
          at: NOW,
          statedFrom,
          limit: 9,
        })
        expect(stated.map(({ id }) => id).sort()).toEqual(ids)
      }
      const other = { viewer: { tenant: 'elsewhere' } }
      expect(await store.listVitals({ filter: other, at: NOW, limit: 9 })).toEqual([])
    })

    it('keeps remembered memories as they are but for their state', async () => {
      const store = await useStore()
      await store.addRemembered(makeContent('heron'), { occurredAt: '2026-01-01T00:00:00Z' })
      const [before] = await store.getMemories(['heron'])
      await store.ageMemories(NOW)
      expect(await store.getMemories(['heron'])).toEqual([{ ...before, state: 'stale' }])
    })
  })
}
