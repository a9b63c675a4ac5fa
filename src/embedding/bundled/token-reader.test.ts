import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_DIMENSIONS } from './model-shape.ts'
import { readTokenBasis } from './token-basis.ts'
import { chooseQueryTokens, poolTokens, weighToken } from './token-reader.ts'

const HIDDEN = 384

describe('the basis of token vectors', () => {
  it('is orthonormal, so that cosines survive as far as it reaches', () => {
    const basis = readTokenBasis()
    const row = (at: number): Float32Array => basis.subarray(at * HIDDEN, (at + 1) * HIDDEN)
    const dot = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    for (let a = 0; a < TOKEN_DIMENSIONS; a++) {
      for (let b = 0; b <= a; b++) expect(dot(row(a), row(b))).toBeCloseTo(a === b ? 1 : 0, 3)
    }
  })
})

describe('pooling the vectors of a long text', () => {
  const vectorsOf = (count: number): fc.Arbitrary<Int8Array> =>
    fc
      .array(fc.integer({ min: -127, max: 127 }), {
        minLength: count * TOKEN_DIMENSIONS,
        maxLength: count * TOKEN_DIMENSIONS,
      })
      .map((numbers) => Int8Array.from(numbers))

  it('keeps short texts as they are, and never gives more than the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }).chain(vectorsOf),
        fc.integer({ min: 1, max: 40 }),
        (vectors, limit) => {
          const pooled = poolTokens(vectors, limit)
          const count = vectors.length / TOKEN_DIMENSIONS
          if (count <= limit) expect(pooled).toEqual(vectors)
          expect(pooled.length / TOKEN_DIMENSIONS).toBeLessThanOrEqual(limit)
          expect(pooled.length % TOKEN_DIMENSIONS).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('gives the mean of neighbours, of unit length', () => {
    const vectors = new Int8Array(2 * TOKEN_DIMENSIONS)
    vectors[0] = 127
    vectors[TOKEN_DIMENSIONS + 1] = 127
    expect([...poolTokens(vectors, 1).subarray(0, 3)]).toEqual([90, 90, 0])
  })
})

describe('the words of a query', () => {
  it('count by their rarity, which is their place in the vocabulary', () => {
    const [the, tide, pgbouncer] = [weighToken(1996, 'the'), weighToken(10_401, 'tide'), weighToken(27_000, '##bounce')]
    expect(the).toBeLessThan(tide)
    expect(tide).toBeLessThan(pgbouncer)
    expect(weighToken(1037, 'a')).toBeLessThan(weighToken(1746, '海'))
  })

  it('are bounded: the rarest stay, in their order', () => {
    const weights = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 1 : 5))
    const chosen = chooseQueryTokens(weights)
    expect(chosen).toHaveLength(32)
    expect(chosen).toEqual([...chosen].sort((a, b) => a - b))
    expect(chosen.filter((at) => weights[at] === 5)).toHaveLength(25)
  })
})
