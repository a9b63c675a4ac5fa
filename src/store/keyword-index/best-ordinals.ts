import { compareText } from '../canonical-place.ts'
import { replaceTop } from './best-values.ts'

/** Ordinals and what orders them: by the first list of keys, equal ones by the next; higher is better. */
export interface Contenders {
  ordinals: Int32Array
  keys: readonly Float64Array[]
}

/**
 * The `limit` best of many, in no order. Where all keys of the last places are equal, `idsOf` is asked for the ids of
 * those that are tied, and the lowest get in.
 */
export function pickBest(
  { ordinals, keys }: Contenders,
  limit: number,
  idsOf: (ordinals: readonly number[]) => ReadonlyMap<number, string>,
): number[] {
  if (limit <= 0) return []
  if (ordinals.length <= limit) return [...ordinals]
  const [values, ...others] = keys
  if (!values) {
    const ids = idsOf([...ordinals])
    return [...ordinals].sort((a, b) => compareText(ids.get(a) ?? '', ids.get(b) ?? '')).slice(0, limit)
  }
  const threshold = findNthLargest(values, limit)
  const better: number[] = []
  const tied: number[] = []
  for (let at = 0; at < ordinals.length; at++) {
    const value = values[at] ?? 0
    if (value > threshold) better.push(ordinals[at] ?? 0)
    else if (value === threshold) tied.push(at)
  }
  const rest = takeContenders({ ordinals, keys: others }, Int32Array.from(tied))
  return [...better, ...pickBest(rest, limit - better.length, idsOf)]
}

/** Those whose ordinals pass the test. */
export function selectContenders({ ordinals, keys }: Contenders, test: (ordinal: number) => boolean): Contenders {
  const places = new Int32Array(ordinals.length)
  let count = 0
  for (let at = 0; at < ordinals.length; at++) if (test(ordinals[at] ?? 0)) places[count++] = at
  return takeContenders({ ordinals, keys }, places.subarray(0, count))
}

function takeContenders({ ordinals, keys }: Contenders, places: Int32Array): Contenders {
  const taken = new Int32Array(places.length)
  for (let at = 0; at < places.length; at++) taken[at] = ordinals[places[at] ?? 0] ?? 0
  return {
    ordinals: taken,
    keys: keys.map((key) => {
      const values = new Float64Array(places.length)
      for (let at = 0; at < places.length; at++) values[at] = key[places[at] ?? 0] ?? 0
      return values
    }),
  }
}

/** The n-th largest of at least n values: a heap keeps the n largest seen so far, the smallest of them on top. */
function findNthLargest(values: Float64Array, n: number): number {
  const heap = values.slice(0, n).sort()
  for (let at = n; at < values.length; at++) {
    const value = values[at] ?? 0
    if (value > (heap[0] ?? 0)) replaceTop(heap, value)
  }
  return heap[0] ?? 0
}
