import { TermCounter } from '../../text/term-counter.ts'
import { chooseMerge, type Segment } from '../keyword-index/choose-merge.ts'
import { type ForEachList, ListMerge, packLists } from '../keyword-index/pack-lists.ts'
import {
  countPacked,
  findOnPage,
  type PostingEntries,
  readPage,
  unpackEntries,
  unpackPieces,
} from '../keyword-index/posting-codec.ts'
import type { RemovedMemory } from '../keyword-index/removed-memory.ts'
import { SegmentDraft } from '../keyword-index/segment-draft.ts'
import { toStorableText } from '../storable-text.ts'
import type { Connection } from './connection.ts'
import { removeFromSegment } from './posting-removal.ts'

const SELECT_SEGMENTS = 'SELECT id, first, last, memories FROM segment ORDER BY first'
/** For each term of a JSON list and each segment the page on which the term stands if it stands on any. */
const FIND_PAGES = `SELECT j.key AS term, s.id AS segment, (SELECT data FROM posting_page p WHERE p.segment = s.id AND p.term <= j.value
  ORDER BY p.term DESC LIMIT 1) AS data FROM json_each(?) j CROSS JOIN segment s ORDER BY j.key, s.first`
const FIND_BLOCKS = `SELECT j.key AS term, s.id AS segment, b.data FROM json_each(?) j CROSS JOIN segment s
  CROSS JOIN posting_block b ON b.segment = s.id AND b.term = j.value ORDER BY j.key, s.first, b.first`

/**
 * The inverted index: for every term the memories that hold it. It is kept in segments that cover ranges of ordinals which do
 * not overlap. A write adds one segment, whose terms fill a few pages in order: many times faster than growing the lists of
 * thousands of terms in place. Small neighbouring segments are merged. A common term's list has blocks of its own.
 *
 * Why not the full-text index that SQLite brings: the scores of windows and documents need the lists themselves, and a
 * removed memory must leave no word behind at once.
 */
export class PostingIndex {
  readonly #connection: Connection
  /** What is known of words serves one draft after the other. */
  #counter = new TermCounter()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** All memories that hold the term, by ascending ordinal: ordinal, frequency, ordinal, frequency, … */
  read(term: string): Int32Array {
    return unpackPieces(this.readPieces([term])[0] ?? [])
  }

  /** How many hold it. */
  count(term: string): number {
    return this.readPieces([term])
      .flat()
      .reduce((sum, piece) => sum + countPacked(piece), 0)
  }

  /** For each term the pieces of its list, packed: one statement for all of them takes half of the time. */
  readPieces(terms: readonly string[]): Uint8Array[][] {
    const wanted = terms.map((term) => Buffer.from(term))
    const json = JSON.stringify(terms.map(toStorableText))
    const blocks = this.#connection.rows(FIND_BLOCKS, json)
    const found: Uint8Array[][] = terms.map(() => [])
    let at = 0
    for (const [term, segment, data] of this.#connection.rows(FIND_PAGES, json)) {
      const pieces = found[Number(term)] ?? []
      const isHere = (): boolean => blocks[at]?.[0] === term && blocks[at]?.[1] === segment
      // A term stands in blocks or on a page of its segment, never in both.
      if (isHere()) for (; isHere(); at++) pieces.push(blocks[at]?.[2] as Uint8Array)
      else if (data !== null) {
        const list = findOnPage(data as Uint8Array, wanted[Number(term)] ?? Buffer.alloc(0))
        if (list.length > 0) pieces.push(list)
      }
    }
    return found
  }

