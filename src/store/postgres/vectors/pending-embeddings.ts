import { compareNewestFirst, compareText } from '../../canonical-place.ts'
import { unpackEmbedText } from '../../content-codec.ts'
import { ownStart } from '../../context-in-embed-text.ts'
import type { PendingEmbedding } from '../../memory-store.ts'
import type { SqlRow } from '../database.ts'
import type { Transaction } from '../postgres-connection.ts'

interface Waiting {
  tenant: string
  ordinal: number
  importance: number
  occurredMs: number | null
  id: string
}

const SELECT_WAITING = `SELECT m.ordinal, m.importance, p.occurred_ms, m.id FROM memory m
  JOIN place p ON p.tenant = $1 AND p.document = m.document AND p.position = m.position
  LEFT JOIN embedding e ON e.tenant = $1 AND e.ordinal = m.ordinal
    AND e.identity = (SELECT number FROM embedding_identity WHERE tenant = $1 AND name = $2)
  WHERE m.tenant = $1 AND e.ordinal IS NULL`
const SELECT_TEXTS = `SELECT m.ordinal, m.id, m.text, m.embed, m.detail::json ->> 'role' AS role FROM memory m
  LEFT JOIN embedding e ON e.tenant = $1 AND e.ordinal = m.ordinal
    AND e.identity = (SELECT number FROM embedding_identity WHERE tenant = $1 AND name = $3)
  WHERE m.tenant = $1 AND m.ordinal = ANY($2::integer[]) AND e.ordinal IS NULL`
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
    const waiting: Waiting[] = []
    for (const tenant of this.#tenants) {
      for (const row of await tx.query(SELECT_WAITING, [tenant, identity])) waiting.push(toWaiting(tenant, row))
    }
    this.#waiting = waiting.sort(compareWaiting)
    this.#start = 0
  }

  async #take(tx: Transaction, identity: string, limit: number): Promise<PendingEmbedding[]> {
    const pending: PendingEmbedding[] = []
    for (let at = this.#start; at < this.#waiting.length && pending.length < limit; at += limit) {
      const some = this.#waiting.slice(at, at + limit)
      const found = await this.#readTexts(tx, identity, some)
      const first = found.findIndex((one) => one !== null)
      if (at === this.#start && pending.length === 0) this.#start += first === -1 ? some.length : first
      pending.push(...found.filter((one) => one !== null).slice(0, limit - pending.length))
    }
    return pending
  }

  /** The texts of those that still wait, in their order; null for the others. */
  async #readTexts(
    tx: Transaction,
    identity: string,
    waiting: readonly Waiting[],
  ): Promise<Array<PendingEmbedding | null>> {
    const found = new Map<string, PendingEmbedding>()
    for (const tenant of this.#tenants) {
      const ordinals = waiting.filter((one) => one.tenant === tenant).map(({ ordinal }) => ordinal)
      if (ordinals.length === 0) continue
      for (const row of await tx.query(SELECT_TEXTS, [tenant, ordinals, identity])) {
        found.set(`${row.ordinal} ${tenant}`, toPending(row))
      }
    }
    return waiting.map(({ tenant, ordinal }) => found.get(`${ordinal} ${tenant}`) ?? null)
  }
}

function toWaiting(tenant: string, row: SqlRow): Waiting {
  return {
    tenant,
    ordinal: Number(row.ordinal),
    importance: Number(row.importance),
    occurredMs: row.occurred_ms === null ? null : Number(row.occurred_ms),
    id: String(row.id),
  }
}

/** Important first, then newest, undated last, then by id. */
function compareWaiting(a: Waiting, b: Waiting): number {
  return b.importance - a.importance || compareNewestFirst(a.occurredMs, b.occurredMs) || compareText(a.id, b.id)
}

function toPending(row: SqlRow): PendingEmbedding {
  const embedText = unpackEmbedText(row.embed, String(row.text))
  return { id: String(row.id), embedText, ownFrom: ownStart(embedText, String(row.text), row.role !== null) }
}
