import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allAt,
  anyAt,
  estimateMean,
  estimatePairedDifference,
  judgeRanking,
  MEASURES,
  median,
  ndcgAt,
  recallAt,
  reciprocalRank,
} from './metrics.ts'

const ranked = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']

describe('measures of a ranking', () => {
  it('gives the reciprocal of the first gold rank, however many follow', () => {
    expect(reciprocalRank(ranked, new Set(['a']))).toBe(1)
    expect(reciprocalRank(ranked, new Set(['d', 'e']))).toBe(1 / 4)
    expect(reciprocalRank(ranked, new Set(['absent']))).toBe(0)
    expect(reciprocalRank([], new Set(['a']))).toBe(0)
  })

  it('counts recall over all gold ids, ranked or not', () => {
    expect(recallAt(5, ranked, new Set(['b', 'e', 'f', 'absent']))).toBe(2 / 4)
    expect(recallAt(10, ranked, new Set(['b', 'e', 'f', 'absent']))).toBe(3 / 4)
    expect(recallAt(10, ranked, new Set(['k']))).toBe(0)
  })

  it('tells at least one from every one', () => {
    const gold = new Set(['b', 'f'])
    expect([anyAt(1, ranked, gold), anyAt(2, ranked, gold), anyAt(5, ranked, gold)]).toEqual([0, 1, 1])
    expect([allAt(2, ranked, gold), allAt(5, ranked, gold), allAt(6, ranked, gold)]).toEqual([0, 0, 1])
    expect(allAt(10, ranked, new Set(['a', 'absent']))).toBe(0)
  })

  it('discounts gain by the logarithm of the rank', () => {
    // Gold at ranks 2 and 5: 1/log2(3) + 1/log2(6) = 0.63093 + 0.38685; ideal 1 + 0.63093.
    expect(ndcgAt(10, ranked, new Set(['b', 'e']))).toBeCloseTo(1.017783 / 1.63093, 5)
    expect(ndcgAt(10, ranked, new Set(['a', 'b']))).toBe(1)
    expect(ndcgAt(10, ranked, new Set(['k']))).toBe(0)
    // More gold than places: a full list is ideal.
    expect(ndcgAt(2, ranked, new Set(['a', 'b', 'c']))).toBe(1)
  })

  it('puts each measure where its name says', () => {
    const scores = judgeRanking(ranked, new Set(['b', 'f']))
    expect(scores).toEqual({
      r5: 1 / 2,
      r10: 1,
      any1: 0,
      any5: 1,
      all5: 0,
      mrr: 1 / 2,
      ndcg10: ndcgAt(10, ranked, new Set(['b', 'f'])),
    })
    expect(Object.keys(scores).sort()).toEqual([...MEASURES].sort())
  })

  it('refuses a question without gold instead of scoring it', () => {
    for (const measure of [reciprocalRank, judgeRanking]) expect(() => measure(ranked, new Set())).toThrow(RangeError)
    for (const measure of [recallAt, anyAt, allAt, ndcgAt]) {
      expect(() => measure(5, ranked, new Set())).toThrow(RangeError)
    }
  })

  it('stays within 0 and 1, and all@5 ≤ r5 ≤ any@5', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'))
    fc.assert(
      fc.property(ids, ids, (ranking, gold) => {
        fc.pre(gold.length > 0)
        const scores = judgeRanking(ranking, new Set(gold))
        for (const value of Object.values(scores)) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
        }
        expect(scores.all5).toBeLessThanOrEqual(scores.r5)
        expect(scores.r5).toBeLessThanOrEqual(scores.any5)
      }),
    )
  })
})

describe('estimates over questions', () => {
  it('gives mean and standard error of the mean', () => {
    // Deviations −3 −1 −1 −1 0 0 2 4: squares sum 32; 32/7/8 = 0.571429.
    const estimate = estimateMean([2, 4, 4, 4, 5, 5, 7, 9])
    expect(estimate.mean).toBe(5)
    expect(estimate.count).toBe(8)
    expect(estimate.standardError).toBeCloseTo(Math.sqrt(0.5714286), 6)
  })

  it('claims no error from a single value and no mean from none', () => {
    expect(estimateMean([0.5])).toEqual({ mean: 0.5, count: 1 })
    expect(() => estimateMean([])).toThrow(RangeError)
  })

  it('pairs each question with itself', () => {
    // Differences 0.1, 0.1, 0.4: mean 0.2, squares 0.01 + 0.01 + 0.04 = 0.06; 0.06/2/3 = 0.01.
    const gain = estimatePairedDifference([0.9, 0.2, 0.5], [0.8, 0.1, 0.1])
    expect(gain.mean).toBeCloseTo(0.2, 12)
    expect(gain.standardError).toBeCloseTo(0.1, 12)
    expect(estimatePairedDifference([0.9, 0.1], [0.8, 0]).standardError).toBeCloseTo(0, 12)
    expect(() => estimatePairedDifference([1], [1, 2])).toThrow(RangeError)
  })

  it('finds the middle value', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([10, 2, 4, 8])).toBe(6)
    expect(() => median([])).toThrow(RangeError)
  })
})
