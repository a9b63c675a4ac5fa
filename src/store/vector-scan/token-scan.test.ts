import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokenScan } from './token-scan.ts'

const DIMENSIONS = 48
const words = (max: number): fc.Arbitrary<Int8Array> =>
  fc
    .array(fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS, min: -127, max: 127 }), { maxLength: max })
    .map((list) => Int8Array.from(list.flatMap((one) => [...one])))

/** Every product by hand. */
function bestByHand(query: Int8Array, text: Int8Array): number[] {
  return Array.from({ length: query.length / DIMENSIONS }, (_, word) => {
    let most = -1
    for (let row = 0; row < text.length; row += DIMENSIONS) {
      let sum = 0
      for (let at = 0; at < DIMENSIONS; at++) sum += (query[word * DIMENSIONS + at] ?? 0) * (text[row + at] ?? 0)
      most = Math.max(most, sum / (127 * 127))
    }
    return most
  })
}

describe.each([[false], [true]])('comparing word by word (without native code: %s)', (noNative) => {
  it('gives the best product of each word of the query with each text, however many there are', () => {
    const scan = createTokenScan({ noNative })
    fc.assert(
      fc.property(words(4), fc.array(words(6), { maxLength: 12 }), (vectors, texts) => {
        const found = scan({ dimensions: DIMENSIONS, vectors }, texts)
        expect(found).toHaveLength(texts.length)
        texts.forEach((text, index) => {
          bestByHand(vectors, text).forEach((best, word) => {
            expect(found[index]?.[word]).toBeCloseTo(best, 4)
          })
        })
      }),
      { numRuns: 60 },
    )
  })

  it('takes more texts than the kernel holds at once', () => {
    const scan = createTokenScan({ noNative })
    const unit = new Int8Array(DIMENSIONS)
    unit[0] = 127
    const empty = new Int8Array(64 * DIMENSIONS)
    const texts = Array.from({ length: 150 }, (_, index) => (index === 140 ? unit : empty))
    const found = scan({ dimensions: DIMENSIONS, vectors: unit }, texts)
    expect(found.map(([best]) => best)).toEqual(texts.map((_, index) => (index === 140 ? expect.closeTo(1, 4) : 0)))
  })
})
