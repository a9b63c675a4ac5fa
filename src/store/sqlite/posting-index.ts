import { POSTING_BLOCK } from '../../options.ts'
import { chooseMerge, type Segment } from './choose-merge.ts'
import type { Connection } from './connection.ts'
import { decodeBlock, encodeBlock, PostingList } from './posting-list.ts'

/** The terms of one memory, as text/index-terms gives them. */
export interface TermsOfMemory {
  ordinal: number
  frequencies: ReadonlyMap<string, number>
}

const READ_TERM = `SELECT p.block, p.data FROM segment s CROSS JOIN posting p ON p.segment = s.id
  WHERE p.term = ? ORDER BY s.first, p.block`
const INSERT_BLOCK = 'INSERT INTO posting (segment, term, block, data) VALUES (?, ?, ?, ?)'
const FIND_BLOCK = `SELECT block, data FROM posting WHERE segment = ? AND term = ? AND block <= ?
  ORDER BY block DESC LIMIT 1`
const UPDATE_BLOCK = 'UPDATE posting SET data = ? WHERE segment = ? AND term = ? AND block = ?'
const DELETE_BLOCK = 'DELETE FROM posting WHERE segment = ? AND term = ? AND block = ?'

/**
 * The inverted index: for every term the memories that hold it. It is kept in segments: a write adds one segment with a
 * row for each of its terms, at the end of the table, which is many times faster than growing the rows of all terms in
 * place. Segments cover ranges of ordinals that do not overlap; small neighbours are merged. Long lists are cut into blocks,
 * so that a removal rewrites a page and not the whole list of a common word.
 *
 * Why not the full-text index that SQLite has: the scores of windows and documents need the lists themselves, and a
 * removed memory must leave no word behind at once.
 */
export class PostingIndex {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** All memories that hold the term. */
  read(term: string): PostingList {
    const list = new PostingList(256)
    for (const { block, data } of this.#connection.sql(READ_TERM).all(term)) {
      decodeBlock(data as Uint8Array, Number(block), list)
    }
    return list
  }

  /** Adds memories with ordinals above all that were ever added, in ascending order. */
  add(memories: readonly TermsOfMemory[]): void {
    const [first] = memories
    const last = memories.at(-1)
    if (!first || !last) return
    const lists = new Map<string, PostingList>()
    for (const { ordinal, frequencies } of memories) {
      for (const [term, frequency] of frequencies) {
        let list = lists.get(term)
        if (!list) {
          list = new PostingList(2)
          lists.set(term, list)
        }
        list.push(ordinal, frequency)
      }
    }
    const segment = this.#createSegment({ first: first.ordinal, last: last.ordinal, memories: memories.length })
    // In the order of the table, so that each row is put at its end.
    for (const term of [...lists.keys()].sort()) this.#writeList(segment, term, lists.get(term) ?? new PostingList())
  }

  /** Removes every trace of these memories, given in ascending order with the terms they were added with. */
  remove(memories: readonly TermsOfMemory[]): void {
    for (const segment of this.#segments()) {
      const here = memories.filter(({ ordinal }) => ordinal >= segment.first && ordinal <= segment.last)
      if (here.length === 0) continue
      const byTerm = new Map<string, number[]>()
      for (const { ordinal, frequencies } of here) {
        for (const term of frequencies.keys()) {
          const ordinals = byTerm.get(term)
          if (ordinals) ordinals.push(ordinal)
          else byTerm.set(term, [ordinal])
        }
      }
      const wanted = here.reduce((sum, { frequencies }) => sum + frequencies.size, 0)
      let removed = 0
      for (const [term, ordinals] of byTerm) removed += this.#removeFromTerm(segment.id, term, ordinals)
      // The terms were not those of the time of adding (another tokenizer): look everywhere.
      if (removed !== wanted) this.#sweep(segment.id, new Set(here.map(({ ordinal }) => ordinal)))
      this.#shrinkSegment(segment, here.length)
    }
  }

