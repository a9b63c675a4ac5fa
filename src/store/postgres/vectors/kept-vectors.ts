import { KEPT_VECTOR_NUMBERS } from '../../kept-options.ts'

/** Numbers that an entry of a map takes in memory, about. */
const ENTRY_NUMBERS = 64

/** Vectors in full precision by ordinal. At most KEPT_VECTOR_NUMBERS numbers; what was not used for longest goes first. */
export class KeptVectors {
  readonly #kept = new Map<number, readonly Float32Array[]>()
  #numbers = 0

  /** None where they are not kept; those of a memory that has no vector are an empty list. */
  get(ordinal: number): readonly Float32Array[] | undefined {
    const windows = this.#kept.get(ordinal)
    if (!windows) return undefined
    // Taken out and put in again, so that the map's order is the order of use.
    this.#kept.delete(ordinal)
    this.#kept.set(ordinal, windows)
    return windows
  }

  set(ordinal: number, windows: readonly Float32Array[]): void {
    this.delete(ordinal)
    this.#kept.set(ordinal, windows)
    this.#numbers += sizeOf(windows)
    for (const oldest of this.#kept.keys()) {
      if (this.#numbers <= KEPT_VECTOR_NUMBERS) return
      this.delete(oldest)
    }
  }

  delete(ordinal: number): void {
    const windows = this.#kept.get(ordinal)
    if (!windows) return
    this.#kept.delete(ordinal)
    this.#numbers -= sizeOf(windows)
  }
}

function sizeOf(windows: readonly Float32Array[]): number {
  return windows.reduce((sum, window) => sum + window.length, ENTRY_NUMBERS)
}