  /** For memories that are to be added. */
  createDraft(): SegmentDraft {
    if (this.#counter.isFull) this.#counter = new TermCounter()
    return new SegmentDraft(this.#counter)
  }

  /** Adds memories whose ordinals are above all that were ever added. */
  add(draft: SegmentDraft): void {
    if (draft.memories === 0) return
    this.#writeSegment(draft, (write) => draft.forEachList(write))
  }

  /** Removes every trace of these memories, given in ascending order. */
  remove(memories: readonly RemovedMemory[]): void {
    if (memories.length === 0) return
    for (const segment of this.#segments()) {
      const here = memories.filter(({ ordinal }) => ordinal >= segment.first && ordinal <= segment.last)
      if (here.length === 0) continue
      const left = segment.memories - here.length
      if (left <= 0) this.#drop(segment.id)
      else {
        removeFromSegment(this.#connection, segment.id, here)
        this.#connection.sql('UPDATE segment SET memories = ? WHERE id = ?').run(left, segment.id)
      }
    }
  }

  isMergeDue(): boolean {
    return chooseMerge(this.#segments()).length > 0
  }

  /** Makes one segment of the small ones that are due next. False when none are. */
  mergeNext(): boolean {
    const due = chooseMerge(this.#segments())
    if (due.length > 0) this.#join(due)
    return due.length > 0
  }

  /** Empties the index. */
  clear(): void {
    for (const { id } of this.#segments()) this.#drop(id)
  }

  /** Calls `visit` with every list of the index, a term once for each segment that has it and piece that it is kept in. */
  scan(visit: (term: string, entries: PostingEntries) => void): void {
    for (const { id } of this.#segments()) this.#scanSegment(id, visit)
  }

  #scanSegment(segment: number, visit: (term: string, entries: PostingEntries) => void): void {
    const visitList = (term: string, bytes: Uint8Array): void => {
      const entries: PostingEntries = []
      unpackEntries(bytes, entries)
      visit(term, entries)
    }
    for (const { data } of this.#connection.sql('SELECT data FROM posting_page WHERE segment = ?').all(segment)) {
      for (const { term, list } of readPage(data as Uint8Array)) visitList(term, list)
    }
    const blocks = this.#connection.sql('SELECT term, data FROM posting_block WHERE segment = ? ORDER BY term, first')
    for (const { term, data } of blocks.all(segment)) visitList(String(term), data as Uint8Array)
  }

  #segments(): Segment[] {
    const rows = this.#connection.sql(SELECT_SEGMENTS).all()
    return rows.map(({ id, first, last, memories }) => ({
      id: Number(id),
      first: Number(first),
      last: Number(last),
      memories: Number(memories),
    }))
  }

  #writeSegment({ first, last, memories }: Omit<Segment, 'id'>, forEachList: ForEachList): void {
    const insert = 'INSERT INTO segment (first, last, memories) VALUES (?, ?, ?) RETURNING id'
    const segment = Number(this.#connection.sql(insert).get(first, last, memories)?.id)
    const insertPage = this.#connection.sql('INSERT INTO posting_page (segment, term, data) VALUES (?, ?, ?)')
    const insertBlock = this.#connection.sql(
      'INSERT INTO posting_block (segment, term, first, data) VALUES (?, ?, ?, ?)',
    )
    packLists(forEachList, {
      page: (term, page) => {
        insertPage.run(segment, term, page)
      },
      block: (term, piece) => {
        insertBlock.run(segment, term, piece.first, piece.bytes)
      },
    })
  }

  #drop(segment: number): void {
    for (const table of ['posting_page', 'posting_block']) {
      this.#connection.sql(`DELETE FROM ${table} WHERE segment = ?`).run(segment)
    }
    this.#connection.sql('DELETE FROM segment WHERE id = ?').run(segment)
  }

  /** Makes one segment of neighbouring ones, given in order. */
  #join(segments: readonly Segment[]): void {
    const merge = new ListMerge()
    for (const { id } of segments) {
      this.#scanSegment(id, (term, entries) => merge.add(term, entries))
      this.#drop(id)
    }
    const first = Math.min(...segments.map((segment) => segment.first))
    const last = Math.max(...segments.map((segment) => segment.last))
    const memories = segments.reduce((sum, segment) => sum + segment.memories, 0)
    this.#writeSegment({ first, last, memories }, merge.forEachList)
  }
}
