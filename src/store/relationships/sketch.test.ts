import { describe, expect, it } from 'vitest'
import { FOLLOW_LIKENESS, SKETCH_HASHES } from '../../options.ts'
import { likenessOf, sketchOf } from './sketch.ts'

const likeness = (a: string, b: string): number => likenessOf(sketchOf(a), sketchOf(b))

describe('sketches of texts', () => {
  it('are whole for short texts: shared words among all words', () => {
    expect(likeness('boiler limit two bar', 'Bar two: limit, boiler!')).toBe(1)
    expect(likeness('boiler limit two bar', 'boiler limit three bar')).toBe(3 / 5)
    expect(likeness('heron', 'otter')).toBe(0)
    expect(likeness('', '')).toBe(0)
    expect(likeness('备份脚本', '备份脚本')).toBe(1)
  })

  it('do not take function words for likeness', () => {
    const [one, other] = [
      'We met at the lodge, and it was in May.',
      'It was at the weir, and we had a kite in the air.',
    ]
    expect(likeness(one, other)).toBeLessThan(FOLLOW_LIKENESS.inPlace)
  })

  it('estimate the likeness of long texts from so many hashes', () => {
    const words = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, n) => `w${((from + n) * 7919).toString(36)}`).join(' ')
    expect(sketchOf(words(0, 2000))).toHaveLength(SKETCH_HASHES)
    expect(Math.abs(likeness(words(0, 1000), words(200, 1200)) - 800 / 1200)).toBeLessThan(0.2)
    expect(likeness(words(0, 1000), words(5000, 6000))).toBeLessThan(0.1)
  })
})
