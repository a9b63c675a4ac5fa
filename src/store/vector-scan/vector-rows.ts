import { QUERIES_TOGETHER } from './scan-kernel.ts'
import type { CodePage } from './vector-codec.ts'
import { VectorMatrix } from './vector-matrix.ts'
import { VectorParts } from './vector-parts.ts'

/** Below every cosine: no vector. */
export const NO_VECTOR = -2
/** No row. */
const NONE = -1

/** The vectors of one identity in memory, rounded, and whose they are: a memory, known by its ordinal, has one or several. */
export class VectorRows {
  readonly #matrix: VectorMatrix
  readonly #options: { noNative: boolean }
  /** Made when many memories are compared in a row; of the matrix as it is. */
  #parts: VectorParts | null = null
  /** By row: whose it is, and the next row of the same memory. */
  #ordinalOfRow = new Int32Array(1024)
  #nextRow = new Int32Array(1024)
  /** By ordinal: its first row. */
  #firstRow = new Int32Array(0)
  #best = new Float32Array(0)
  /** For several lists at once: made when they are first asked for, since memory of this size anew for each costs more than it is filled. */
  readonly #bests: Float32Array[] = []

  constructor(dimensions: number, options: { noNative: boolean }) {
    this.#options = options
    this.#matrix = new VectorMatrix(dimensions, options)
  }

  get dimensions(): number {
    return this.#matrix.dimensions
  }

  /** Vectors that it holds. */
  get rows(): number {
    return this.#matrix.rows
  }

