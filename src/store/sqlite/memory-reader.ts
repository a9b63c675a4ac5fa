import type { Memory, Place } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { compareNewestFirst, comparePlaces, compareText, occurredMs } from '../canonical-place.ts'
import { ambiguousPathError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { Drafts } from './drafts.ts'
import type { Layout } from './layout.ts'
import { PLACE_COLUMNS, SELECT_MEMORY, toMemory, toPlace } from './rows.ts'
import type { Scopes } from './scopes.ts'

/** Reads memories and their places; within a read transaction. */
export class MemoryReader {
  readonly #connection: Connection
  readonly #scopes: Scopes

  constructor(connection: Connection, scopes: Scopes) {
    this.#connection = connection
    this.#scopes = scopes
  }

  readByOrdinal(ordinal: number): Memory | null {
    const row = this.#connection.sql(`${SELECT_MEMORY} WHERE m.ordinal = ?`).get(ordinal)
    return row ? toMemory(row, this.#scopes) : null
  }

  readById(id: string): Memory | null {
    const row = this.#connection.sql(`${SELECT_MEMORY} WHERE m.id = ?`).get(id)
    return row ? toMemory(row, this.#scopes) : null
  }

  readIds(ordinals: readonly number[]): Map<number, string> {
    const find = this.#connection.sql('SELECT id FROM memory WHERE ordinal = ?')
    return new Map(ordinals.map((ordinal) => [ordinal, String(find.get(ordinal)?.id)]))
  }

  /** The canonical place first. */
  readPlaces(id: string): Place[] {
    const draft = new Drafts(this.#connection, this.#scopes).byId(id)
    return draft.places.sort(comparePlaces).map(({ place }) => place)
  }

  /** Memories of one document that the filter lets through, in order. */
  readDocument(
    key: { root?: string; path: string },
    layout: Layout,
    filter: MemoryFilter,
  ): Array<{ memory: Memory; place: Place }> {
    layout.refresh()
    const isAllowed = layout.compileFilter(filter)
    const documents = this.#connection
      .sql('SELECT id, root FROM document WHERE path = ? ORDER BY root')
      .all(key.path)
      .filter(({ root }) => key.root === undefined || root === key.root)
    if (documents.length > 1)
      throw ambiguousPathError(
        key.path,
        documents.map(({ root }) => String(root)),
      )
    const places = this.#connection.sql(
      `SELECT p.ordinal, ${PLACE_COLUMNS} FROM place p JOIN document d ON d.id = p.document
       WHERE p.document = ? ORDER BY p.position`,
    )
    return places.all(documents[0]?.id ?? 0).flatMap((row) => {
      const ordinal = Number(row.ordinal)
      const memory = isAllowed(ordinal) ? this.readByOrdinal(ordinal) : null
      return memory ? [{ memory, place: toPlace(row) }] : []
    })
  }

  /** Memories that the filter lets through, newest first. */
  readAll(layout: Layout, filter: MemoryFilter, limit = Number.POSITIVE_INFINITY): Memory[] {
    layout.refresh()
    const isAllowed = layout.compileFilter(filter)
    const memories: Memory[] = []
    for (let ordinal = 0; ordinal < layout.capacity; ordinal++) {
      const memory = isAllowed(ordinal) ? this.readByOrdinal(ordinal) : null
      if (memory) memories.push(memory)
    }
    return memories
      .sort((a, b) => compareNewestFirst(occurredMs(a.place), occurredMs(b.place)) || compareText(a.id, b.id))
      .slice(0, limit)
  }
}
