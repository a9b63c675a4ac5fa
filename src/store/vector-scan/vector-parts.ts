import { NEIGHBOUR_SCAN } from '../neighbour-options.ts'
import { quantizeVector } from './quantize.ts'
import { QUERIES_TOGETHER } from './scan-kernel.ts'
import { toUnitVector } from './unit-vector.ts'
import { type RowQuery, VectorMatrix } from './vector-matrix.ts'

/**
 * The rows of a matrix in parts of rows that are alike, so that the nearest of many rows are found without comparing each with all (an
 * inverted file, Jégou, Douze & Schmid 2011). About √n rows taken at even distances draw the others to themselves; where they draw too
 * many, more rows of theirs do so; then the means of these parts do so in their place: one round of k-means. What is near a row is looked for
 * in the `NEIGHBOUR_SCAN.parts` parts nearest to it. Says nothing of rows that change later.
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
    const createMatrix = (): VectorMatrix => new VectorMatrix(dimensions, options)
    this.#source = source
    const count = Math.max(1, Math.ceil(Math.sqrt(rows)))
    const taken = Array.from({ length: count }, (_, part) => Math.floor((part * rows) / count))
    const sample = Array.from({ length: Math.ceil(rows / SAMPLED) }, (_, at) => at * SAMPLED)
    let centres = takeCentres(createMatrix(), source, taken)
    const crowded = partRows(source, centres, sample)
    centres = takeCentres(createMatrix(), source, splitCrowded(taken, crowded, (CROWDED * sample.length) / count))
    this.#centres = averageCentres(createMatrix(), source, partRows(source, centres, sample))
    const sorted = partRows(
      source,
      this.#centres,
      Array.from({ length: rows }, (_, row) => row),
    )
    this.#sorted = createMatrix()
    this.#starts = new Int32Array(sorted.length + 1)
    this.#owners = new Int32Array(rows)
    sorted.forEach((list, part) => {
      this.#starts[part] = this.#sorted.rows
      for (const row of list) {
        this.#owners[this.#sorted.rows] = ownerOfRow[row] ?? 0
        this.#sorted.append(source.copyRow(row))
      }
    })
    this.#starts[sorted.length] = rows
  }

  /**
   * Calls `visit` with what stands in the parts nearest to rows of the source, some of it at a time: for which row of `rows`, whose it is,
   * and the cosines; both are valid during the call. A part is compared with all the rows that are near to it in one go, while it is in the processor's cache.
   */
  scanNear(rows: readonly number[], visit: PartVisitor): void {
    const queries = rows.map((row) => this.#source.toQuery(row))
    // What is in the nearest parts first: after it hardly anything is near enough to be looked at twice.
    for (const round of this.#listRounds(queries)) {
      for (const [part, places] of round) this.#scanPart(part, places, { queries, visit })
    }
  }

  #scanPart(
    part: number,
    places: readonly number[],
    { queries, visit }: { queries: readonly RowQuery[]; visit: PartVisitor },
  ): void {
    const range = { from: this.#starts[part] ?? 0, to: this.#starts[part + 1] ?? 0 }
    for (let at = 0; at < places.length; at += QUERIES_TOGETHER) {
      const some = places.slice(at, at + QUERIES_TOGETHER)
      const asked = some.flatMap((place) => queries[place] ?? [])
      this.#sorted.scanTogetherWith(asked, range, (place, first, cosines) =>
        visit(some[place] ?? 0, this.#owners.subarray(first, first + cosines.length), cosines),
      )
    }
  }

  /** For each round by part: which of the queries have it among their FIRST_PARTS nearest ones, then among the others; of equal ones the first. */
  #listRounds(queries: readonly RowQuery[]): Array<Map<number, number[]>> {
    const rounds = [new Map<number, number[]>(), new Map<number, number[]>()] as const
    for (let at = 0; at < queries.length; at += QUERIES_TOGETHER) {
      compareWithAll(this.#centres, queries.slice(at, at + QUERIES_TOGETHER), (place, cosines) => {
        const first = new Set(pickLargest(cosines, FIRST_PARTS))
        for (const part of pickLargest(cosines, NEIGHBOUR_SCAN.parts)) {
          const placesOf = rounds[first.has(part) ? 0 : 1]
          const places = placesOf.get(part)
          if (places) places.push(at + place)
          else placesOf.set(part, [at + place])
        }
      })
    }
    return [...rounds]
  }
}

/** Is told for which of the rows asked about, whose the rows of a part are, and their cosines with it. */
type PartVisitor = (place: number, owners: Int32Array, cosines: Float32Array) => void

/** Parts that are looked through before all others. */
const FIRST_PARTS = 4
/** How many times the mean a part holds when it is split: what is like everything draws much to itself. */
const CROWDED = 2
/** Parts that a crowded one is split into for each `CROWDED` means that it holds. */
const SPLIT = 1.5
/** Every so many rows are looked at to find the centres. */
const SAMPLED = 4

function takeCentres(centres: VectorMatrix, source: VectorMatrix, rows: readonly number[]): VectorMatrix {
  for (const row of rows) centres.append(source.copyRow(row))
  return centres
}

/** By part: the rows whose nearest centre is its own, of equal ones the first. */
function partRows(source: VectorMatrix, centres: VectorMatrix, rows: readonly number[]): number[][] {
  const parts: number[][] = Array.from({ length: centres.rows }, () => [])
  for (let at = 0; at < rows.length; at += QUERIES_TOGETHER) {
    const some = rows.slice(at, at + QUERIES_TOGETHER)
    const queries = some.map((row) => source.toQuery(row))
    compareWithAll(centres, queries, (place, cosines) => {
      let best = 0
      for (let part = 1; part < cosines.length; part++) if ((cosines[part] ?? 0) > (cosines[best] ?? 0)) best = part
      parts[best]?.push(some[place] ?? 0)
    })
  }
  return parts
}

/** The rows that are centres, several rows of a part in place of its centre where it holds more than `most`. */
function splitCrowded(centres: readonly number[], parts: readonly number[][], most: number): number[] {
  return centres.flatMap((centre, part) => {
    const rows = parts[part] ?? []
    if (rows.length <= most) return [centre]
    const count = Math.ceil((SPLIT * rows.length) / most)
    return Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)] ?? centre)
  })
}

/** The mean direction of each part that holds anything. */
function averageCentres(centres: VectorMatrix, source: VectorMatrix, parts: readonly number[][]): VectorMatrix {
  for (const rows of parts) {
    const [first] = rows
    if (first === undefined) continue
    const sum = new Float32Array(source.dimensions)
    for (const row of rows) {
      const { codes, scales } = source.copyRow(row)
      const [scale = 0] = scales
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (codes[at] ?? 0) * scale
    }
    // Rows that cancel each other out have no direction in common.
    if (sum.every((value) => value === 0)) {
      centres.append(source.copyRow(first))
      continue
    }
    const { codes, scale } = quantizeVector(toUnitVector(sum))
    centres.append({ codes, scales: Float32Array.of(scale) })
  }
  return centres
}

/** `visit` gets the cosines with all rows of a matrix for each of up to QUERIES_TOGETHER queries. */
function compareWithAll(
  matrix: VectorMatrix,
  queries: readonly RowQuery[],
  visit: (place: number, cosines: Float32Array) => void,
): void {
  const all = queries.map(() => new Float32Array(matrix.rows))
  matrix.scanTogetherWith(queries, { from: 0, to: matrix.rows }, (place, first, cosines) =>
    all[place]?.set(cosines, first),
  )
  all.forEach((cosines, place) => {
    visit(place, cosines)
  })
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
