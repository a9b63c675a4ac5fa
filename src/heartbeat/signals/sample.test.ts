import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMadeleine } from '../../index.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { collectSignals } from './collect-signals.ts'

const timeZone = 'Europe/Zurich'
const folder = mkdtempSync(join(tmpdir(), 'sample-'))
let store: MemoryStore

beforeAll(async () => {
  const workspace = join(folder, 'workspace')
  cpSync(join(import.meta.dirname, '../../../examples/workspace'), workspace, { recursive: true })
  // The lists of the sample are of the evening before.
  const written = new Date('2026-07-19T18:00:00+02:00')
  for (const name of readdirSync(workspace, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(workspace, name)).isFile()) utimesSync(join(workspace, name), written, written)
  }
  store = await openSqliteStore({ file: join(folder, 'store.db'), timeZone })
  const now = () => new Date('2026-07-20T09:00:00+02:00')
  const memory = await openMadeleine({
    workspaces: [workspace],
    store,
    embedding: 'none',
    now,
    timeZone,
    noThreads: true,
  })
  await memory.index()
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const tellAt = async (now: string): Promise<string[]> => {
  const kinds = ['scheduled', 'deadline', 'pending_work', 'knowledge_gap'] as const
  const parts = { store, viewer: { tenant: 'local' }, now: new Date(now), timeZone, kinds }
  return (await collectSignals(parts)).signals.map(({ kind, summary }) => `${kind}: ${summary}`)
}

describe('on the sample workspace', () => {
  it('a Monday morning begins with the hand-over, the disk and what is for today', async () => {
    const told = await tellAt('2026-07-20T09:00:00+02:00')
    expect(told.slice(0, 2).every((line) => line.startsWith('scheduled: '))).toBe(true)
    expect(told).toContain('deadline: For tomorrow: Draft the answer to Wanda (due today)')
    expect(told.filter((line) => line.startsWith('pending_work: ') && line.includes('petrel'))).toHaveLength(1)
    expect(told.length).toBeLessThan(12)
  })

  it('a quiet day says nothing', async () => {
    expect(await tellAt('2026-05-17T12:00:00+02:00')).toEqual([])
  })

  it('the day before the offer is due tells it', async () => {
    const told = await tellAt('2026-07-23T15:00:00+02:00')
    expect(told).toContain('deadline: Kestrel Bay renewal: our offer must be out by Friday 24 July (due tomorrow)')
  })
})
