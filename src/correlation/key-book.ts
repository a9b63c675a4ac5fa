import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { CO_OCCURRENCE_WEIGHTS, LINKING } from './correlation-options.ts'
import { LEAST_NAMED, STATING } from './find-named-part.ts'
import { hashText, listMentions, listNames, sketchGrams } from './mentions.ts'
import { readingOf, termsOf } from './text-reading.ts'

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
  /** Where begin the terms of its statements, and of the clauses that may name what another tells: of each how many, and their numbers, ascending. */
  statements: number
  clauses: number
  end: number
  /** Of an episode with a date of its own. */
  instant: number | null
  /** Hash of all that it is made of. */
  stamp: number
}

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

  /** Forgets all sketches where there are too many; none that is still in use may be compared with what is added later. */
  makeRoom(): void {
    if (this.#sketches.size < LINKING.sketches) return
    this.#sketches.clear()
    this.#numbers.clear()
  }

  /** The sketch of a memory as it is now: a new one where it was sketched before it changed. */
  renew(memory: ComparedMemory): KeySketch {
    const known = this.#sketches.get(memory.id)
    return known?.stamp === stampOf(memory) ? known : this.add(memory)
  }

  add(memory: ComparedMemory): KeySketch {
    const reading = readingOf(memory)
    const keys = Uint32Array.from(
      reading.keys,
      ([key, weight]) => this.#numberOf(key) * 2 + (weight === CO_OCCURRENCE_WEIGHTS.entity ? 1 : 0),
    ).sort()
    const names = this.#numbersOf(listNames(memory))
    const mentions = this.#numbersOf(listMentions(memory))
    const clauses = STATING.flatMap((kind) => reading.clauses(kind).map(({ terms }) => terms))
    const sketch: KeySketch = {
      ...this.#keep([
        keys,
        names,
        mentions,
        sketchGrams(reading),
        this.#listTerms(reading.statements.map(({ words }) => termsOf(words))),
        this.#listTerms(clauses.filter(({ size }) => size >= LEAST_NAMED)),
      ]),
      instant: memory.tier === 'episodic' ? instantOf(memory) : null,
      stamp: stampOf(memory),
    }
    this.#sketches.set(memory.id, sketch)
    return sketch
  }

  /** Copies the numbers of a sketch, one list after the other, to where there is room. */
  #keep(lists: readonly ArrayLike<number>[]): Omit<KeySketch, 'instant' | 'stamp'> {
    const length = lists.reduce((sum, list) => sum + list.length, 0)
    if (this.#used + length > this.#block.length) {
      this.#block = new Uint32Array(Math.max(BLOCK, length))
      this.#used = 0
    }
    const starts = lists.map((list) => {
      this.#block.set(list, this.#used)
      this.#used += list.length
      return this.#used - list.length
    })
    const [keys = 0, names = 0, mentions = 0, grams = 0, statements = 0, clauses = 0] = starts
    return { numbers: this.#block, keys, names, mentions, grams, statements, clauses, end: this.#used }
  }

  #listTerms(sets: readonly ReadonlySet<string>[]): number[] {
    return sets.flatMap((terms) => [terms.size, ...this.#numbersOf([...terms])])
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

/** An id stays when a file is renamed, a heading changes or a text is worded a little differently. */
function stampOf({ text, tier, headerPath, place: { path, occurredAt, dateOrigin } }: ComparedMemory): number {
  return hashText(JSON.stringify([text, tier, headerPath, path, occurredAt, dateOrigin]))
}
