import { NEIGHBOUR_SCAN } from '../../options.ts'
import { VectorMatrix } from './vector-matrix.ts'

/**
 * The rows of a matrix in parts of rows that are alike, so that the nearest of many rows are found without comparing each with all:
 * every row stands in the part of the nearest of about √n rows taken at even distances, and what is near a row is looked for in the
 * `NEIGHBOUR_SCAN.parts` parts nearest to it (an inverted file, Jégou, Douze & Schmid 2011, without learning). Says nothing of rows
 * that change later.
 */
export class VectorParts {
  readonly #source: VectorMatrix
  readonly #centres: VectorMatrix
  readonly #sorted: VectorMatrix
  /** Row of the source by row of `sorted`. */
  readonly #rowOf: Int32Array
  /** By part: where it begins in `sorted`; one more than there are parts. */
  readonly #starts: Int32Array

  constructor(source: VectorMatrix, options: { noNative?: boolean }) {
    const { rows, dimensions } = source
    this.#source = source
    this.#centres = new VectorMatrix(dimensions, options)
    this.#sorted = new VectorMatrix(dimensions, options)
    const count = Math.max(1, Math.ceil(Math.sqrt(rows)))
    for (let part = 0; part < count; part++) this.#centres.append(source.copyRow(Math.floor((part * rows) / count)))
    const partOf = new Int32Array(rows)
    this.#starts = new Int32Array(count + 1)
    for (let row = 0; row < rows; row++) {
      const part = this.#nearestParts(row, 1)[0] ?? 0
      partOf[row] = part
      this.#starts[part + 1] = (this.#starts[part + 1] ?? 0) + 1
    }
    for (let part = 0; part < count; part++)
      this.#starts[part + 1] = (this.#starts[part + 1] ?? 0) + (this.#starts[part] ?? 0)
    const next = this.#starts.slice()
    this.#rowOf = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      const at = next[partOf[row] ?? 0] ?? 0
      this.#rowOf[at] = row
      next[partOf[row] ?? 0] = at + 1
    }
    for (const row of this.#rowOf) this.#sorted.append(source.copyRow(row))
  }

  /** Calls `visit` with the rows of the source that stand in the parts nearest to one of its rows, and their cosines with it. */
  scanNear(row: number, visit: (row: number, cosine: number) => void): void {
    const parts = this.#nearestParts(row, NEIGHBOUR_SCAN.parts)
    this.#sorted.setQueryRow(this.#source.copyRow(row))
    for (const part of parts) {
      const range = { from: this.#starts[part] ?? 0, to: this.#starts[part + 1] ?? 0 }
      this.#sorted.scanRange(range, (first, cosines) => {
        for (let at = 0; at < cosines.length; at++) visit(this.#rowOf[first + at] ?? 0, cosines[at] ?? 0)
      })
    }
  }

  /** The parts whose centres are nearest to a row, nearest first, equal ones by their number. */
  #nearestParts(row: number, count: number): number[] {
    const cosines = new Float32Array(this.#centres.rows)
    this.#centres.setQueryRow(this.#source.copyRow(row))
    this.#centres.scanRange({ from: 0, to: this.#centres.rows }, (first, some) => cosines.set(some, first))
    if (count === 1) {
      let best = 0
      for (let part = 1; part < cosines.length; part++) if ((cosines[part] ?? 0) > (cosines[best] ?? 0)) best = part
      return [best]
    }
    return Array.from(cosines.keys())
      .sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0) || a - b)
      .slice(0, count)
  }
}
