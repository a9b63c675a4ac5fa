import { KeptLists } from '../keyword-index/kept-lists.ts'
import { KeywordScorer, type PostingLists } from '../keyword-index/keyword-scorer.ts'
import { Layout, type LayoutSource, type RosterChanges } from '../keyword-index/layout.ts'
import type { SqlRow } from './database.ts'
import { quote, type Transaction } from './postgres-connection.ts'
import { fetchPieces, readParts } from './posting-lists.ts'
import { ScopeNumbers } from './scope-numbers.ts'
import { TenantMemories } from './tenant-memories.ts'

const SELECT_CHANGED = `SELECT document, members FROM roster WHERE tenant = $1
  AND document IN (SELECT document FROM roster WHERE tenant = $1 AND changed > $2) ORDER BY document, part`

/** A transaction saw an older state than one that began after it: it is to begin again. */
export class StaleReadError extends Error {
  readonly code = '40001'
}

/** What a process keeps in memory of one tenant, and of no other: row-level security does not reach what was read. */
export class TenantIndex implements LayoutSource {
  readonly tenant: string
  readonly layout: Layout
  readonly scopes: ScopeNumbers
  readonly scorer: KeywordScorer
  readonly memories: TenantMemories
  /** Those of the last searches. A query's are fetched before it is scored. */
  readonly #lists = new KeptLists({
    readPieces: (terms) => {
      throw new Error(`Cannot read the posting lists of ${terms.length} terms: they were not fetched`)
    },
  })
  #changes: RosterChanges | null = null
  #sequence = -1
  #structure = -1

  constructor(tenant: string) {
    this.tenant = tenant
    this.scopes = new ScopeNumbers(tenant)
    this.layout = new Layout(this)
    this.memories = new TenantMemories(tenant)
    const lists = this.#lists
    this.scorer = new KeywordScorer(this.layout, {
      read: (term) => lists.read(term),
      count: (term) => lists.count(term),
    })
  }

  /** The change sequence that the layout stands at. */
  get sequence(): number {
    return this.#sequence
  }

  /** The change of memories that the layout stands at: of theirs, their places' and their terms'. */
  get structure(): number {
    return this.#structure
  }

  /** Makes the lists of these keys known, to the scorer too, until others are fetched. */
  async fetchLists(tx: Transaction, keys: readonly string[]): Promise<PostingLists> {
    const lacking = this.#lists.findLacking(keys)
    this.#lists.keep(lacking, await fetchPieces(tx, this.tenant, lacking))
    return this.#lists
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
    const [row] = await tx.ask(`SELECT sequence, structure FROM tenant WHERE tenant = ${quote(this.tenant)}`)
    const sequence = Number(row?.sequence ?? 0)
    if (sequence < this.#sequence) throw new StaleReadError('Cannot read on: a later transaction was faster')
    if (sequence === this.#sequence) return
    await this.scopes.refresh(tx)
    const changes = toChanges(sequence, await tx.query(SELECT_CHANGED, [this.tenant, this.#sequence]))
    const structure = Number(row?.structure ?? 0)
    if (structure !== this.#structure) this.#lists.follow(await readParts(tx, this.tenant))
    this.#structure = structure
    // Whatever becomes of a memory, the roster of the document that it stood in is written again.
    const changed = new Set(changes.documents.map(({ document }) => document))
    const { document } = this.layout
    this.memories.follow(this.#structure, (ordinal) => changed.has(document[ordinal] ?? 0))
    this.#changes = changes
    this.layout.refresh()
    this.#sequence = sequence
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
