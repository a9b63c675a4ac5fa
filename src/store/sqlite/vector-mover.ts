import { hashText } from '../content-key.ts'
import { unpackFloats } from '../vector-scan/vector-codec.ts'
import type { StoredMemory } from '../write-plan/draft.ts'
import type { Connection } from './connection.ts'
import { embedTextOf } from './rows.ts'
import { type StoredIdentity, type VectorEntry, VectorPages } from './vector-pages.ts'

/** Lets vectors follow their embed texts during a write: to a memory's new ordinal, and to other memories of equal text. */
export class VectorMover {
  readonly #connection: Connection
  readonly #pages: VectorPages
  readonly #hasAny: boolean
  readonly #dropped: number[] = []
  readonly #copies: Array<{ from: number; to: number; embedText: string }> = []

  constructor(connection: Connection, sequence: number) {
    this.#connection = connection
    this.#pages = new VectorPages(connection, sequence)
    this.#hasAny = connection.sql('SELECT 1 FROM embedding LIMIT 1').get() !== undefined
  }

  /** Gives an ordinal the vectors that its memory had for the same text; a new text those that another memory has for it. */
  inherit(ordinal: number, embedText: string, stored: StoredMemory | null): void {
    if (!this.#hasAny) return
    const source =
      stored?.content.embedText === embedText
        ? this.#connection.sql('SELECT ordinal FROM embedding WHERE ordinal = ?').get(stored.ordinal)
        : this.#findEqual(embedText)
    if (source) this.#copies.push({ from: Number(source.ordinal), to: ordinal, embedText })
  }

  drop(ordinal: number): void {
    if (this.#hasAny) this.#dropped.push(ordinal)
  }

  /** Reads first, then drops, then writes: a text may come back under another id in the same write. */
  settle(): void {
    const byIdentity = new Map<number, { identity: StoredIdentity; entries: VectorEntry[] }>()
    for (const { from, to, embedText } of this.#copies) {
      const { identity, windows, tokens } = this.#read(from)
      const known = byIdentity.get(identity.number) ?? { identity, entries: [] }
      known.entries.push({ ordinal: to, embedText, windows, tokens })
      byIdentity.set(identity.number, known)
    }
    this.#pages.remove(this.#dropped)
    for (const { identity, entries } of byIdentity.values()) this.#pages.append(identity, entries)
  }

  #read(ordinal: number): Pick<VectorEntry, 'windows' | 'tokens'> & { identity: StoredIdentity } {
    const row = this.#connection
      .sql(
        `SELECT i.id, i.dimensions, x.data, t.data AS tokens FROM embedding e JOIN identity i ON i.id = e.identity
         LEFT JOIN vector_exact x ON x.id = e.exact LEFT JOIN token_vectors t ON t.ordinal = e.ordinal WHERE e.ordinal = ?`,
      )
      .get(ordinal)
    const identity = { number: Number(row?.id), dimensions: Number(row?.dimensions ?? 0) }
    return {
      identity,
      windows: row?.data instanceof Uint8Array ? unpackFloats(row.data, identity.dimensions) : [],
      tokens: row?.tokens instanceof Uint8Array ? row.tokens : undefined,
    }
  }

  #findEqual(embedText: string) {
    const rows = this.#connection
      .sql(
        `SELECT e.ordinal, m.text, m.embed FROM embedding e JOIN memory m ON m.ordinal = e.ordinal
         WHERE e.text_hash = ? ORDER BY e.changed DESC, e.ordinal DESC`,
      )
      .all(hashText(embedText))
    return rows.find((row) => embedTextOf(row) === embedText)
  }
}
