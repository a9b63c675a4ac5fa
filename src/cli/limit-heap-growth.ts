import { setFlagsFromString } from 'node:v8'

/**
 * How much the old part of the heap may grow between two collections, percent of what lives, 100 to 300. V8 lets it grow further where
 * memories come and go fast: to 290 MB for 40 MB that live in a large index run, 545 MB in all. Of 382,174 memories, one run each
 * (`npx tsx bench/indexing.ts --steps built`): 430 MB at 150, 504 MB at 200 in a tenth less time, 439 MB at 100.
 */
const HEAP_GROWTH_PERCENT = 150

/** Collects before the heap is many times as large as what lives in it: this process runs beside others that people need more. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}
