import type { Memory, MemoryContent, Place } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { compareNewestFirst, comparePlaces, compareText, occurredMs, withContent } from '../canonical-place.ts'
import type { Layout } from '../keyword-index/layout.ts'
import { toStorableText } from '../storable-text.ts'
import { ambiguousPathError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { Drafts } from './drafts.ts'
import { type Names, SELECT_MEMORIES_BY_ID, SELECT_MEMORIES_BY_ORDINAL, toMemory, toPlace } from './rows.ts'

/** Reads memories and their places; within a read transaction. */
export class MemoryReader {
  readonly #connection: Connection
  readonly #names: Names

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  /** Memories by ordinal; those that are not there are left out. */
  readByOrdinals(ordinals: Iterable<number>): Map<number, Memory> {
    const rows = this.#connection.rows(SELECT_MEMORIES_BY_ORDINAL, JSON.stringify([...ordinals]))
    return new Map(rows.map((row) => [Number(row[0]), toMemory(row, this.#names)]))
  }

  /** Memories in the order of their ids, each once; those that are not there are left out. */
  readByIds(ids: readonly string[]): Memory[] {
    const wanted = [...new Set(ids.map(toStorableText))]
    const rows = this.#connection.rows(SELECT_MEMORIES_BY_ID, JSON.stringify(wanted))
    const memories = rows.map((row) => toMemory(row, this.#names))
    const found = new Map(memories.map((memory) => [memory.id, memory]))
    return wanted.flatMap((id) => found.get(id) ?? [])
  }

  readIds(ordinals: readonly number[]): Map<number, string> {
    const rows = this.#connection
      .sql('SELECT ordinal, id FROM memory WHERE ordinal IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ordinals))
    return new Map(rows.map(({ ordinal, id }) => [Number(ordinal), String(id)]))
  }

  readOrdinals(ids: readonly string[]): Map<string, number> {
    const rows = this.#connection
      .sql('SELECT ordinal, id FROM memory WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids.map(toStorableText)))
    return new Map(rows.map(({ ordinal, id }) => [String(id), Number(ordinal)]))
  }

  /** The canonical place first. */
  readPlaces(id: string): Place[] {
    const draft = new Drafts(this.#connection, this.#names).byId(id)
    return draft.places.sort(comparePlaces).map(({ place }) => place)
  }

  /** Memories of one document that the filter lets through, in order. A path that it lets be seen under one root is not ambiguous. */
  readDocument(
    key: { root?: string; path: string },
    layout: Layout,
    filter: MemoryFilter,
  ): Array<{ memory: Memory; place: Place }> {
    layout.refresh()
    const allowed = layout.applyFilter(filter)
    const documents = this.#connection
      .sql('SELECT id, root FROM document WHERE path = ? ORDER BY root')
      .all(key.path)
      .filter(({ root }) => key.root === undefined || root === key.root)
      .map(({ id, root }) => ({ root: String(root), list: this.#readPlaced(Number(id), allowed) }))
      .filter(({ list }) => list.length > 0)
    if (documents.length > 1) {
      throw ambiguousPathError(
        key.path,
        documents.map(({ root }) => root),
      )
    }
    return documents[0]?.list ?? []
  }

  #readPlaced(document: number, allowed: Uint8Array): Array<{ memory: Memory; place: Place }> {
    const places = this.#connection
      .sql('SELECT ordinal, position, detail, variant FROM place WHERE document = ? ORDER BY position')
      .all(document)
    const ordinals = places.map(({ ordinal }) => Number(ordinal)).filter((ordinal) => allowed[ordinal] === 1)
    const memories = this.readByOrdinals(ordinals)
    return places.flatMap(({ ordinal, position, detail, variant }) => {
      const found = memories.get(Number(ordinal))
      if (!found) return []
      const memory = variant === null ? found : withContent(found, JSON.parse(String(variant)) as MemoryContent)
      return [{ memory, place: toPlace(String(detail), { document, position: Number(position) }, this.#names) }]
    })
  }

  /** Memories that the filter lets through, newest first. */
  readAll(layout: Layout, filter: MemoryFilter, limit = Number.POSITIVE_INFINITY): Memory[] {
    layout.refresh()
    const allowed = layout.applyFilter(filter)
    const ordinals: number[] = []
    for (let ordinal = 0; ordinal < layout.capacity; ordinal++) if (allowed[ordinal] === 1) ordinals.push(ordinal)
    const memories = [...this.readByOrdinals(this.#pickNewest(ordinals, limit)).values()]
    return memories
      .sort((a, b) => compareNewestFirst(occurredMs(a.place), occurredMs(b.place)) || compareText(a.id, b.id))
      .slice(0, limit)
  }

  /** The `limit` newest, so that only they are read. */
  #pickNewest(ordinals: readonly number[], limit: number): readonly number[] {
    if (ordinals.length <= limit) return ordinals
    const times = this.#connection
      .sql(
        `SELECT m.ordinal, p.occurred_ms FROM memory m JOIN place p ON p.document = m.document AND p.position = m.position
         WHERE m.ordinal IN (SELECT value FROM json_each(?)) ORDER BY p.occurred_ms DESC NULLS LAST, m.id LIMIT ?`,
      )
      .all(JSON.stringify(ordinals), limit)
    return times.map(({ ordinal }) => Number(ordinal))
  }
}
