import { ownStart } from '../context-in-embed-text.ts'
import type { PendingEmbedding } from '../memory-store.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './database.ts'
import { embedTextOf } from './rows.ts'

const SELECT_PENDING = `SELECT m.ordinal FROM memory m
  JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN embedding e ON e.ordinal = m.ordinal
  WHERE e.identity IS NOT coalesce((SELECT id FROM identity WHERE name = ?), 0)
  ORDER BY m.importance DESC, p.occurred_ms DESC NULLS LAST, m.id`
const SELECT_TEXT = `SELECT m.id, m.text, m.embed, m.detail ->> '$.role' AS role FROM memory m LEFT JOIN embedding e ON e.ordinal = m.ordinal
  WHERE m.ordinal = ? AND e.identity IS NOT coalesce((SELECT id FROM identity WHERE name = ?), 0)`

/**
 * The memories that wait for vectors, in order. The order is worked out once for a state of the memories and then
 * consumed: a first indexing asks thousands of times.
 */
export class PendingQueue {
  readonly #connection: Connection
  #identity = ''
  /** Sequence number of the last change of memories that the order knows of, and of the time of asking. */
  #structure = -1
  #sequence = -1
  #ordinals: number[] = []
  /** What is before it has its vectors. */
  #start = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  list(identity: string, limit: number): PendingEmbedding[] {
    const structure = this.#readNumber('SELECT max(changed) AS n FROM roster')
    const sequence = this.#readNumber("SELECT value AS n FROM meta WHERE key = 'sequence'")
    const isKnown = identity === this.#identity && structure === this.#structure
    if (!isKnown) this.#order(identity, structure, sequence)
    let pending = this.#take(limit)
    if (pending.length < limit && this.#sequence !== sequence) {
      // Vectors of another identity may have taken the place of ours meanwhile.
      this.#order(identity, structure, sequence)
      pending = this.#take(limit)
    }
    return pending
  }

  #order(identity: string, structure: number, sequence: number): void {
    this.#identity = identity
    this.#structure = structure
    this.#sequence = sequence
    this.#ordinals = this.#connection
      .sql(SELECT_PENDING)
      .all(identity)
      .map(({ ordinal }) => Number(ordinal))
    this.#start = 0
  }

  #take(limit: number): PendingEmbedding[] {
    const pending: PendingEmbedding[] = []
    const find = this.#connection.sql(SELECT_TEXT)
    for (let at = this.#start; at < this.#ordinals.length && pending.length < limit; at++) {
      const row = find.get(this.#ordinals[at] ?? 0, this.#identity)
      if (row) pending.push(toPending(row))
      else if (at === this.#start) this.#start += 1
    }
    return pending
  }

  #readNumber(sql: string): number {
    return Number(this.#connection.sql(sql).get()?.n ?? 0)
  }
}

function toPending(row: SqlRow): PendingEmbedding {
  const embedText = embedTextOf(row)
  return { id: String(row.id), embedText, ownFrom: ownStart(embedText, String(row.text), row.role !== null) }
}
