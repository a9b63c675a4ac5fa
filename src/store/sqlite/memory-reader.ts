import type { Memory, Place } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { compareNewestFirst, comparePlaces, compareText, occurredMs } from '../canonical-place.ts'
import { ambiguousPathError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { Drafts } from './drafts.ts'
import type { Layout } from './layout.ts'
import { type Names, SELECT_MEMORY_BY_ID, SELECT_MEMORY_BY_ORDINAL, toMemory, toPlace } from './rows.ts'

/** Reads memories and their places; within a read transaction. */
export class MemoryReader {
  readonly #connection: Connection
  readonly #names: Names

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  readByOrdinal(ordinal: number): Memory | null {
    const row = this.#connection.sql(SELECT_MEMORY_BY_ORDINAL).get(ordinal)
    return row ? toMemory(row, this.#names) : null
  }

  readById(id: string): Memory | null {
    const row = this.#connection.sql(SELECT_MEMORY_BY_ID).get(id)
    return row ? toMemory(row, this.#names) : null
  }

  readIds(ordinals: readonly number[]): Map<number, string> {
    const find = this.#connection.sql('SELECT id FROM memory WHERE ordinal = ?')
    return new Map(ordinals.map((ordinal) => [ordinal, String(find.get(ordinal)?.id)]))
  }

  /** The canonical place first. */
  readPlaces(id: string): Place[] {
    const draft = new Drafts(this.#connection, this.#names).byId(id)
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
    const document = Number(documents[0]?.id ?? 0)
    const places = this.#connection
      .sql('SELECT ordinal, position, detail FROM place WHERE document = ? ORDER BY position')
      .all(document)
    return places.flatMap(({ ordinal, position, detail }) => {
      const memory = isAllowed(Number(ordinal)) ? this.readByOrdinal(Number(ordinal)) : null
      if (!memory) return []
      return [{ memory, place: toPlace(String(detail), { document, position: Number(position) }, this.#names) }]
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
