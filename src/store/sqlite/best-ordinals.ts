import { compareText } from '../canonical-place.ts'

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
  const rest = takeContenders({ ordinals, keys: others }, tied)
  return [...better, ...pickBest(rest, limit - better.length, idsOf)]
}

/** Those whose ordinals pass the test. */
export function selectContenders(contenders: Contenders, test: (ordinal: number) => boolean): Contenders {
  const places: number[] = []
  contenders.ordinals.forEach((ordinal, at) => {
    if (test(ordinal)) places.push(at)
  })
  return takeContenders(contenders, places)
}

function takeContenders({ ordinals, keys }: Contenders, places: readonly number[]): Contenders {
  return {
    ordinals: Int32Array.from(places, (at) => ordinals[at] ?? 0),
    keys: keys.map((key) => Float64Array.from(places, (at) => key[at] ?? 0)),
  }
}

/** The n-th largest of at least n values, by quickselect: sorting all of them to find one would be most of a search's time. */
function findNthLargest(values: Float64Array, n: number): number {
  const work = values.slice()
  const target = work.length - n
  let low = 0
  let high = work.length - 1
  while (low < high) {
    const pivot = work[(low + high) >>> 1] ?? 0
    let left = low
    let right = high
    while (left <= right) {
      while ((work[left] ?? 0) < pivot) left += 1
      while ((work[right] ?? 0) > pivot) right -= 1
      if (left > right) break
      const value = work[left] ?? 0
      work[left++] = work[right] ?? 0
      work[right--] = value
    }
    if (target <= right) high = right
    else if (target >= left) low = left
    else break
  }
  return work[target] ?? 0
}