  /** Makes room for ordinals below `capacity`. */
  reserve(capacity: number): void {
    if (capacity <= this.#firstRow.length) return
    const firstRow = new Int32Array(capacity).fill(NONE)
    firstRow.set(this.#firstRow)
    this.#firstRow = firstRow
    this.#best = new Float32Array(capacity)
  }

  /** Adds the vectors of a page, whose memories have none here. */
  add(page: CodePage): void {
    this.#parts = null
    let row = this.#matrix.rows
    this.#matrix.append(page)
    while (this.#matrix.rows > this.#ordinalOfRow.length) {
      this.#ordinalOfRow = double(this.#ordinalOfRow)
      this.#nextRow = double(this.#nextRow)
    }
    for (const ordinal of page.ordinals) {
      this.#ordinalOfRow[row] = ordinal
      this.#nextRow[row] = this.#firstRow[ordinal] ?? NONE
      this.#firstRow[ordinal] = row++
    }
  }

  /** Removes the vectors of a memory. */
  remove(ordinal: number): void {
    this.#parts = null
    for (let row = this.#firstRow[ordinal] ?? NONE; row !== NONE; row = this.#firstRow[ordinal] ?? NONE) {
      this.#firstRow[ordinal] = this.#nextRow[row] ?? NONE
      const last = this.#matrix.rows - 1
      this.#matrix.swapRemove(row)
      if (row !== last) this.#renameRow(last, row)
    }
  }

  has(ordinal: number): boolean {
    return (this.#firstRow[ordinal] ?? NONE) !== NONE
  }

  /** For each ordinal the cosine of its best window with the best of the unit queries, NO_VECTOR where it has none. Valid until the next call. */
  score(queries: readonly Float32Array[]): Float32Array {
    this.#best.fill(NO_VECTOR)
    this.#scan(queries.map((query) => ({ query, best: this.#best })))
    return this.#best
  }

  /** The same for each of several lists of queries, in one pass. Valid until the next call of this method. */
  scoreEach(lists: ReadonlyArray<readonly Float32Array[]>): Float32Array[] {
    const bests = lists.map((_, at) => {
      const known = this.#bests[at]
      const best = known?.length === this.#best.length ? known : new Float32Array(this.#best.length)
      this.#bests[at] = best
      return best.fill(NO_VECTOR)
    })
    this.#scan(lists.flatMap((queries, at) => queries.map((query) => ({ query, best: bests[at] ?? this.#best }))))
    return bests
  }

  /** Raises what is best so far of each query to the cosines that are better. */
  #scan(wanted: ReadonlyArray<{ query: Float32Array; best: Float32Array }>): void {
    const ordinalOfRow = this.#ordinalOfRow
    const raise = (best: Float32Array, first: number, cosines: Float32Array): void => {
      for (let row = 0; row < cosines.length; row++) {
        const ordinal = ordinalOfRow[first + row] ?? 0
        const cosine = cosines[row] ?? NO_VECTOR
        if (cosine > (best[ordinal] ?? NO_VECTOR)) best[ordinal] = cosine
      }
    }
    for (let at = 0; at < wanted.length; at += QUERIES_TOGETHER) {
      const some = wanted.slice(at, at + QUERIES_TOGETHER)
      const [only] = some
      if (only && some.length === 1) this.#matrix.scan(only.query, (first, cosines) => raise(only.best, first, cosines))
      else {
        const queries = some.map(({ query }) => query)
        this.#matrix.scanTogether(queries, (place, first, cosines) =>
          raise(some[place]?.best ?? this.#best, first, cosines),
        )
      }
    }
  }

  /** The cosine of the two windows of two memories that are nearest to each other, the same either way; NO_VECTOR where one has none. */
  compare(a: number, b: number): number {
    let best = NO_VECTOR
    for (const first of this.#rowsOf(a)) {
      for (const second of this.#rowsOf(b)) best = Math.max(best, this.#matrix.compareRows(first, second))
    }
    return Math.min(1, best)
  }

  /**
   * Calls `visit` with the windows that may be near to a window of some of the memories, their own among them, some at a time: for which of
   * `ordinals`, whose the windows are, and the cosines; both are valid during the call. With `isRough` far ones may be left out: what is near
   * is found among those that are alike.
   */
  scanNear(
    ordinals: readonly number[],
    { isRough }: { isRough: boolean },
    visit: (place: number, owners: Int32Array, cosines: Float32Array) => void,
  ): void {
    const windows = ordinals.flatMap((ordinal, place) => this.#rowsOf(ordinal).map((row) => ({ row, place })))
    const rows = windows.map(({ row }) => row)
    if (isRough) {
      this.#parts ??= new VectorParts(this.#matrix, this.#ordinalOfRow, this.#options)
      this.#parts.scanNear(rows, (at, owners, cosines) => visit(windows[at]?.place ?? 0, owners, cosines))
      return
    }
    for (let at = 0; at < rows.length; at += QUERIES_TOGETHER) {
      const queries = rows.slice(at, at + QUERIES_TOGETHER).map((row) => this.#matrix.toQuery(row))
      this.#matrix.scanTogetherWith(queries, { from: 0, to: this.#matrix.rows }, (place, first, cosines) =>
        visit(windows[at + place]?.place ?? 0, this.#ordinalOfRow.subarray(first, first + cosines.length), cosines),
      )
    }
  }

  #rowsOf(ordinal: number): number[] {
    const rows: number[] = []
    for (let row = this.#firstRow[ordinal] ?? NONE; row !== NONE; row = this.#nextRow[row] ?? NONE) rows.push(row)
    return rows
  }

  /** The last row moved: whoever pointed at it points at its new place. */
  #renameRow(from: number, to: number): void {
    const ordinal = this.#ordinalOfRow[from] ?? 0
    this.#ordinalOfRow[to] = ordinal
    this.#nextRow[to] = this.#nextRow[from] ?? NONE
    if (this.#firstRow[ordinal] === from) this.#firstRow[ordinal] = to
    else {
      let row = this.#firstRow[ordinal] ?? NONE
      while (this.#nextRow[row] !== from) row = this.#nextRow[row] ?? NONE
      this.#nextRow[row] = to
    }
  }
}

function double(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}
