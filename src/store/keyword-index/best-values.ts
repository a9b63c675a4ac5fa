import { CATEGORIES } from '../../model/memory.ts'
import { categoryQuota } from '../rank.ts'

/** The least of the `limit` largest values that it was given; none before there were so many. */
class LargestValues {
  /** A heap, the smallest on top. */
  readonly #heap: Float64Array
  readonly #limit: number
  #count = 0
  /** What a value has to be above to change anything. */
  least = Number.NEGATIVE_INFINITY

  constructor(limit: number) {
    this.#limit = limit
    this.#heap = new Float64Array(limit)
  }

  /** To be called with values above `least`. */
  add(value: number): void {
    const heap = this.#heap
    if (this.#count < this.#limit) {
      heap[this.#count++] = value
      // Ascending order is a heap.
      if (this.#count === this.#limit) this.least = heap.sort()[0] ?? value
      return
    }
    replaceTop(heap, value)
    this.least = heap[0] ?? value
  }
}

/**
 * What values decide a cut: of all that are added, those that `pickCandidates` picks are not below the `floors` that stand then or later. So one pass
 * over many finds the few among which it picks, which need no lists as long as the store.
 */
export class BestValues {
  readonly #all: LargestValues
  readonly #ofCategory: readonly LargestValues[]
  /** By the place of the category: what is below it cannot be picked. They only rise. */
  readonly floors: Float64Array

  constructor(limit: number) {
    const quota = categoryQuota(limit)
    this.#all = new LargestValues(limit)
    this.#ofCategory = CATEGORIES.map(() => new LargestValues(quota))
    this.floors = new Float64Array(CATEGORIES.length).fill(Number.NEGATIVE_INFINITY)
  }

  /** A value of a memory of this category; one below its floor changes nothing. */
  add(value: number, category: number): void {
    const own = this.#ofCategory[category]
    if (value > this.#all.least) this.#all.add(value)
    if (own && value > own.least) own.add(value)
    this.#ofCategory.forEach(({ least }, index) => {
      this.floors[index] = Math.min(this.#all.least, least)
    })
  }
}

/** Puts a value into a heap in place of its smallest one, which is on top. */
export function replaceTop(heap: Float64Array, value: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1
    const smaller = heap[child] ?? 0
    if (smaller >= value) break
    heap[at] = smaller
    at = child
  }
  heap[at] = value
}
