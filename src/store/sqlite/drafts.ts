import type { MemoryContent, MemoryState } from '../../model/memory.ts'
import type { Draft, DraftPlace } from '../write-plan/draft.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './database.ts'
import { type Names, SELECT_CONTENT, toContent, toPlace } from './rows.ts'

const SELECT_STORED = `${SELECT_CONTENT}, m.document, m.position, m.place_count, m.length, m.term_count, m.state FROM memory m`
const SELECT_BY_ID = `${SELECT_STORED} WHERE m.id = ?`
const SELECT_KNOWN_IDS = 'SELECT id FROM memory WHERE id IN (SELECT value FROM json_each(?))'
const SELECT_BY_ORDINAL = `${SELECT_STORED} WHERE m.ordinal = ?`

/** The memories that a write touches, each read once, with all its places. */
export class Drafts {
  readonly #connection: Connection
  readonly #names: Names
  readonly #byId = new Map<string, Draft>()
  readonly #byOrdinal = new Map<number, Draft>()
  readonly #expectedIds = new Set<string>()
  /** Those of the expected ids that the store had at the beginning of the write. */
  readonly #storedIds = new Set<string>()

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  /** In the order in which they were first touched. */
  all(): Draft[] {
    return [...this.#byId.values()]
  }

  /** Looks in one go which of these ids the store has: `byId` asks for no other of them. */
  expect(ids: readonly string[]): void {
    for (const [id] of this.#connection.rows(SELECT_KNOWN_IDS, JSON.stringify(ids))) this.#storedIds.add(String(id))
    for (const id of ids) this.#expectedIds.add(id)
  }

  /** The memory of this id, a new one when the store has none. */
  byId(id: string): Draft {
    const known = this.#byId.get(id)
    if (known) return known
    const isNew = this.#expectedIds.has(id) && !this.#storedIds.has(id)
    const row = isNew ? undefined : this.#connection.sql(SELECT_BY_ID).get(id)
    return row ? this.#load(row) : this.#keep({ id, stored: null, places: [] })
  }

  byOrdinal(ordinal: number): Draft {
    const known = this.#byOrdinal.get(ordinal)
    if (known) return known
    const row = this.#connection.sql(SELECT_BY_ORDINAL).get(ordinal)
    if (!row) throw new Error(`Cannot read memory ${ordinal}: a place names it and it is not there`)
    return this.#load(row)
  }

  /** Takes the memory out of a document, from `from` to before `to`. Returns the places that it left. */
  leave(draft: Draft, document: number, from: number, to: number): DraftPlace[] {
    const isHere = ({ document: own, place: { position } }: DraftPlace): boolean =>
      own === document && position >= from && position < to
    const left = draft.places.filter(isHere)
    if (left.length > 0) draft.places = draft.places.filter((one) => !isHere(one))
    return left
  }

  #load(row: SqlRow): Draft {
    const content = toContent(row, this.#names)
    const ordinal = Number(row.ordinal)
    const places = this.#connection
      .sql('SELECT document, position, detail, variant FROM place WHERE ordinal = ?')
      .all(ordinal)
      .map(({ document, position, detail, variant }) => ({
        document: Number(document),
        content: variant === null ? content : (JSON.parse(String(variant)) as MemoryContent),
        place: toPlace(String(detail), { document: Number(document), position: Number(position) }, this.#names),
      }))
    const stored = {
      ordinal,
      content,
      document: Number(row.document),
      path: this.#names.documents.get(Number(row.document)).path,
      position: Number(row.position),
      length: Number(row.length),
      termCount: Number(row.term_count),
      placeCount: Number(row.place_count),
      state: String(row.state) as MemoryState,
    }
    return this.#keep({ id: content.id, stored, places })
  }

  #keep(draft: Draft): Draft {
    this.#byId.set(draft.id, draft)
    if (draft.stored) this.#byOrdinal.set(draft.stored.ordinal, draft)
    return draft
  }
}
