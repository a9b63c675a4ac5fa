import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMadeleine, RETRIEVE_RECENCY, TIERS } from '../index.ts'
import { close, memory_retrieve, recencyOf, weighRecency } from './decay.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-decay-')))
const store = join(home, 'store.sqlite')
const DAY_MS = 86_400_000

beforeAll(async () => {
  const settings = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    MADELEINE_STORE: store,
    MADELEINE_EMBEDDING: 'none',
    MADELEINE_TIME_ZONE: 'UTC',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  // The tests' own variable is none of the program's.
  vi.stubEnv('MADELEINE_REQUIRE_ALL', undefined)
  const memory = await openMadeleine({ store, embedding: 'none' })
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const remember = (id: string, text: string, days: number, tier: (typeof TIERS)[number] = 'episodic') =>
    memory.remember(text, { id, tier, occurredAt: at(days), visibility: 'global' })
  await remember('old', 'The heron pump was serviced by Mara at the north quay.', 200)
  await remember('new', 'The heron pump was serviced by Mara at the south quay.', 1)
  await remember('bakery', 'The bakery opens at six.', 0)
  await memory.close()
})
afterAll(async () => {
  await close()
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

describe('memory_retrieve', () => {
  it('gives what answers, newer before older of equal relevance, each with its tier and time', async () => {
    const found = await memory_retrieve({ query: 'heron pump serviced by Mara' })
    expect(found.slice(0, 2).map(({ id }) => id)).toEqual(['new', 'old'])
    expect(found[0]).toEqual({
      id: 'new',
      type: 'episodic',
      score: expect.any(Number),
      snippet: expect.stringContaining('south quay'),
      occurredAt: expect.stringMatching(/^20/),
    })
    expect(found[1]?.score).toBeLessThan(found[0]?.score ?? 0)
  })

  it('weighs age as it is told to: not at all, by half unless told otherwise, or as much as it can', async () => {
    const scoreOfOld = async (recencyWeight?: number) => {
      const query = 'heron pump serviced by Mara north quay'
      const found = await memory_retrieve({ query, ...(recencyWeight !== undefined && { recencyWeight }) })
      return found.find(({ id }) => id === 'old')?.score ?? 0
    }
    const relevance = await scoreOfOld(0)
    expect(relevance).toBeGreaterThan(0.3)
    expect(await scoreOfOld()).toBeCloseTo(relevance / 2, 3)
    expect(await scoreOfOld(1)).toBeLessThan(0.01)
  })

  it('gives no more than asked for, and refuses values out of range', async () => {
    expect(await memory_retrieve({ query: 'heron pump', limit: 1 })).toHaveLength(1)
    for (const wrong of [{ recencyWeight: 1.5 }, { recencyWeight: Number.NaN }, { limit: 0 }, { limit: 2.5 }]) {
      await expect(memory_retrieve({ query: 'pump', ...wrong })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
  })
})

describe('recency', () => {
  const now = new Date('2026-06-10T00:00:00Z')

  it('is half after the half-life of the tier', () => {
    for (const tier of TIERS) {
      const then = new Date(now.getTime() - RETRIEVE_RECENCY.halfLifeDays[tier] * DAY_MS).toISOString()
      expect(recencyOf(tier, then, now)).toBeCloseTo(0.5, 12)
    }
    expect(RETRIEVE_RECENCY.halfLifeDays).toEqual({ episodic: 7, semantic: 30, procedural: 90 })
  })

  it('is whole for what lies ahead, and between for what nothing dates', () => {
    expect(recencyOf('episodic', '2026-07-01T00:00:00Z', now)).toBe(1)
    expect(recencyOf('episodic', undefined, now)).toBe(RETRIEVE_RECENCY.undated)
    expect(recencyOf('episodic', 'no date', now)).toBe(RETRIEVE_RECENCY.undated)
  })

  it('never makes a score greater than its relevance, and keeps the share that age cannot take', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, share, share, (relevance, recency, weight) => {
        const score = weighRecency(relevance, recency, weight)
        expect(score).toBeLessThanOrEqual(relevance + 1e-12)
        expect(score).toBeGreaterThanOrEqual(relevance * (1 - weight) - 1e-12)
      }),
    )
  })
})
