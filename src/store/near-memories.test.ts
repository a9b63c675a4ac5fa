import { describe, expect, it } from 'vitest'
import { findNear, scanNearest } from './near-memories.ts'
import { quantizeVector } from './vector-scan/quantize.ts'
import { VectorRows } from './vector-scan/vector-rows.ts'

const LIMIT = 5

/** One vector for each ordinal: the first numbers of `firsts`, the rest made up to unit length. */
function makeRows(firsts: readonly number[]): VectorRows {
  const rows = new VectorRows(16, { noNative: true })
  rows.reserve(firsts.length)
  for (const [ordinal, first] of firsts.entries()) {
    const vector = new Float32Array(16)
    vector.set([first, Math.sqrt(1 - first * first)])
    const { codes, scale } = quantizeVector(vector)
    rows.add({ ordinals: Uint32Array.of(ordinal), codes, scales: Float32Array.of(scale) })
  }
  return rows
}

function nearTo(ordinal: number, firsts: readonly number[], allowed = new Uint8Array(firsts.length).fill(1)): number[] {
  const nearest = scanNearest(makeRows(firsts), { ordinals: [ordinal], allowed, limit: LIMIT, isRough: false })
  const near = findNear(
    {
      limit: LIMIT,
      allowed,
      memories: firsts.length,
      nearestByVector: (one) => nearest.get(one) ?? new Map(),
      holdersOf: () => null,
      idsOf: (ordinals) => new Map(ordinals.map((one) => [one, `memory-${String(one).padStart(6, '0')}`])),
    },
    ordinal,
    { keys: [], also: [] },
  )
  return [...near].sort((a, b) => a - b)
}

describe('what is near to a memory by vector', () => {
  it('is the first by id of very many that are equally near', () => {
    expect(nearTo(0, new Array<number>(10_000).fill(1))).toEqual([1, 2, 3, 4, 5])
  })

  it('is what is nearer than very many that are equally near, wherever it stands', () => {
    const firsts = new Array<number>(3000).fill(0.5)
    for (const ordinal of [0, 1500, 2998, 2999]) firsts[ordinal] = 1
    expect(nearTo(0, firsts)).toEqual([1, 2, 1500, 2998, 2999])
  })

  it('is nothing that the filter hides, however near', () => {
    const firsts = Array.from({ length: 400 }, (_, ordinal) => 1 - ordinal / 500)
    const allowed = Uint8Array.from(firsts, (_, ordinal) => (ordinal % 10 === 0 ? 1 : 0))
    expect(nearTo(0, firsts, allowed)).toEqual([10, 20, 30, 40, 50])
  })
})
