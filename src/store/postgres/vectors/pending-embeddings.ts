import { unpackEmbedText } from '../../content-codec.ts'
import { ownStart } from '../../context-in-embed-text.ts'
import type { PendingEmbedding } from '../../memory-store.ts'
import type { SqlRow } from '../database.ts'
import type { Transaction } from '../postgres-connection.ts'

interface Waiting {
  tenant: string
  ordinal: number
}

/** The order is by code point, as that of ids everywhere. */
const SELECT_WAITING = `SELECT m.tenant, m.ordinal FROM memory m
  JOIN place p ON p.tenant = m.tenant AND p.document = m.document AND p.position = m.position
  LEFT JOIN embedding_identity i ON i.tenant = m.tenant AND i.name = $2
  LEFT JOIN embedding e ON e.tenant = m.tenant AND e.ordinal = m.ordinal AND e.identity = i.number
  WHERE m.tenant = ANY($1::text[]) AND e.ordinal IS NULL
  ORDER BY m.importance DESC, p.occurred_ms DESC NULLS LAST, m.id COLLATE "C"`
const SELECT_TEXTS = `SELECT w.at, m.id, m.text, m.embed, m.detail::json ->> 'role' AS role
  FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS w (tenant, ordinal, at)
  JOIN memory m ON m.tenant = w.tenant AND m.ordinal = w.ordinal
  LEFT JOIN embedding_identity i ON i.tenant = m.tenant AND i.name = $3
  LEFT JOIN embedding e ON e.tenant = m.tenant AND e.ordinal = m.ordinal AND e.identity = i.number
  WHERE e.ordinal IS NULL ORDER BY w.at`
const SELECT_STATE = `SELECT coalesce(sum(structure), 0) AS structure, coalesce(sum(sequence), 0) AS sequence
  FROM tenant WHERE tenant = ANY($1::text[])`

/**
 * The memories that wait for vectors, in order. The order is worked out once for a state of the memories and then consumed: a first
 * indexing asks thousands of times.
 */
export class PendingEmbeddings {
  readonly #tenants: readonly string[]
  #identity = ''
  /** The last change of memories that the order knows of, and the state at the time of asking. */
  #structure = -1
  #sequence = -1
  #waiting: Waiting[] = []
  /** What is before it has its vectors. */
  #start = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(tenants: readonly string[]) {
    this.#tenants = tenants
  }

  /** Within a read transaction; one call after the other. */
  list(tx: Transaction, identity: string, limit: number): Promise<PendingEmbedding[]> {
    const result = this.#turn.then(() => this.#list(tx, identity, limit))
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #list(tx: Transaction, identity: string, limit: number): Promise<PendingEmbedding[]> {
    const [state] = await tx.query(SELECT_STATE, [this.#tenants])
    const [structure, sequence] = [Number(state?.structure), Number(state?.sequence)]
    const isKnown = identity === this.#identity && structure === this.#structure
    if (!isKnown) await this.#order(tx, identity)
    let pending = await this.#take(tx, identity, limit)
    if (pending.length < limit && isKnown && this.#sequence !== sequence) {
      // Vectors of another identity may have taken the place of ours meanwhile.
      await this.#order(tx, identity)
      pending = await this.#take(tx, identity, limit)
    }
    if (!isKnown || pending.length < limit) {
      this.#identity = identity
      this.#structure = structure
      this.#sequence = sequence
    }
    return pending
  }

  /** After a failover what was read may never have been. */
  forget(): void {
    this.#structure = -1
  }

  async #order(tx: Transaction, identity: string): Promise<void> {
    const rows = await tx.query(SELECT_WAITING, [this.#tenants, identity])
    this.#waiting = rows.map(({ tenant, ordinal }) => ({ tenant: String(tenant), ordinal: Number(ordinal) }))
    this.#start = 0
  }

  async #take(tx: Transaction, identity: string, limit: number): Promise<PendingEmbedding[]> {
    const pending: PendingEmbedding[] = []
    for (let at = this.#start; at < this.#waiting.length && pending.length < limit; at += limit) {
      const some = this.#waiting.slice(at, at + limit)
      const rows = await tx.query(SELECT_TEXTS, [
        some.map(({ tenant }) => tenant),
        some.map(({ ordinal }) => ordinal),
        identity,
      ])
      if (rows.length === 0 && at === this.#start) this.#start += some.length
      else if (pending.length === 0 && at === this.#start) this.#start += Number(rows[0]?.at) - 1
      pending.push(...rows.slice(0, limit - pending.length).map(toPending))
    }
    return pending
  }
}

function toPending(row: SqlRow): PendingEmbedding {
  const embedText = unpackEmbedText(row.embed, String(row.text))
  return { id: String(row.id), embedText, ownFrom: ownStart(embedText, String(row.text), row.role !== null) }
}
