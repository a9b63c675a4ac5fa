import type { Memory } from '../../model/memory.ts'
import { KEPT_MEMORIES } from '../kept-options.ts'
import type { Connection } from './connection.ts'
import type { MemoryReader } from './memory-reader.ts'

/**
 * The memories that searches read lately: those of the turns of one conversation have many in common, and reading and unpacking a row
 * takes longer than scoring it. At most KEPT_MEMORIES; what was not used for longest goes first.
 */
export class KeptMemories {
  readonly #connection: Connection
  readonly #reader: MemoryReader
  readonly #kept = new Map<number, Readonly<Memory>>()
  #version = ''

  constructor(connection: Connection, reader: MemoryReader) {
    this.#connection = connection
    this.#reader = reader
  }

  /** Memories by ordinal, in no order; those that are not there are left out. Within a read transaction at this sequence number. */
  read(ordinals: Iterable<number>, sequence: number): Map<number, Readonly<Memory>> {
    this.#refresh(sequence)
    const found = new Map<number, Readonly<Memory>>()
    const unknown: number[] = []
    for (const ordinal of ordinals) {
      const memory = this.#kept.get(ordinal)
      if (memory) found.set(ordinal, memory)
      else unknown.push(ordinal)
    }
    if (unknown.length > 0)
      for (const [ordinal, memory] of this.#reader.readByOrdinals(unknown)) found.set(ordinal, memory)
    // Taken out and put in again, so that the map's order is the order of use.
    for (const ordinal of found.keys()) this.#kept.delete(ordinal)
    for (const [ordinal, memory] of found) this.#kept.set(ordinal, memory)
    for (const ordinal of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_MEMORIES) break
      this.#kept.delete(ordinal)
    }
    return found
  }

  /** Lets go of memories of which this process noted that they were read. */
  forget(ids: readonly string[]): void {
    const changed = new Set(ids)
    for (const [ordinal, { id }] of this.#kept) if (changed.has(id)) this.#kept.delete(ordinal)
  }

  /** The sequence number tells of what memories are, not of when others read them: that the version does, which any write of others raises. */
  #refresh(sequence: number): void {
    const version = `${sequence} ${this.#connection.sql('PRAGMA data_version').get()?.data_version}`
    if (version !== this.#version) this.#kept.clear()
    this.#version = version
  }
}
