import type { MemoryContent, MemoryState } from '../../model/memory.ts'
import type { Draft, DraftPlace } from '../write-plan/draft.ts'
import type { SqlRow } from './database.ts'
import { CONTENT_COLUMNS, toContent, toPlace } from './memory-rows.ts'
import type { Transaction } from './postgres-connection.ts'

/** Positions of a document, `to` not included. */
export interface PlaceRange {
  document: number
  from: number
  to: number
}

/** What a write is going to look at. */
export interface DraftNeeds {
  ids?: readonly string[]
  ranges?: readonly PlaceRange[]
}

const MAX_POSITION = 2 ** 31 - 1

const SELECT_STORED = `WITH wanted AS (
    SELECT ordinal FROM memory WHERE tenant = $1 AND id = ANY($2::text[])
    UNION
    SELECT p.ordinal FROM unnest($3::integer[], $4::integer[], $5::integer[]) AS r (document, start, stop)
    JOIN place p ON p.tenant = $1 AND p.document = r.document AND p.position >= r.start AND p.position < r.stop
  )
  SELECT ${CONTENT_COLUMNS}, m.document, m.position, m.place_count, m.length, m.term_count, m.state
  FROM wanted w JOIN memory m ON m.tenant = $1 AND m.ordinal = w.ordinal
  JOIN scope s ON s.tenant = $1 AND s.number = m.scope`
const SELECT_PLACES = `SELECT p.ordinal, p.document, p.position, p.detail AS place, p.variant, d.root, d.path FROM place p
  JOIN document d ON d.tenant = $1 AND d.number = p.document
  WHERE p.tenant = $1 AND p.ordinal = ANY($2::integer[])`

/** The memories that a write touches, each with all its places. What the write looks at is loaded beforehand, in bulk. */
export class Drafts {
  readonly #tenant: string
  readonly #byId = new Map<string, Draft>()
  readonly #byDocument = new Map<number, Set<Draft>>()

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** In the order in which they were first touched. */
  all(): Draft[] {
    return [...this.#byId.values()]
  }

  /** Reads memories that a write asks for, as far as they were not read before. */
  async load(tx: Transaction, { ids = [], ranges = [] }: DraftNeeds): Promise<void> {
    const wanted = ids.filter((id) => !this.#byId.has(id))
    if (wanted.length === 0 && ranges.length === 0) return
    const rows = await tx.query(SELECT_STORED, [
      ...[this.#tenant, wanted],
      ranges.map(({ document }) => document),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => Math.min(to, MAX_POSITION)),
    ])
    const fresh = rows.filter(({ id }) => !this.#byId.has(String(id)))
    if (fresh.length === 0) return
    const ordinals = fresh.map(({ ordinal }) => Number(ordinal))
    const places = groupByOrdinal(await tx.query(SELECT_PLACES, [this.#tenant, ordinals]))
    for (const row of fresh) this.#keep(toDraft(row, places.get(Number(row.ordinal)) ?? []))
  }

  /** The memory of this id, a new one when the store has none. */
  byId(id: string): Draft {
    return this.#byId.get(id) ?? this.#keep({ id, stored: null, places: [] })
  }

  /** Puts a memory at a place. */
  stand(draft: Draft, place: DraftPlace): void {
    draft.places.push(place)
    this.#note(place.document, draft)
  }

  /** Takes all memories out of a range of a document. Returns the places that they left. */
  leave({ document, from, to }: PlaceRange): DraftPlace[] {
    const isHere = ({ document: own, place: { position } }: DraftPlace): boolean =>
      own === document && position >= from && position < to
    const left: DraftPlace[] = []
    for (const draft of this.#byDocument.get(document) ?? []) {
      const gone = draft.places.filter(isHere)
      if (gone.length === 0) continue
      left.push(...gone)
      draft.places = draft.places.filter((one) => !isHere(one))
    }
    return left
  }

  /** Memories that stand in a document, as far as they were loaded. */
  inDocument(document: number): Iterable<Draft> {
    return this.#byDocument.get(document) ?? []
  }

  #keep(draft: Draft): Draft {
    this.#byId.set(draft.id, draft)
    for (const { document } of draft.places) this.#note(document, draft)
    return draft
  }

  #note(document: number, draft: Draft): void {
    const known = this.#byDocument.get(document)
    if (known) known.add(draft)
    else this.#byDocument.set(document, new Set([draft]))
  }
}

function groupByOrdinal(rows: readonly SqlRow[]): Map<number, SqlRow[]> {
  const groups = new Map<number, SqlRow[]>()
  for (const row of rows) {
    const ordinal = Number(row.ordinal)
    const known = groups.get(ordinal)
    if (known) known.push(row)
    else groups.set(ordinal, [row])
  }
  return groups
}

function toDraft(row: SqlRow, placeRows: readonly SqlRow[]): Draft {
  const content = toContent(row)
  const document = Number(row.document)
  const places = placeRows.map((one) => ({
    document: Number(one.document),
    content: one.variant === null ? content : (JSON.parse(String(one.variant)) as MemoryContent),
    place: toPlace(one.place, one),
  }))
  return {
    id: content.id,
    places,
    stored: {
      ordinal: Number(row.ordinal),
      content,
      document,
      path: places.find((one) => one.document === document)?.place.path ?? '',
      position: Number(row.position),
      length: Number(row.length),
      termCount: Number(row.term_count),
      placeCount: Number(row.place_count),
      state: String(row.state) as MemoryState,
    },
  }
}
