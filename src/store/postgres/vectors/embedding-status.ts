import { fromBase64, toBase64 } from '../base64.ts'
import type { Transaction } from '../postgres-connection.ts'

/** Memories whose status comes in one row: some 50 kB, which the driver takes as it comes. */
const ROW_ORDINALS = 4096
const ROWS = "string_agg(int4send(ordinal) || int4send(identity) || int4send(windows), '')"
const SELECT_PAGE = `SELECT ${toBase64(ROWS)} AS page FROM embedding WHERE tenant = $1`
const SELECT_CHANGED = `${SELECT_PAGE} AND changed > $2 GROUP BY ordinal / ${ROW_ORDINALS}`
/** Range by range, as they lie: grouping them would sort them first. */
const SELECT_ALL = `SELECT r.page FROM generate_series(0, $2::integer, ${ROW_ORDINALS}) AS s (start) CROSS JOIN LATERAL (
    ${SELECT_PAGE} AND ordinal >= s.start AND ordinal < s.start + ${ROW_ORDINALS}) r WHERE r.page IS NOT NULL`
const ROW_BYTES = 12

/** Which memories of a tenant have had their part of which identity, and how many windows: what a process keeps of `embedding`. */
export class EmbeddingStatus {
  readonly #tenant: string
  #sequence = -1
  #identity = new Int32Array(0)
  #windows = new Uint16Array(0)

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** Catches up with the store. `capacity` is above every ordinal. */
  async refresh(tx: Transaction, { sequence, capacity }: { sequence: number; capacity: number }): Promise<void> {
    if (capacity > this.#identity.length) {
      const [identity, windows] = [new Int32Array(capacity), new Uint16Array(capacity)]
      identity.set(this.#identity)
      windows.set(this.#windows)
      this.#identity = identity
      this.#windows = windows
    }
    if (sequence === this.#sequence) return
    const isFirst = this.#sequence === -1
    const changed = isFirst
      ? await tx.query(SELECT_ALL, [this.#tenant, capacity])
      : await tx.query(SELECT_CHANGED, [this.#tenant, this.#sequence])
    for (const { page } of changed) this.#take(fromBase64(page))
    this.#sequence = sequence
  }

  /** Whether nothing is to be done for it: it has vectors of the identity, or cannot have any. */
  isDone(ordinal: number, identity: number): boolean {
    return this.#identity[ordinal] === identity
  }

  hasVector(ordinal: number, identity: number): boolean {
    return this.#identity[ordinal] === identity && (this.#windows[ordinal] ?? 0) > 0
  }

  #take(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.length; at += ROW_BYTES) {
      const ordinal = view.getInt32(at)
      this.#identity[ordinal] = view.getInt32(at + 4)
      this.#windows[ordinal] = view.getInt32(at + 8)
    }
  }
}
