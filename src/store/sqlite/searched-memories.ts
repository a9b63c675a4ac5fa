import type { Memory } from '../../model/memory.ts'
import { KeptMemories } from '../kept-memories.ts'
import type { Connection } from './connection.ts'
import type { MemoryReader } from './memory-reader.ts'

/** The memories that searches read: those of the last ones are kept until the store is another one. */
export class SearchedMemories {
  readonly #connection: Connection
  readonly #reader: MemoryReader
  readonly #kept = new KeptMemories()
  #version = ''

  constructor(connection: Connection, reader: MemoryReader) {
    this.#connection = connection
    this.#reader = reader
  }

  /** Memories by ordinal, in no order; those that are not there are left out. Within a read transaction at this sequence number. */
  read(ordinals: Iterable<number>, sequence: number): Map<number, Readonly<Memory>> {
    this.#refresh(sequence)
    const { known: found, unknown } = this.#kept.find(ordinals)
    if (unknown.length > 0)
      for (const [ordinal, memory] of this.#reader.readByOrdinals(unknown)) found.set(ordinal, memory)
    this.#kept.keep(found)
    return found
  }

  /** Lets go of memories of which this process noted that they were read. */
  forget(ids: readonly string[]): void {
    this.#kept.forget(ids)
  }

  /** The sequence number tells of what memories are, not of when others read them: that the version does, which any write of others raises. */
  #refresh(sequence: number): void {
    const version = `${sequence} ${this.#connection.sql('PRAGMA data_version').get()?.data_version}`
    if (version !== this.#version) this.#kept.clear()
    this.#version = version
  }
}
