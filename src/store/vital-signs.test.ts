import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TIERS } from '../model/memory.ts'
import { importanceOf, stateOf, strengthOf, type VitalFacts } from './vital-signs.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 6, 20)

function facts(more: Partial<VitalFacts> = {}): VitalFacts {
  const day = { path: 'memory/2026-07-20.md', category: 'memory', tier: 'episodic', importance: 0.5 } as const
  return { ...day, occurredMs: NOW, accessCount: 0, lastAccessMs: null, incoming: 0, ...more }
}

const ago = (days: number): number => NOW - days * DAY_MS
const TOOL = { category: 'sessions', role: 'tool', path: 'sessions/a.jsonl' } as const

describe('how much of a memory is left', () => {
  it('halves with each half-life of its tier: 7, 30 and 90 days', () => {
    for (const [tier, days] of [
      ['episodic', 7],
      ['semantic', 30],
      ['procedural', 90],
    ] as const) {
      expect(strengthOf(facts({ tier, occurredMs: ago(days) }), NOW)).toBeCloseTo(0.5, 6)
    }
    expect(strengthOf(facts({ occurredMs: null }), NOW)).toBe(1)
  })

  it('comes back with reading, and never for good', () => {
    const old = facts({ occurredMs: ago(100) })
    expect(stateOf(old, NOW)).toBe('stale')
    const read = facts({ occurredMs: ago(100), accessCount: 1000, lastAccessMs: NOW })
    expect(stateOf(read, NOW)).toBe('active')
    expect(stateOf(read, NOW + 30 * DAY_MS)).toBe('stale')
  })

  it('lies between 0 and 1, falls with time and rises with reading, whatever the memory', () => {
    const any = fc.record({
      tier: fc.constantFrom(...TIERS),
      age: fc.nat(2000),
      reads: fc.nat(500),
      readAgo: fc.nat(2000),
      later: fc.nat(2000),
    })
    fc.assert(
      fc.property(any, ({ tier, age, reads, readAgo, later }) => {
        const one = facts({ tier, occurredMs: ago(age), accessCount: reads, lastAccessMs: ago(readAgo) })
        const strength = strengthOf(one, NOW)
        expect(strength).toBeGreaterThanOrEqual(0)
        expect(strength).toBeLessThanOrEqual(1)
        expect(strengthOf(one, NOW + later * DAY_MS)).toBeLessThanOrEqual(strength)
        expect(strengthOf({ ...one, accessCount: reads + 1 }, NOW)).toBeGreaterThanOrEqual(strength)
      }),
    )
  })
})

describe('how much a memory matters', () => {
  it('goes by its kind: a topic above a core file above a daily note above talk above what tools returned', () => {
    const importances = [
      facts({ path: 'memory/topics/boats.md', tier: 'semantic' }),
      facts({ path: 'MEMORY.md', tier: 'semantic' }),
      facts(),
      facts({ category: 'sessions', role: 'user' }),
      facts(TOOL),
    ].map(importanceOf)
    expect(importances).toEqual(importances.toSorted((a, b) => b - a))
    expect(new Set(importances).size).toBe(5)
  })

  it('is raised by references to it, and by what its source says of it', () => {
    expect(importanceOf(facts({ incoming: 1 }))).toBeGreaterThan(importanceOf(facts()))
    expect(importanceOf(facts({ incoming: 1000, importance: 1 }))).toBe(1)
    expect(importanceOf(facts({ importance: 0 }))).toBe(0)
  })
})

describe('the state of a memory', () => {
  it('is archived only where next to nothing is left of what does not matter', () => {
    expect(stateOf(facts({ ...TOOL, occurredMs: ago(60) }), NOW)).toBe('archived')
    expect(stateOf(facts({ ...TOOL, occurredMs: ago(20) }), NOW)).toBe('stale')
    expect(stateOf(facts({ ...TOOL, occurredMs: ago(60), incoming: 2 }), NOW)).toBe('stale')
    expect(stateOf(facts({ category: 'sessions', role: 'user', occurredMs: ago(3000) }), NOW)).toBe('stale')
    expect(stateOf(facts({ occurredMs: ago(3000) }), NOW)).toBe('stale')
  })
})
