import type { Connection } from './connection.ts'
import { hashText } from './content-key.ts'
import type { StoredMemory } from './drafts.ts'
import { embedTextOf } from './rows.ts'

const TABLES = ['vector_code', 'vector_exact'] as const

/** Lets vectors follow their embed texts during a write: to a memory's new ordinal, and to other memories of equal text. */
export class VectorMover {
  readonly #connection: Connection
  readonly #sequence: number
  readonly #hasAny: boolean
  readonly #dropped: number[] = []
  readonly #copies: Array<{ from: number; to: number }> = []

  constructor(connection: Connection, sequence: number) {
    this.#connection = connection
    this.#sequence = sequence
    this.#hasAny = connection.sql('SELECT 1 FROM embedding LIMIT 1').get() !== undefined
  }

  /** Gives an ordinal the vectors of its text, if some memory has them: itself so far, or another. */
  inherit(ordinal: number, embedText: string, stored: StoredMemory | null): void {
    if (!this.#hasAny) return
    const own = this.#connection.sql('SELECT ordinal FROM embedding WHERE ordinal = ?')
    const source =
      stored?.content.embedText === embedText
        ? (own.get(stored.ordinal) ?? this.#findEqual(embedText))
        : this.#findEqual(embedText)
    if (source) this.#copies.push({ from: Number(source.ordinal), to: ordinal })
  }

  drop(ordinal: number): void {
    if (this.#hasAny) this.#dropped.push(ordinal)
  }

  /** Copies first, then drops: a text may come back under another id in the same write. */
  settle(): void {
    for (const { from, to } of this.#copies) {
      this.#connection
        .sql('INSERT INTO embedding SELECT ?, identity, windows, text_hash, ? FROM embedding WHERE ordinal = ?')
        .run(to, this.#sequence, from)
      for (const table of TABLES) {
        this.#connection.sql(`INSERT INTO ${table} SELECT ?, data FROM ${table} WHERE ordinal = ?`).run(to, from)
      }
    }
    for (const ordinal of this.#dropped) {
      for (const table of [...TABLES, 'embedding']) {
        this.#connection.sql(`DELETE FROM ${table} WHERE ordinal = ?`).run(ordinal)
      }
    }
  }

  #findEqual(embedText: string) {
    const rows = this.#connection
      .sql(
        `SELECT e.ordinal, m.text, m.detail FROM embedding e JOIN memory m ON m.ordinal = e.ordinal
         WHERE e.text_hash = ? ORDER BY e.changed DESC, e.ordinal DESC`,
      )
      .all(hashText(embedText))
    return rows.find((row) => embedTextOf(row) === embedText)
  }
}
