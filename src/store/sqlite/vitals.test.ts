import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWrite, OWNER, type Sample } from '../../testing/memory-store/samples.ts'
import { factsOf, importanceOf, lossOf, stateOf, strengthOf } from '../vital-signs.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const NOW = new Date('2026-07-20T12:00:00Z')
const TOOL = { role: 'tool', trust: 'untrusted', category: 'sessions' } as const

describe('states and losses in a file', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitals-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('are as the formulas have it, whatever the memories', async () => {
    const store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
    const dayAt = (n: number): string => new Date(NOW.getTime() - n * 86_400_000).toISOString()
    const makeSample = (n: number): Sample => ({
      ...{ id: `memory${n}`, text: `heron ${n}`, importance: [0.5, 0.5, 0.2, 0.9][n % 4] ?? 0.5 },
      tier: (['episodic', 'semantic', 'procedural'] as const)[n % 3] ?? 'episodic',
      ...(n % 7 !== 0 && { place: { occurredAt: dayAt(Math.floor(n / 5) * (n % 5)) } }),
      ...(n % 2 === 0 && TOOL),
    })
    const samples = Array.from({ length: 240 }, (_, n) => makeSample(n))
    await store.putDocuments([
      makeWrite('memory/topics/boats.md', samples.slice(0, 80)),
      makeWrite('SOUL.md', samples.slice(80, 160)),
      makeWrite('talk.jsonl', samples.slice(160)),
    ])
    for (const n of [3, 12, 13, 90, 180]) await store.recordAccess([`memory${n}`], new Date(dayAt(n)))
    for (const at of [NOW, new Date(dayAt(-40)), new Date(dayAt(-400)), new Date(dayAt(30))]) {
      await store.ageMemories(at)
      const memories = await store.listMemories(OWNER)
      const facts = memories.map((memory) => factsOf(memory, 0))
      expect(memories.map(({ state }) => state)).toEqual(facts.map((one) => stateOf(one, at.getTime())))
      const lossOfMemory = (index: number): number => {
        const one = facts[index]
        return one ? lossOf({ importance: importanceOf(one), strength: strengthOf(one, at.getTime()) }) : 0
      }
      const inOrder = memories
        .map(({ id }, index) => ({ id, loss: lossOfMemory(index) }))
        .sort((a, b) => b.loss - a.loss || (a.id < b.id ? -1 : 1))
      for (const limit of [1, 5, 60, 300]) {
        const vitals = await store.listVitals({ filter: OWNER, at, limit })
        expect(vitals.map(({ id }) => id)).toEqual(inOrder.slice(0, limit).map(({ id }) => id))
      }
    }
    await store.close()
  })
})
