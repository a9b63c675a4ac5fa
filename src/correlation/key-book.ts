import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { CO_OCCURRENCE_WEIGHTS, CORRELATION_WEIGHTS, LINKING, TEMPORAL_TAU_DAYS } from './correlation-options.ts'
import { readingOf } from './text-reading.ts'

/** What is kept of a memory to tell whether it is worth comparing: its keys by number, and when it happened. */
export interface KeySketch {
  /** Ascending; even numbers are terms, the odd one after it is the same key as an entity. */
  keys: Uint32Array
  /** Of an episode with a date of its own. */
  instant: number | null
}

const DAY_MS = 86_400_000

/** Sketches of memories, so that a text that is a candidate of many is read once. */
export class KeyBook {
  readonly #numbers = new Map<string, number>()
  readonly #sketches = new Map<string, KeySketch>()

  find(id: string): KeySketch | undefined {
    return this.#sketches.get(id)
  }

  add(memory: ComparedMemory): KeySketch {
    if (this.#sketches.size >= LINKING.sketches) {
      this.#sketches.clear()
      this.#numbers.clear()
    }
    const keys = Uint32Array.from(readingOf(memory).keys, ([key, weight]) => {
      const number = this.#numbers.get(key) ?? this.#numbers.size
      this.#numbers.set(key, number)
      return number * 2 + (weight === CO_OCCURRENCE_WEIGHTS.entity ? 1 : 0)
    }).sort()
    const sketch = { keys, instant: memory.tier === 'episodic' ? instantOf(memory) : null }
    this.#sketches.set(memory.id, sketch)
    return sketch
  }
}

/** How alike two sketches are: Jaccard's coefficient of their keys as `coOccurrence` weighs them, and how many they share. */
export function compareSketches(a: KeySketch, b: KeySketch): { likeness: number; shared: number } {
  let [at, other, both, all, shared] = [0, 0, 0, 0, 0]
  const weightOf = (key: number): number => (key % 2 === 1 ? CO_OCCURRENCE_WEIGHTS.entity : CO_OCCURRENCE_WEIGHTS.term)
  while (at < a.keys.length || other < b.keys.length) {
    const [left, right] = [a.keys[at] ?? Number.POSITIVE_INFINITY, b.keys[other] ?? Number.POSITIVE_INFINITY]
    const [first, second] = [Math.floor(left / 2), Math.floor(right / 2)]
    if (first === second) {
      shared += 1
      both += Math.min(weightOf(left), weightOf(right))
      all += Math.max(weightOf(left), weightOf(right))
    } else all += weightOf(first < second ? left : right)
    if (first <= second) at += 1
    if (second <= first) other += 1
  }
  return { likeness: all === 0 ? 0 : both / all, shared }
}

/** The most that the score of two memories can be, whatever they refer to. */
export function boundScore(
  a: KeySketch,
  b: KeySketch,
  { likeness, cosine }: { likeness: number; cosine?: number },
): number {
  const { semanticSimilarity, coOccurrence, temporalProximity, crossReference } = CORRELATION_WEIGHTS
  let [sum, total] = [0, 0]
  const add = (value: number, weight: number): void => {
    sum += Math.min(1, Math.max(0, value)) * weight
    total += weight
  }
  if (cosine !== undefined) add(cosine, semanticSimilarity)
  if (a.keys.length + b.keys.length > 0) add(likeness, coOccurrence)
  if (a.instant !== null && b.instant !== null) {
    add(Math.exp(-Math.abs(a.instant - b.instant) / (TEMPORAL_TAU_DAYS * DAY_MS)), temporalProximity)
  }
  return (sum + crossReference) / (total + crossReference)
}
