import { KeywordScorer, type PostingLists } from '../keyword-index/keyword-scorer.ts'
import { Layout, type LayoutSource, type RosterChanges } from '../keyword-index/layout.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'
import { ScopeNumbers } from './scope-numbers.ts'

const SELECT_SEQUENCE = 'SELECT sequence FROM tenant WHERE tenant = $1'
const SELECT_CHANGED = `SELECT document, members FROM roster WHERE tenant = $1
  AND document IN (SELECT document FROM roster WHERE tenant = $1 AND changed > $2) ORDER BY document, part`

/** A transaction saw an older state than one that began after it: it is to begin again. */
export class StaleReadError extends Error {
  readonly code = '40001'
}

/** What a process keeps in memory of one tenant. */
export class TenantIndex implements LayoutSource {
  readonly tenant: string
  readonly layout: Layout
  readonly scopes: ScopeNumbers
  readonly scorer: KeywordScorer
  #lists: PostingLists | null = null
  #changes: RosterChanges | null = null
  #sequence = -1

  constructor(tenant: string) {
    this.tenant = tenant
    this.scopes = new ScopeNumbers(tenant)
    this.layout = new Layout(this)
    // The lists of a query are fetched before it is scored.
    this.scorer = new KeywordScorer(this.layout, {
      read: (term) => this.#listed().read(term),
      count: (term) => this.#listed().count(term),
    })
  }

  /** The change sequence that the layout stands at. */
  get sequence(): number {
    return this.#sequence
  }

  /** The lists that the scorer reads from now on. */
  useLists(lists: PostingLists): void {
    this.#lists = lists
  }

  getScope(number: number) {
    return this.scopes.get(number)
  }

  readChanges(): RosterChanges | null {
    const changes = this.#changes
    this.#changes = null
    return changes
  }

  /** Brings the layout to the state that the transaction sees. */
  async refresh(tx: Transaction): Promise<void> {
    const [row] = await tx.query(SELECT_SEQUENCE, [this.tenant])
    const sequence = Number(row?.sequence ?? 0)
    if (sequence < this.#sequence) throw new StaleReadError('Cannot read on: a later transaction was faster')
    if (sequence === this.#sequence) return
    await this.scopes.refresh(tx)
    this.#changes = toChanges(sequence, await tx.query(SELECT_CHANGED, [this.tenant, this.#sequence]))
    this.layout.refresh()
    this.#sequence = sequence
  }

  #listed(): PostingLists {
    if (!this.#lists) throw new Error('Cannot score: no posting lists were fetched')
    return this.#lists
  }
}

function toChanges(sequence: number, rows: readonly SqlRow[]): RosterChanges {
  const documents: RosterChanges['documents'] = []
  for (const row of rows) {
    const document = Number(row.document)
    const members = row.members as Uint8Array
    const last = documents.at(-1)
    if (last?.document === document) last.parts.push(members)
    else documents.push({ document, parts: [members] })
  }
  return { sequence, documents }
}