  /** Merges small segments while some are due. */
  merge(): void {
    for (let due = chooseMerge(this.#segments()); due.length > 0; due = chooseMerge(this.#segments())) this.#join(due)
  }

  /** Empties the index. */
  clear(): void {
    this.#connection.exec('DELETE FROM posting')
    this.#connection.exec('DELETE FROM segment')
  }

  #segments(): Segment[] {
    const rows = this.#connection.sql('SELECT id, first, last, memories FROM segment ORDER BY first').all()
    return rows.map(({ id, first, last, memories }) => ({
      id: Number(id),
      first: Number(first),
      last: Number(last),
      memories: Number(memories),
    }))
  }

  #createSegment({ first, last, memories }: Omit<Segment, 'id'>): number {
    const insert = this.#connection.sql('INSERT INTO segment (first, last, memories) VALUES (?, ?, ?) RETURNING id')
    return Number(insert.get(first, last, memories)?.id)
  }

  #shrinkSegment(segment: Segment, by: number): void {
    const left = segment.memories - by
    if (left > 0) this.#connection.sql('UPDATE segment SET memories = ? WHERE id = ?').run(left, segment.id)
    else this.#dropSegments([segment.id])
  }

  #dropSegments(ids: readonly number[]): void {
    for (const id of ids) {
      this.#connection.sql('DELETE FROM posting WHERE segment = ?').run(id)
      this.#connection.sql('DELETE FROM segment WHERE id = ?').run(id)
    }
  }

  #writeList(segment: number, term: string, list: PostingList): void {
    const insert = this.#connection.sql(INSERT_BLOCK)
    for (let from = 0; from < list.count; from += POSTING_BLOCK) {
      const base = list.ordinals[from] ?? 0
      insert.run(segment, term, base, encodeBlock(list, from, Math.min(list.count, from + POSTING_BLOCK), base))
    }
  }

  /** Removes ascending ordinals from one list of a segment; returns how many were there. */
  #removeFromTerm(segment: number, term: string, ordinals: readonly number[]): number {
    const find = this.#connection.sql(FIND_BLOCK)
    let removed = 0
    let at = ordinals.length - 1
    while (at >= 0) {
      const row = find.get(segment, term, ordinals[at] ?? 0)
      if (!row) break
      const base = Number(row.block)
      const gone = new Set<number>()
      for (; at >= 0 && (ordinals[at] ?? 0) >= base; at--) gone.add(ordinals[at] ?? 0)
      removed += this.#rewriteBlock({ segment, term, base, data: row.data as Uint8Array }, gone)
    }
    return removed
  }

  #rewriteBlock(
    block: { segment: number; term: string; base: number; data: Uint8Array },
    gone: ReadonlySet<number>,
  ): number {
    const list = new PostingList(POSTING_BLOCK)
    decodeBlock(block.data, block.base, list)
    const left = new PostingList(POSTING_BLOCK)
    for (let i = 0; i < list.count; i++) {
      const ordinal = list.ordinals[i] ?? 0
      if (!gone.has(ordinal)) left.push(ordinal, list.frequencies[i] ?? 1)
    }
    const { segment, term, base } = block
    if (left.count === 0) this.#connection.sql(DELETE_BLOCK).run(segment, term, base)
    else if (left.count < list.count) {
      this.#connection.sql(UPDATE_BLOCK).run(encodeBlock(left, 0, left.count, base), segment, term, base)
    }
    return list.count - left.count
  }

  #sweep(segment: number, gone: ReadonlySet<number>): void {
    const rows = this.#connection.sql('SELECT term, block, data FROM posting WHERE segment = ?').all(segment)
    for (const { term, block, data } of rows) {
      this.#rewriteBlock({ segment, term: String(term), base: Number(block), data: data as Uint8Array }, gone)
    }
  }

  /** Makes one segment of neighbouring ones. */
  #join(segments: readonly Segment[]): void {
    const ids = segments.map(({ id }) => id)
    const joined = this.#createSegment({
      first: Math.min(...segments.map(({ first }) => first)),
      last: Math.max(...segments.map(({ last }) => last)),
      memories: segments.reduce((sum, { memories }) => sum + memories, 0),
    })
    // Blocks are numbered by their first ordinals, so this gives each term's list in order of ordinals.
    const rows = this.#connection.sql(
      `SELECT term, block, data FROM posting WHERE segment IN (${ids.map(() => '?')}) ORDER BY term, block`,
    )
    let term = ''
    let list = new PostingList()
    for (const row of rows.iterate(...ids)) {
      if (row.term !== term) {
        this.#writeList(joined, term, list)
        term = String(row.term)
        list = new PostingList()
      }
      decodeBlock(row.data as Uint8Array, Number(row.block), list)
    }
    this.#writeList(joined, term, list)
    this.#dropSegments(ids)
  }
}
