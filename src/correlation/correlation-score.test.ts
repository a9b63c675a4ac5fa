import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComparedMemory } from './compared-memory.ts'
import { coOccurrence, correlationScore } from './correlation-score.ts'

function memory(text: string, occurredAt?: string, tier: ComparedMemory['tier'] = 'episodic'): ComparedMemory {
  const place = { root: '/work', path: 'a.md', position: 0, ...(occurredAt !== undefined && { occurredAt }) }
  return { id: text, text, tier, headerPath: [], place }
}

describe('correlationScore', () => {
  it('is the weighted sum of all four parts where all apply', () => {
    const [a, b] = [memory('heron weir', '2026-05-01T00:00:00Z'), memory('heron weir', '2026-05-08T00:00:00Z')]
    const { score, parts } = correlationScore(a, b, { cosine: 0.5, references: 2 })
    expect(parts).toEqual({
      semanticSimilarity: { value: 0.5, weight: 0.4 },
      coOccurrence: { value: 1, weight: 0.25 },
      temporalProximity: { value: Math.exp(-1), weight: 0.15 },
      crossReference: { value: 2 / 3, weight: 0.2 },
    })
    expect(score).toBeCloseTo(0.4 * 0.5 + 0.25 + 0.15 * Math.exp(-1) + (0.2 * 2) / 3)
  })

  it('shares the weights of parts that do not apply over the others', () => {
    const [a, b] = [memory('heron weir', undefined, 'semantic'), memory('heron weir', undefined, 'semantic')]
    const { score, parts } = correlationScore(a, b, { cosine: 0.9 })
    expect(Object.keys(parts)).toEqual(['semanticSimilarity', 'coOccurrence'])
    expect(score).toBeCloseTo((0.4 * 0.9 + 0.25) / 0.65)
  })

  it('compares the times of episodes only, and not that of the file', () => {
    const at = '2026-05-01T00:00:00Z'
    expect(correlationScore(memory('a b', at, 'semantic'), memory('a b', at)).parts.temporalProximity).toBeUndefined()
    const touched = memory('a b', at)
    touched.place.dateOrigin = 'mtime'
    expect(correlationScore(touched, memory('a b', at)).parts.temporalProximity).toBeUndefined()
  })

  it('counts a rare word in common for more than a common one', () => {
    const rarity = (key: string): number => (key === 'weir' ? 1 : 0.1)
    const [a, rare, common] = ['gravel weir path', 'sand weir road', 'gravel lock road']
    expect(coOccurrence(a, rare, rarity)).toBeGreaterThan(coOccurrence(a, common, rarity) ?? 1)
  })

  it('has no co-occurrence where neither says anything, and 0 where one does', () => {
    expect(coOccurrence('…', '!')).toBeUndefined()
    expect(coOccurrence('weir', '!')).toBe(0)
  })

  it('is symmetric, in [0,1], and finite for any texts and signals', () => {
    const date = fc.option(
      fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
      { nil: undefined },
    )
    const any = fc.tuple(fc.string({ unit: 'binary' }), date).map(([text, at]) => memory(text, at))
    const signals = fc.record({ cosine: fc.double(), references: fc.nat() }, { requiredKeys: [] })
    fc.assert(
      fc.property(any, any, signals, (a, b, known) => {
        const { score, parts } = correlationScore(a, b, known)
        expect(correlationScore(b, a, known)).toEqual({ score, parts })
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        const weights = Object.values(parts).map(({ weight }) => weight)
        if (weights.length > 0) expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1)
      }),
    )
  })
})
