import { setFlagsFromString } from 'node:v8'

/**
 * How much the old part of the heap may grow between two collections, percent of what lives, 50 to 300. V8 lets it grow up to fourfold
 * where memories come and go fast: 290 MB for 40 MB that live in a large index run. Twice costs no time that can be measured and a
 * third less memory in all (`npx tsx bench/indexing.ts --steps built`).
 */
const HEAP_GROWTH_PERCENT = 100

/** Collects before the heap is several times as large as what lives in it: this process runs beside others that people need more. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}
