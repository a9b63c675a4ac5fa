import type { Connection } from './connection.ts'

/** For which memories an identity has done its part: given vectors, or said that it cannot. A cheap table to read. */
export class EmbeddingStatus {
  readonly #connection: Connection
  readonly identity: number
  #sequence = -1
  /** By ordinal: 1 when nothing is to be done. */
  #isDone = new Uint8Array(0)

  constructor(connection: Connection, identity: number) {
    this.#connection = connection
    this.identity = identity
  }

  /** Catches up with the store; within a transaction. `capacity` is above every ordinal. */
  refresh(sequence: number, capacity: number): void {
    if (capacity > this.#isDone.length) {
      const grown = new Uint8Array(capacity)
      grown.set(this.#isDone)
      this.#isDone = grown
    }
    if (sequence === this.#sequence) return
    const rows = this.#connection.sql('SELECT ordinal, identity FROM embedding WHERE changed > ?').all(this.#sequence)
    for (const { ordinal, identity } of rows) this.#isDone[Number(ordinal)] = Number(identity) === this.identity ? 1 : 0
    this.#sequence = sequence
  }

  isDone(ordinal: number): boolean {
    return this.#isDone[ordinal] === 1
  }
}
