import { VECTOR_CHUNK_ROWS } from '../../options.ts'
import { createScanKernel, MAX_QUERY_CODE, type ScanKernel } from './scan-kernel.ts'

/** A row that others are compared with. */
export interface RowQuery {
  codes: Int16Array
  scale: number
}

/** Numbers that the kernel takes at a time. */
const LANES = 16

/** All vectors of one kind in memory, 8 bits a number, to be compared with a query one by one: exact, and fast enough. */
export class VectorMatrix {
  readonly #kernel: ScanKernel
  readonly #stride: number
  readonly dimensions: number
  #rows = 0
  #chunks = 0

  constructor(dimensions: number, options: { noNative?: boolean } = {}) {
    this.dimensions = dimensions
    this.#stride = Math.ceil(dimensions / LANES) * LANES
    this.#kernel = createScanKernel(this.#stride, options)
  }

  get rows(): number {
    return this.#rows
  }

  /** Adds vectors as the last rows: a scale each, and their codes one after the other. */
  append({ scales, codes }: { scales: Float32Array; codes: Int8Array }): void {
    for (let at = 0; at < scales.length; ) {
      const chunk = Math.floor(this.#rows / VECTOR_CHUNK_ROWS)
      if (chunk === this.#chunks) {
        this.#kernel.addChunk()
        this.#chunks += 1
      }
      const row = this.#rows % VECTOR_CHUNK_ROWS
      const count = Math.min(VECTOR_CHUNK_ROWS - row, scales.length - at)
      const views = this.#kernel.chunk(chunk)
      views.scales.set(scales.subarray(at, at + count), row)
      this.#copyCodes(codes.subarray(at * this.dimensions, (at + count) * this.dimensions), views.codes, row)
      this.#rows += count
      at += count
    }
  }

  #copyCodes(from: Int8Array, to: Int8Array, firstRow: number): void {
    const { dimensions } = this
    if (dimensions === this.#stride) {
      to.set(from, firstRow * dimensions)
      return
    }
    for (let row = 0; row * dimensions < from.length; row++) {
      to.set(from.subarray(row * dimensions, (row + 1) * dimensions), (firstRow + row) * this.#stride)
    }
  }

  /** Removes a row; the last row takes its place. */
  swapRemove(row: number): void {
    const last = this.#rows - 1
    if (row !== last) {
      const from = this.#kernel.chunk(Math.floor(last / VECTOR_CHUNK_ROWS))
      const to = this.#kernel.chunk(Math.floor(row / VECTOR_CHUNK_ROWS))
      const start = (last % VECTOR_CHUNK_ROWS) * this.#stride
      const target = row % VECTOR_CHUNK_ROWS
      to.codes.set(from.codes.subarray(start, start + this.#stride), target * this.#stride)
      to.scales[target] = from.scales[last % VECTOR_CHUNK_ROWS] ?? 0
    }
    this.#rows = last
  }

  /**
   * Calls `visit` with the cosines of a unit query with the rows from `first` on, chunk by chunk; they are valid during the
   * call. The rounding of the rows makes them wrong by about 0.0005.
   */
  scan(query: Float32Array, visit: (first: number, cosines: Float32Array) => void): void {
    this.#setQuery(query)
    this.#scanRangeTogether({ from: 0, to: this.#rows, count: 1 }, (_, first, cosines) => visit(first, cosines))
  }

  /** As `scan`, for up to QUERIES_TOGETHER queries at once; `place`: which of them. */
  scanTogether(
    queries: readonly Float32Array[],
    visit: (place: number, first: number, cosines: Float32Array) => void,
  ): void {
    queries.forEach((query, place) => {
      this.#setQuery(query, place)
    })
    this.#scanRangeTogether({ from: 0, to: this.#rows, count: queries.length }, visit)
  }

  /** The same for rows, of this or another matrix of as many dimensions, and for the rows `from` to before `to`. */
  scanTogetherWith(
    queries: readonly RowQuery[],
    { from, to }: { from: number; to: number },
    visit: (place: number, first: number, cosines: Float32Array) => void,
  ): void {
    queries.forEach(({ codes, scale }, place) => {
      this.#kernel.setQuery(codes, scale, place)
    })
    this.#scanRangeTogether({ from, to, count: queries.length }, visit)
  }

  #scanRangeTogether(
    { from, to, count }: { from: number; to: number; count: number },
    visit: (place: number, first: number, cosines: Float32Array) => void,
  ): void {
    for (let first = from; first < to; ) {
      const chunk = Math.floor(first / VECTOR_CHUNK_ROWS)
      const start = first % VECTOR_CHUNK_ROWS
      const rows = Math.min(VECTOR_CHUNK_ROWS - start, to - first)
      if (count === 1) {
        this.#kernel.scan(chunk, rows, start)
        visit(0, first, this.#kernel.chunk(chunk).scores.subarray(start, start + rows))
      } else {
        this.#kernel.scanTogether(chunk, rows, start)
        for (let place = 0; place < count; place++)
          visit(place, first, this.#kernel.scoresTogether(place).subarray(0, rows))
      }
      first += rows
    }
  }

  #setQuery(query: Float32Array, place = 0): void {
    let largest = 0
    for (const value of query) largest = Math.max(largest, Math.abs(value))
    const scale = largest / MAX_QUERY_CODE
    const codes = new Int16Array(this.#stride)
    query.forEach((value, index) => {
      codes[index] = Math.round(value / scale)
    })
    this.#kernel.setQuery(codes, scale, place)
  }

  /** A row as `append` takes it. */
  copyRow(row: number): { codes: Int8Array; scales: Float32Array } {
    const { codes, scales } = this.#kernel.chunk(Math.floor(row / VECTOR_CHUNK_ROWS))
    const at = row % VECTOR_CHUNK_ROWS
    const start = at * this.#stride
    return { codes: codes.slice(start, start + this.dimensions), scales: scales.slice(at, at + 1) }
  }

  /** A row as `scanTogetherWith` takes it. */
  toQuery(row: number): RowQuery {
    const { codes, scales } = this.#kernel.chunk(Math.floor(row / VECTOR_CHUNK_ROWS))
    const at = row % VECTOR_CHUNK_ROWS
    const start = at * this.#stride
    return { codes: Int16Array.from(codes.subarray(start, start + this.#stride)), scale: scales[at] ?? 0 }
  }

  /** The cosine of two rows: the same whichever comes first. */
  compareRows(a: number, b: number): number {
    const stride = this.#stride
    const [first, second] = [Math.floor(a / VECTOR_CHUNK_ROWS), Math.floor(b / VECTOR_CHUNK_ROWS)].map((chunk) =>
      this.#kernel.chunk(chunk),
    )
    if (!first || !second) return 0
    const [rowA, rowB] = [a % VECTOR_CHUNK_ROWS, b % VECTOR_CHUNK_ROWS]
    let [atA, atB, sum] = [rowA * stride, rowB * stride, 0]
    for (const end = atA + stride; atA < end; atA++, atB++) sum += (first.codes[atA] ?? 0) * (second.codes[atB] ?? 0)
    return sum * ((first.scales[rowA] ?? 0) * (second.scales[rowB] ?? 0))
  }
}
