import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { CO_OCCURRENCE_WEIGHTS, CORRELATION_WEIGHTS, LINKING, TEMPORAL_TAU_DAYS } from './correlation-options.ts'
import { listMentions, listNames, sketchGrams } from './mentions.ts'
import { STATING } from './relate-pair.ts'
import { readingOf } from './text-reading.ts'

/**
 * What is kept of a memory to tell whether it is worth comparing: its keys by number, and when it happened. The numbers of many sketches
 * stand in one array: small arrays by the hundred thousand are what slows the collection of garbage.
 */
export interface KeySketch {
  numbers: Uint32Array
  /** Where its keys begin, ascending; even numbers are terms, the odd one after it is the same key as an entity. */
  keys: number
  /** Where begins what it can be called, and what it calls others, by number, each ascending. */
  names: number
  mentions: number
  /** Where begin the hashes of its runs of words, ascending: what is quoted has some in common. */
  grams: number
  end: number
  /** Of an episode with a date of its own. */
  instant: number | null
  /** Whether a connective in it may name what another tells. */
  isExplaining: boolean
}

const DAY_MS = 86_400_000
/** Numbers that one array of several sketches holds: 1 MB. */
const BLOCK = 262_144

/** Sketches of memories, so that a text that is a candidate of many is read once. */
export class KeyBook {
  readonly #numbers = new Map<string, number>()
  readonly #sketches = new Map<string, KeySketch>()
  /** Where the numbers of the next sketch go, and how much of it is used. */
  #block = new Uint32Array(0)
  #used = 0

  find(id: string): KeySketch | undefined {
    return this.#sketches.get(id)
  }

  add(memory: ComparedMemory): KeySketch {
    if (this.#sketches.size >= LINKING.sketches) {
      this.#sketches.clear()
      this.#numbers.clear()
    }
    const reading = readingOf(memory)
    const keys = Uint32Array.from(
      reading.keys,
      ([key, weight]) => this.#numberOf(key) * 2 + (weight === CO_OCCURRENCE_WEIGHTS.entity ? 1 : 0),
    ).sort()
    const names = this.#numbersOf(listNames(memory))
    const mentions = this.#numbersOf(listMentions(memory))
    const sketch: KeySketch = {
      ...this.#keep(keys, names, mentions, sketchGrams(reading)),
      instant: memory.tier === 'episodic' ? instantOf(memory) : null,
      isExplaining: STATING.some((kind) => reading.connectives(kind).length > 0),
    }
    this.#sketches.set(memory.id, sketch)
    return sketch
  }

  /** Copies the numbers of a sketch, one list after the other, to where there is room. */
  #keep(
    ...[keys, names, mentions, grams]: [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  ): Pick<KeySketch, 'numbers' | 'keys' | 'names' | 'mentions' | 'grams' | 'end'> {
    const length = keys.length + names.length + mentions.length + grams.length
    if (this.#used + length > this.#block.length) {
      this.#block = new Uint32Array(Math.max(BLOCK, length))
      this.#used = 0
    }
    const starts: number[] = []
    for (const list of [keys, names, mentions, grams]) {
      starts.push(this.#used)
      this.#block.set(list, this.#used)
      this.#used += list.length
    }
    const [first = 0, second = 0, third = 0, fourth = 0] = starts
    return { numbers: this.#block, keys: first, names: second, mentions: third, grams: fourth, end: this.#used }
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
  let [at, other, both, all, shared] = [a.keys, b.keys, 0, 0, 0]
  while (at < a.names || other < b.names) {
    const left = at < a.names ? (a.numbers[at] ?? 0) : Number.POSITIVE_INFINITY
    const right = other < b.names ? (b.numbers[other] ?? 0) : Number.POSITIVE_INFINITY
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

function weightOf(key: number): number {
  return key % 2 === 1 ? CO_OCCURRENCE_WEIGHTS.entity : CO_OCCURRENCE_WEIGHTS.term
}

/** Whether one may refer to the other: names it, quotes it, or has an address in common with it. Where not, `findReferences` finds nothing. */
export function mayRefer(a: KeySketch, b: KeySketch): boolean {
  return (
    haveCommon(a, { from: a.mentions, to: a.grams }, b, { from: b.names, to: b.mentions }) ||
    haveCommon(b, { from: b.mentions, to: b.grams }, a, { from: a.names, to: a.mentions }) ||
    haveCommon(a, { from: a.grams, to: a.end }, b, { from: b.grams, to: b.end })
  )
}

interface Range {
  from: number
  to: number
}

/** Whether two ascending lists of numbers have one in common. */
function haveCommon({ numbers: first }: KeySketch, here: Range, { numbers: second }: KeySketch, there: Range): boolean {
  let [at, other] = [here.from, there.from]
  while (at < here.to && other < there.to) {
    const [left, right] = [first[at] ?? 0, second[other] ?? 0]
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
  if (a.names > a.keys || b.names > b.keys) add(likeness, coOccurrence)
  if (a.instant !== null && b.instant !== null) {
    add(Math.exp(-Math.abs(a.instant - b.instant) / (TEMPORAL_TAU_DAYS * DAY_MS)), temporalProximity)
  }
  if (refers) add(1, crossReference)
  return total === 0 ? 0 : sum / total
}
