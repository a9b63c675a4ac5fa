import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quantizeVector } from './quantize.ts'
import { compileScan, hasNativeScan } from './scan-kernel.ts'
import { dot, toUnitVector } from './unit-vector.ts'
import { VectorMatrix } from './vector-matrix.ts'

/** Numbers that look random and are the same every time. */
function makeVector(seed: number, dimensions: number): Float32Array {
  return toUnitVector(Float32Array.from({ length: dimensions }, (_, at) => Math.sin(seed * 7919 + at * 104_729 + 1)))
}

function scanAll(matrix: VectorMatrix, query: Float32Array): number[] {
  const cosines: number[] = []
  matrix.scan(query, (first, some) => {
    for (const [row, cosine] of some.entries()) cosines[first + row] = cosine
  })
  return cosines
}

function append(matrix: VectorMatrix, vectors: readonly Float32Array[]): void {
  const quantized = vectors.map(quantizeVector)
  const codes = new Int8Array(vectors.length * matrix.dimensions)
  quantized.forEach((one, row) => {
    codes.set(one.codes, row * matrix.dimensions)
  })
  matrix.append({ codes, scales: Float32Array.from(quantized, ({ scale }) => scale) })
}

const backends = hasNativeScan() ? [true, false] : [true]

describe.each(backends)('VectorMatrix without native code: %s', (noNative) => {
  it.each([1, 7, 16, 100, 384, 1536])('gives cosines of %i dimensions', (dimensions) => {
    const matrix = new VectorMatrix(dimensions, { noNative })
    const vectors = Array.from({ length: 50 }, (_, seed) => makeVector(seed, dimensions))
    append(matrix, vectors.slice(0, 20))
    append(matrix, vectors.slice(20))
    const query = makeVector(99, dimensions)
    const cosines = scanAll(matrix, query)
    expect(cosines).toHaveLength(50)
    for (const [row, vector] of vectors.entries()) expect(cosines[row]).toBeCloseTo(dot(vector, query), 2)
  })

  it.each([1, 2, 3])('gives %i queries at once what it gives each alone', (count) => {
    const matrix = new VectorMatrix(100, { noNative })
    append(
      matrix,
      Array.from({ length: 5000 }, (_, seed) => makeVector(seed, 100)),
    )
    const queries = Array.from({ length: count }, (_, at) => makeVector(9000 + at, 100))
    const together: number[][] = queries.map(() => [])
    matrix.scanTogether(queries, (place, first, cosines) => {
      for (const [row, cosine] of cosines.entries()) (together[place] ?? [])[first + row] = cosine
    })
    expect(together).toEqual(queries.map((query) => scanAll(matrix, query)))
  })

  it('keeps to 32 bits at the largest numbers', () => {
    const dimensions = 8192
    const flat = toUnitVector(new Float32Array(dimensions).fill(1))
    const matrix = new VectorMatrix(dimensions, { noNative })
    append(matrix, [flat, flat.map((value) => -value)])
    expect(scanAll(matrix, flat)).toEqual([expect.closeTo(1, 4), expect.closeTo(-1, 4)])
  })

  it('holds more vectors than one chunk, and removes any', () => {
    const matrix = new VectorMatrix(16, { noNative })
    const rows = Array.from({ length: 9000 }, (_, seed) => makeVector(seed, 16))
    append(matrix, rows)
    for (const row of [8999, 0, 4096, 4095, 17]) {
      matrix.swapRemove(row)
      const last = rows.pop()
      if (last && row < rows.length) rows[row] = last
    }
    const query = makeVector(5, 16)
    const cosines = scanAll(matrix, query)
    expect(cosines).toHaveLength(8995)
    rows.forEach((vector, row) => {
      if (Math.abs((cosines[row] ?? 9) - dot(vector, query)) > 0.01) throw new Error(`row ${row} is of another vector`)
    })
  })
})

describe.skipIf(!hasNativeScan())('the WebAssembly kernel', () => {
  it('gives the very numbers of the JavaScript one', () => {
    const vector = fc.float32Array({
      minLength: 24,
      maxLength: 24,
      noNaN: true,
      noDefaultInfinity: true,
      max: 1,
      min: -1,
    })
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1 }), vector, (vectors, query) => {
        const results = [true, false].map((noNative) => {
          const matrix = new VectorMatrix(24, { noNative })
          append(matrix, vectors)
          return scanAll(matrix, query)
        })
        expect(results[0]).toEqual(results[1])
      }),
    )
  })
})

describe('toUnitVector', () => {
  it('scales and leaves the given vector as it is', () => {
    const given = Float32Array.of(3, 4)
    expect(toUnitVector(given)).toEqual(Float32Array.of(0.6, 0.8))
    expect(given).toEqual(Float32Array.of(3, 4))
  })

  it.each([[[0, 0]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]]])('refuses %j', (values) => {
    expect(() => toUnitVector(Float32Array.from(values))).toThrow('Cannot use vector')
  })
})

describe('a kernel that cannot be used', () => {
  it('is none, whether it does not compile or lacks its function', () => {
    expect(compileScan(Uint8Array.from([1, 2, 3]))).toBeNull()
    // A module of nothing but its head.
    expect(compileScan(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).toBeNull()
  })
})
