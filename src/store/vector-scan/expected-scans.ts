import type { VectorRows } from './vector-rows.ts'

/** What several queries that somebody announced have found, compared in one pass over the vectors. */
export class ExpectedScans {
  #rows: VectorRows | null = null
  #sequence = -1
  #lists: ReadonlyArray<readonly Float32Array[]> = []
  #bests: readonly Float32Array[] = []

  /** Compares these lists of unit queries now, in place of those announced before. `sequence`: of the store as it is. */
  announce(rows: VectorRows, sequence: number, lists: ReadonlyArray<readonly Float32Array[]>): void {
    this.#rows = rows
    this.#sequence = sequence
    this.#lists = lists
    this.#bests = rows.scoreEach(lists)
  }

  /** What `rows.score` would give, where these queries were announced and nothing has changed since. Not to be changed. */
  find(rows: VectorRows, sequence: number, queries: readonly Float32Array[]): Float32Array | null {
    if (rows !== this.#rows || sequence !== this.#sequence) return null
    const at = this.#lists.findIndex(
      (list) => list.length === queries.length && list.every((one, i) => same(one, queries[i])),
    )
    return this.#bests[at] ?? null
  }
}

function same(a: Float32Array, b: Float32Array | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((value, at) => value === b[at])
}
