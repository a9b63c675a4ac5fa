import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { CO_OCCURRENCE_WEIGHTS, CORRELATION_WEIGHTS, LINKING, TEMPORAL_TAU_DAYS } from './correlation-options.ts'
import { listMentions, listNames, sketchGrams } from './mentions.ts'
import { STATING } from './relate-pair.ts'
import { readingOf } from './text-reading.ts'

/** What is kept of a memory to tell whether it is worth comparing: its keys by number, and when it happened. */
export interface KeySketch {
  /** Ascending; even numbers are terms, the odd one after it is the same key as an entity. */
  keys: Uint32Array
  /** Of an episode with a date of its own. */
  instant: number | null
  /** What it can be called, and what it calls others, by number, ascending. */
  names: Uint32Array
  mentions: Uint32Array
  /** Hashes of its runs of words, ascending: what is quoted has some in common. */
  grams: Uint32Array
  /** Whether a connective in it may name what another tells. */
  isExplaining: boolean
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
    const reading = readingOf(memory)
    const sketch: KeySketch = {
      keys: Uint32Array.from(
        reading.keys,
        ([key, weight]) => this.#numberOf(key) * 2 + (weight === CO_OCCURRENCE_WEIGHTS.entity ? 1 : 0),
      ).sort(),
      instant: memory.tier === 'episodic' ? instantOf(memory) : null,
      names: this.#numbersOf(listNames(memory)),
      mentions: this.#numbersOf(listMentions(memory)),
      grams: sketchGrams(reading),
      isExplaining: STATING.some((kind) => reading.connectives(kind).length > 0),
    }
    this.#sketches.set(memory.id, sketch)
    return sketch
  }

  #numbersOf(names: readonly string[]): Uint32Array {
    return Uint32Array.from(new Set(names), (name) => this.#numberOf(name)).sort()
  }

  #numberOf(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size
    this.#numbers.set(key, number)
    return number
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

/** Whether one may refer to the other: names it, quotes it, or has an address in common with it. */
export function mayRefer(a: KeySketch, b: KeySketch): boolean {
  return haveCommon(a.mentions, b.names) || haveCommon(b.mentions, a.names) || haveCommon(a.grams, b.grams)
}

function haveCommon(a: Uint32Array, b: Uint32Array): boolean {
  let [at, other] = [0, 0]
  while (at < a.length && other < b.length) {
    const [left, right] = [a[at] ?? 0, b[other] ?? 0]
    if (left === right) return true
    if (left < right) at += 1
    else other += 1
  }
  return false
}

/** The most that the score of two memories can be. */
export function boundScore(
  a: KeySketch,
  b: KeySketch,
  { likeness, cosine, refers }: { likeness: number; cosine?: number; refers: boolean },
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
  if (refers) add(1, crossReference)
  return total === 0 ? 0 : sum / total
}
