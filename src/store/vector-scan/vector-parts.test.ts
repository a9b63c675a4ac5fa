import { describe, expect, it } from 'vitest'
import { NEIGHBOUR_SCAN } from '../../options.ts'
import { quantizeVector } from './quantize.ts'
import { hasNativeScan } from './scan-kernel.ts'
import { toUnitVector } from './unit-vector.ts'
import { VectorMatrix } from './vector-matrix.ts'
import { VectorParts } from './vector-parts.ts'

const DIMENSIONS = 48
const FAMILY = 10

/** Numbers that look random and are the same every time. */
const wave = (seed: number, at: number): number => Math.sin(seed * 7919 + at * 104_729 + 1)

/** Families of ten rows that are alike, of which no two stand side by side. */
function makeMatrix(families: number, noNative: boolean): VectorMatrix {
  const matrix = new VectorMatrix(DIMENSIONS, { noNative })
  for (let member = 0; member < FAMILY; member++) {
    for (let family = 0; family < families; family++) {
      const numbers = Float32Array.from(
        { length: DIMENSIONS },
        (_, at) => wave(family, at) + 0.3 * wave(1000 + family * FAMILY + member, at),
      )
      const { codes, scale } = quantizeVector(toUnitVector(numbers))
      matrix.append({ codes, scales: Float32Array.of(scale) })
    }
  }
  return matrix
}

function visitedFrom(parts: VectorParts, row: number): Map<number, number> {
  const visited = new Map<number, number>()
  parts.scanNear(row, (other, cosine) => {
    expect(visited.has(other)).toBe(false)
    visited.set(other, cosine)
  })
  return visited
}

describe.each(hasNativeScan() ? [true, false] : [true])('VectorParts without native code: %s', (noNative) => {
  it('visits every row where all parts are looked at, each once, with its cosine', () => {
    const matrix = makeMatrix(30, noNative)
    const visited = visitedFrom(new VectorParts(matrix, { noNative }), 17)
    expect([...visited.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, row) => row))
    for (const [row, cosine] of visited) expect(cosine).toBeCloseTo(matrix.compareRows(17, row), 5)
  })

  it('looks at some of the parts only, and finds there what is most alike', () => {
    const families = 400
    const matrix = makeMatrix(families, noNative)
    expect(Math.sqrt(matrix.rows)).toBeGreaterThan(NEIGHBOUR_SCAN.parts)
    const parts = new VectorParts(matrix, { noNative })
    let found = 0
    for (let row = 0; row < 50; row++) {
      const visited = visitedFrom(parts, row)
      expect(visited.size).toBeLessThan(matrix.rows)
      for (let member = 0; member < FAMILY; member++) if (visited.has(row + member * families)) found += 1
    }
    expect(found).toBeGreaterThanOrEqual(0.97 * 50 * FAMILY)
  })
})
