import type { Memory } from '../../model/memory.ts'
import type { GivenVectors } from '../memory-store.ts'
import { toUnitVector } from '../vector-scan/unit-vector.ts'
import type { HeldVectors } from './find-by-brute-force.ts'

/** The vectors of the in-memory store, by id of memory; those last put come last. */
export class VectorShelf {
  readonly byId = new Map<string, HeldVectors>()
  readonly #dimensions = new Map<string, number>()

  /** Whether nothing is to be done for a memory: it has vectors of the identity, or cannot have any. */
  isDone(id: string, identity: string): boolean {
    return this.byId.get(id)?.identity === identity
  }

  /** Rejects query vectors that cannot be compared with those of the identity. */
  assertComparable(vectors: readonly Float32Array[], identity: string | undefined): void {
    for (const vector of vectors) toUnitVector(vector, this.#dimensions.get(identity ?? ''))
  }

  get(identity: string, ids: readonly string[]): Map<string, Float32Array[]> {
    const found = ids.map((id) => [id, this.byId.get(id)] as const)
    return new Map(
      found.flatMap(([id, held]) =>
        held?.identity === identity && held.windows.length > 0
          ? [[id, held.windows.map((window) => window.slice())] as const]
          : [],
      ),
    )
  }

  put(identity: string, vectors: readonly GivenVectors[], embedTextOf: (id: string) => string | undefined): void {
    // Where no vector is left, another length is no contradiction.
    let dimensions = this.count()[identity] ? this.#dimensions.get(identity) : undefined
    const checked = vectors.map(({ id, embedText, windows, tokens }) => ({
      id,
      embedText,
      tokens,
      windows: windows.map((window) => {
        const unit = toUnitVector(window, dimensions)
        dimensions = unit.length
        return unit
      }),
    }))
    if (dimensions !== undefined) this.#dimensions.set(identity, dimensions)
    for (const { id, embedText, windows, tokens } of checked) {
      if (embedTextOf(id) !== embedText) continue
      this.byId.delete(id)
      this.byId.set(id, { identity, embedText, windows, ...(tokens && { tokens: tokens.slice() }) })
    }
  }

  /** Returns how many memories had vectors, or a mark in their place, of this identity. */
  remove(identity: string): number {
    const ids = [...this.byId].flatMap(([id, held]) => (held.identity === identity ? [id] : []))
    for (const id of ids) this.byId.delete(id)
    return ids.length
  }

  /** Memories with at least one vector, by identity; default all of them. */
  count(ids: Iterable<string> = this.byId.keys()): Record<string, number> {
    const counts = new Map<string, number>()
    for (const id of ids) {
      const { identity, windows } = this.byId.get(id) ?? { identity: '', windows: [] }
      if (windows.length > 0) counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }

  /** Follows a change of memories: drops vectors of texts that are gone; a new text gets those of an equal one. */
  follow(memories: readonly Memory[], embedTextsBefore: ReadonlyMap<string, string>): void {
    const known = new Map([...this.byId.values()].map((held) => [held.embedText, held]))
    const embedTexts = new Map(memories.map(({ id, embedText }) => [id, embedText]))
    for (const [id, { embedText }] of this.byId) {
      if (embedTexts.get(id) !== embedText) this.byId.delete(id)
    }
    for (const { id, embedText } of memories) {
      const held = known.get(embedText)
      if (held && embedTextsBefore.get(id) !== embedText) this.byId.set(id, held)
    }
  }
}
