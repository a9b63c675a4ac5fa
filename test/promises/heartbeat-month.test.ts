import { describe, expect, it, vi } from 'vitest'
import { findFaults, type LivedTick, liveThrough } from '../../bench/live-through.ts'

// Days are lived through tick by tick, with files arriving: a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 })

/** Three days of the sample's users, around a change to summer time and around its last notes. */
const STRETCHES = [
  { from: '2026-03-28T09:00:00Z', days: 2, timeZone: 'Europe/Zurich', everyMinutes: 60 },
  { from: '2026-07-19T15:00:00Z', days: 1, timeZone: 'America/Sao_Paulo', everyMinutes: 30 },
]

describe('heartbeats over the sample workspace', () => {
  it.each(STRETCHES)('keep their promises from $from on', async (stretch) => {
    const ticks = await liveThrough(stretch)
    expect(findFaults(ticks)).toEqual([])
    const reasons = new Set(ticks.map(({ result }) => result.decisionReason))
    expect(ticks.some(({ result }) => result.shouldAct)).toBe(true)
    expect(reasons).toContain('suppress_quiet_hours')
    expect(ticks.flatMap(({ result }) => result.degraded)).toEqual([])
    // The faults would be found, if there were any.
    const told = ticks.filter(({ result }) => result.shouldAct)
    expect(findFaults([...told, ...told].map((tick) => ({ ...tick, at: told[0]?.at ?? 0 })))).not.toEqual([])
    const atNight = (tick: LivedTick): LivedTick => ({ ...tick, local: '02:00', at: tick.at + 40 * 86_400_000 })
    const waiting = told.filter(({ result }) => result.urgency !== 'immediate').slice(0, 1)
    expect(findFaults(waiting.map(atNight)).join()).toMatch(/said at 02:00/)
    expect(findFaults(told.slice(0, 1).map((tick) => ({ ...tick, questions: 2 }))).join()).toMatch(/2 questions/)
  })
})
