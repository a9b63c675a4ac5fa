import { describe, expect, it } from 'vitest'
import { NEIGHBOUR_SCAN } from '../neighbour-options.ts'
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

/** Each row is its own owner. */
function makeParts(matrix: VectorMatrix, noNative: boolean): VectorParts {
  const owners = Int32Array.from({ length: matrix.rows }, (_, row) => row)
  return new VectorParts(matrix, owners, { noNative })
}

function visitedFrom(parts: VectorParts, rows: readonly number[]): Array<Map<number, number>> {
  const visited = rows.map(() => new Map<number, number>())
  parts.scanNear(rows, (place, owners, cosines) => {
    owners.forEach((other, at) => {
      expect(visited[place]?.has(other)).toBe(false)
      visited[place]?.set(other, cosines[at] ?? 0)
    })
  })
  return visited
}

describe.each(hasNativeScan() ? [true, false] : [true])('VectorParts without native code: %s', (noNative) => {
  it('visits every row where all parts are looked at, each once, with its cosine', () => {
    const matrix = makeMatrix(30, noNative)
    const asked = [17, 3, 299, 17, 0]
    const visited = visitedFrom(makeParts(matrix, noNative), asked)
    for (const [place, row] of asked.entries()) {
      const others = visited[place] ?? new Map<number, number>()
      expect([...others.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, other) => other))
      for (const [other, cosine] of others) expect(cosine).toBeCloseTo(matrix.compareRows(row, other), 5)
    }
  })

  it('looks at some of the parts only, and finds there what is most alike', () => {
    const families = 400
    const matrix = makeMatrix(families, noNative)
    expect(Math.sqrt(matrix.rows)).toBeGreaterThan(NEIGHBOUR_SCAN.parts)
    const asked = Array.from({ length: 50 }, (_, row) => row)
    let found = 0
    for (const [row, visited] of visitedFrom(makeParts(matrix, noNative), asked).entries()) {
      expect(visited.size).toBeLessThan(matrix.rows)
      for (let member = 0; member < FAMILY; member++) if (visited.has(row + member * families)) found += 1
    }
    expect(found).toBeGreaterThanOrEqual(0.97 * 50 * FAMILY)
  })

  it('holds rows that cancel each other out', () => {
    const matrix = new VectorMatrix(4, { noNative })
    for (const sign of [1, -1, 1, -1]) {
      const { codes, scale } = quantizeVector(Float32Array.of(sign, 0, 0, 0))
      matrix.append({ codes, scales: Float32Array.of(scale) })
    }
    const [visited] = visitedFrom(makeParts(matrix, noNative), [1])
    expect([...(visited ?? [])].sort((a, b) => a[0] - b[0]).map(([row, cosine]) => [row, Math.round(cosine)])).toEqual([
      [0, -1],
      [1, 1],
      [2, -1],
      [3, 1],
    ])
  })
})
