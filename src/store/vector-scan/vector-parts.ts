import { NEIGHBOUR_SCAN } from '../neighbour-options.ts'
import { QUERIES_TOGETHER } from './scan-kernel.ts'
import { type RowQuery, VectorMatrix } from './vector-matrix.ts'

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
  /** Whose the rows of `sorted` are. */
  readonly #owners: Int32Array
  /** By part: where it begins in `sorted`; one more than there are parts. */
  readonly #starts: Int32Array

  /** `ownerOfRow`: whose each row of the source is. */
  constructor(source: VectorMatrix, ownerOfRow: Int32Array, options: { noNative?: boolean } = {}) {
    const { rows, dimensions } = source
    this.#source = source
    this.#centres = new VectorMatrix(dimensions, options)
    this.#sorted = new VectorMatrix(dimensions, options)
    const count = Math.max(1, Math.ceil(Math.sqrt(rows)))
    for (let part = 0; part < count; part++) this.#centres.append(source.copyRow(Math.floor((part * rows) / count)))
    const partOf = this.#partRows(rows)
    this.#starts = new Int32Array(count + 1)
    for (const part of partOf) this.#starts[part + 1] = (this.#starts[part + 1] ?? 0) + 1
    for (let part = 0; part < count; part++)
      this.#starts[part + 1] = (this.#starts[part + 1] ?? 0) + (this.#starts[part] ?? 0)
    const next = this.#starts.slice()
    const sorted = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      const at = next[partOf[row] ?? 0] ?? 0
      sorted[at] = row
      next[partOf[row] ?? 0] = at + 1
    }
    for (const row of sorted) this.#sorted.append(source.copyRow(row))
    this.#owners = sorted.map((row) => ownerOfRow[row] ?? 0)
  }

  /** By row: the part whose centre is nearest. */
  #partRows(rows: number): Int32Array {
    const partOf = new Int32Array(rows)
    for (let row = 0; row < rows; row += QUERIES_TOGETHER) {
      const queries = Array.from({ length: Math.min(QUERIES_TOGETHER, rows - row) }, (_, at) =>
        this.#source.toQuery(row + at),
      )
      this.#compareWithCentres(queries, (place, cosines) => {
        let best = 0
        for (let part = 1; part < cosines.length; part++) if ((cosines[part] ?? 0) > (cosines[best] ?? 0)) best = part
        partOf[row + place] = best
      })
    }
    return partOf
  }

  /**
   * Calls `visit` with what stands in the parts nearest to rows of the source, some of it at a time: for which row of `rows`, whose it is,
   * and the cosines; both are valid during the call. A part is compared with all the rows that are near to it in one go, while it is in the processor's cache.
   */
  scanNear(rows: readonly number[], visit: (place: number, owners: Int32Array, cosines: Float32Array) => void): void {
    const queries = rows.map((row) => this.#source.toQuery(row))
    for (const [part, places] of this.#findNearestParts(queries)) {
      const range = { from: this.#starts[part] ?? 0, to: this.#starts[part + 1] ?? 0 }
      for (let at = 0; at < places.length; at += QUERIES_TOGETHER) {
        const some = places.slice(at, at + QUERIES_TOGETHER)
        const asked = some.flatMap((place) => queries[place] ?? [])
        this.#sorted.scanTogetherWith(asked, range, (place, first, cosines) =>
          visit(some[place] ?? 0, this.#owners.subarray(first, first + cosines.length), cosines),
        )
      }
    }
  }

  /** By part: which of the queries have it among the nearest ones; of equal ones the first. */
  #findNearestParts(queries: readonly RowQuery[]): Map<number, number[]> {
    const placesOf = new Map<number, number[]>()
    for (let at = 0; at < queries.length; at += QUERIES_TOGETHER) {
      this.#compareWithCentres(queries.slice(at, at + QUERIES_TOGETHER), (place, cosines) => {
        for (const part of pickLargest(cosines, NEIGHBOUR_SCAN.parts)) {
          const places = placesOf.get(part)
          if (places) places.push(at + place)
          else placesOf.set(part, [at + place])
        }
      })
    }
    return placesOf
  }

  /** `visit` gets the cosines with all centres, by part, for each of up to QUERIES_TOGETHER queries. */
  #compareWithCentres(queries: readonly RowQuery[], visit: (place: number, cosines: Float32Array) => void): void {
    const { rows } = this.#centres
    const all = queries.map(() => new Float32Array(rows))
    this.#centres.scanTogetherWith(queries, { from: 0, to: rows }, (place, first, cosines) =>
      all[place]?.set(cosines, first),
    )
    all.forEach((cosines, place) => {
      visit(place, cosines)
    })
  }
}

/** Where the `count` largest values stand; of equal ones the first. */
function pickLargest(values: Float32Array, count: number): number[] {
  if (values.length <= count) return [...values.keys()]
  const least = values.slice().sort()[values.length - count] ?? 0
  const picked: number[] = []
  const tied: number[] = []
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    if (value > least) picked.push(at)
    else if (value === least) tied.push(at)
  }
  return [...picked, ...tied.slice(0, count - picked.length)]
}
