import type { Memory } from '../model/memory.ts'
import { KEPT_MEMORIES, KEPT_MEMORY_CHARS } from './kept-options.ts'

/**
 * The memories that searches read lately: those of the turns of one conversation have many in common, and reading and unpacking a row
 * takes longer than scoring it. At most KEPT_MEMORIES with KEPT_MEMORY_CHARS characters; what was not used for longest goes first. It
 * is of one store and tenant, by whose ordinals memories are known, and of one version of it, which whoever uses it tells.
 */
export class KeptMemories {
  readonly #kept = new Map<number, Readonly<Memory>>()
  #chars = 0

  /** Those of these ordinals that are kept, and the ordinals of the others. */
  find(ordinals: Iterable<number>): { known: Map<number, Readonly<Memory>>; unknown: number[] } {
    const known = new Map<number, Readonly<Memory>>()
    const unknown: number[] = []
    for (const ordinal of ordinals) {
      const memory = this.#kept.get(ordinal)
      if (memory) known.set(ordinal, memory)
      else unknown.push(ordinal)
    }
    return { known, unknown }
  }

  /** Keeps memories as those that were used last, in place of what was kept of them. */
  keep(memories: ReadonlyMap<number, Readonly<Memory>>): void {
    for (const [ordinal, memory] of memories) {
      if (this.#kept.get(ordinal) === memory) this.#kept.delete(ordinal)
      else {
        this.#drop(ordinal)
        this.#chars += sizeOf(memory)
      }
      this.#kept.set(ordinal, memory)
    }
    // The map's order is the order of use.
    for (const ordinal of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_MEMORIES && this.#chars <= KEPT_MEMORY_CHARS) break
      this.#drop(ordinal)
    }
  }

  /** Lets go of memories by their ids. */
  forget(ids: readonly string[]): void {
    const changed = new Set(ids)
    for (const [ordinal, { id }] of this.#kept) if (changed.has(id)) this.#drop(ordinal)
  }

  /** Lets go of the memories of ordinals that pass the test. */
  forgetOrdinals(test: (ordinal: number) => boolean): void {
    for (const ordinal of this.#kept.keys()) if (test(ordinal)) this.#drop(ordinal)
  }

  clear(): void {
    this.#kept.clear()
    this.#chars = 0
  }

  #drop(ordinal: number): void {
    const memory = this.#kept.get(ordinal)
    if (!memory) return
    this.#kept.delete(ordinal)
    this.#chars -= sizeOf(memory)
  }
}

/** Characters: the embed text begins or ends with what the text shares with it, and is counted as a text of its own. */
function sizeOf({ text, embedText }: Readonly<Memory>): number {
  return text.length + embedText.length
}
