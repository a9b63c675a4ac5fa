import { chooseMerge, type Segment } from '../keyword-index/choose-merge.ts'
import { type ForEachList, ListMerge, packLists } from '../keyword-index/pack-lists.ts'
import { type PostingEntries, packEntries, readPage, unpackEntries } from '../keyword-index/posting-codec.ts'
import { groupByTerm, type RemovedMemory, withoutGone, withoutGoneOnPage } from '../keyword-index/removed-memory.ts'
import { SegmentDraft } from '../keyword-index/segment-draft.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/** Rows that go in one statement. */
const BATCH_ROWS = 4000

interface PageRow {
  segment: number
  term: string
  data: Uint8Array
}

interface BlockRow extends PageRow {
  first: number
}

/** For each segment and term, the page that would hold the term. */
const FIND_PAGES = `SELECT DISTINCT p.segment, p.term, p.data FROM unnest($2::integer[], $3::text[]) AS t (segment, term)
  CROSS JOIN LATERAL (
    SELECT segment, term, data FROM posting_page p WHERE p.tenant = $1 AND p.segment = t.segment AND p.term <= t.term COLLATE "C"
    ORDER BY p.term DESC LIMIT 1
  ) p`
/** For each segment, term and ordinal, the block that would hold the ordinal. */
const FIND_BLOCKS = `SELECT DISTINCT b.segment, b.term, b.first, b.data
  FROM unnest($2::integer[], $3::text[], $4::integer[]) AS t (segment, term, ordinal)
  CROSS JOIN LATERAL (
    SELECT segment, term, first, data FROM posting_block b
    WHERE b.tenant = $1 AND b.segment = t.segment AND b.term = t.term COLLATE "C" AND b.first <= t.ordinal
    ORDER BY b.first DESC LIMIT 1
  ) b`
const INSERT_PAGES = `INSERT INTO posting_page (tenant, segment, term, data)
  SELECT $1, u.* FROM unnest($2::integer[], $3::text[], $4::bytea[]) AS u`
const INSERT_BLOCKS = `INSERT INTO posting_block (tenant, segment, term, first, data)
  SELECT $1, u.* FROM unnest($2::integer[], $3::text[], $4::integer[], $5::bytea[]) AS u`
const DELETE_PAGES = `DELETE FROM posting_page p USING unnest($2::integer[], $3::text[]) AS u (segment, term)
  WHERE p.tenant = $1 AND p.segment = u.segment AND p.term = u.term COLLATE "C"`
const DELETE_BLOCKS = `DELETE FROM posting_block b USING unnest($2::integer[], $3::text[], $4::integer[]) AS u (segment, term, first)
  WHERE b.tenant = $1 AND b.segment = u.segment AND b.term = u.term COLLATE "C" AND b.first = u.first`

/**
 * The inverted index of a tenant during a write, in segments as the SQLite store has them: each write adds one, whose terms fill a few
 * pages in order, small neighbouring ones are merged, and the lists of common terms have blocks of their own.
 */
export class PostingSegments {
  readonly #tx: Transaction
  readonly #tenant: string
  readonly #takeNumber: () => number

  /** `takeNumber` gives the number of the next segment. */
  constructor(tx: Transaction, tenant: string, takeNumber: () => number) {
    this.#tx = tx
    this.#tenant = tenant
    this.#takeNumber = takeNumber
  }

  /** For memories that are to be added. */
  createDraft(): SegmentDraft {
    return new SegmentDraft()
  }

  /** Adds memories whose ordinals are above all that were ever added. */
  async add(draft: SegmentDraft): Promise<void> {
    if (draft.memories > 0) await this.#writeSegment(draft, (write) => draft.forEachList(write))
  }

  /** Removes every trace of these memories, given in ascending order. */
  async remove(memories: readonly RemovedMemory[]): Promise<void> {
    if (memories.length === 0) return
    const first = memories[0]?.ordinal ?? 0
    const last = memories.at(-1)?.ordinal ?? 0
    const affected = (await this.#segments()).filter((segment) => segment.first <= last && segment.last >= first)
    const emptied: number[] = []
    const removals: Array<{ segment: Segment; here: RemovedMemory[] }> = []
    for (const segment of affected) {
      const here = memories.filter(({ ordinal }) => ordinal >= segment.first && ordinal <= segment.last)
      if (here.length === 0) continue
      if (here.length >= segment.memories) emptied.push(segment.id)
      else removals.push({ segment, here })
    }
    await this.#drop(emptied)
    for (const { segment, here } of removals) await this.#removeFrom(segment.id, here)
    await this.#tx.run(
      `UPDATE segment s SET memories = s.memories - u.gone FROM unnest($2::integer[], $3::integer[]) AS u (number, gone)
       WHERE s.tenant = $1 AND s.number = u.number`,
      [this.#tenant, removals.map(({ segment }) => segment.id), removals.map(({ here }) => here.length)],
    )
  }

  async isMergeDue(): Promise<boolean> {
    return chooseMerge(await this.#segments()).length > 0
  }

  /** Makes one segment of the small ones that are due next. False when none are. */
  async mergeNext(): Promise<boolean> {
    const due = chooseMerge(await this.#segments())
    if (due.length === 0) return false
    const ids = due.map(({ id }) => id)
    const merge = new ListMerge()
    await this.#scan(ids, (term, entries) => merge.add(term, entries))
    await this.#drop(ids)
    const first = Math.min(...due.map((segment) => segment.first))
    const last = Math.max(...due.map((segment) => segment.last))
    const memories = due.reduce((sum, segment) => sum + segment.memories, 0)
    await this.#writeSegment({ first, last, memories }, merge.forEachList)
    return true
  }

  /** Empties the index. */
  async clear(): Promise<void> {
    await this.#drop((await this.#segments()).map(({ id }) => id))
  }

  /** Calls `visit` with every list of the index; a term comes once for each segment, or for each piece of a long list. */
  async scanAll(visit: (term: string, entries: PostingEntries) => void): Promise<void> {
    await this.#scan(
      (await this.#segments()).map(({ id }) => id),
      visit,
    )
  }

  /** Calls `visit` with every list of some segments, by ascending ordinals within a term. */
  async #scan(segments: readonly number[], visit: (term: string, entries: PostingEntries) => void): Promise<void> {
    const visitList = (term: string, bytes: Uint8Array): void => {
      const entries: PostingEntries = []
      unpackEntries(bytes, entries)
      visit(term, entries)
    }
    for (const segment of segments) {
      const pages = await this.#tx.query('SELECT data FROM posting_page WHERE tenant = $1 AND segment = $2', [
        this.#tenant,
        segment,
      ])
      for (const { data } of pages) {
        for (const { term, list } of readPage(data as Uint8Array)) visitList(term, list)
      }
      const blocks = await this.#tx.query(
        'SELECT term, data FROM posting_block WHERE tenant = $1 AND segment = $2 ORDER BY term, first',
        [this.#tenant, segment],
      )
      for (const { term, data } of blocks) visitList(String(term), data as Uint8Array)
    }
  }

  /** In the order of their ordinals. */
  async #segments(): Promise<Segment[]> {
    const rows = await this.#tx.query(
      'SELECT number, first, last, memories FROM segment WHERE tenant = $1 ORDER BY first',
      [this.#tenant],
    )
    return rows.map(({ number, first, last, memories }) => ({
      id: Number(number),
      first: Number(first),
      last: Number(last),
      memories: Number(memories),
    }))
  }

  async #writeSegment({ first, last, memories }: Omit<Segment, 'id'>, forEachList: ForEachList): Promise<void> {
    const segment = this.#takeNumber()
    await this.#tx.run('INSERT INTO segment (tenant, number, first, last, memories) VALUES ($1, $2, $3, $4, $5)', [
      ...[this.#tenant, segment, first, last, memories],
    ])
    const pages: PageRow[] = []
    const blocks: BlockRow[] = []
    packLists(forEachList, {
      page: (term, data) => pages.push({ segment, term, data }),
      block: (term, piece) => blocks.push({ segment, term, first: piece.first, data: piece.bytes }),
    })
    await this.#insertPages(pages)
    await this.#insertBlocks(blocks)
  }

  async #insertPages(pages: readonly PageRow[]): Promise<void> {
    for (const batch of batches(pages)) {
      await this.#tx.run(INSERT_PAGES, [this.#tenant, ...keysOf(batch), batch.map(({ data }) => data)])
    }
  }

  async #insertBlocks(blocks: readonly BlockRow[]): Promise<void> {
    for (const batch of batches(blocks)) {
      const firsts = batch.map(({ first }) => first)
      await this.#tx.run(INSERT_BLOCKS, [this.#tenant, ...keysOf(batch), firsts, batch.map(({ data }) => data)])
    }
  }

  async #drop(segments: readonly number[]): Promise<void> {
    if (segments.length === 0) return
    for (const [table, column] of [
      ['posting_page', 'segment'],
      ['posting_block', 'segment'],
      ['segment', 'number'],
    ]) {
      await this.#tx.run(`DELETE FROM ${table} WHERE tenant = $1 AND ${column} = ANY($2::integer[])`, [
        this.#tenant,
        segments,
      ])
    }
  }

  /**
   * Takes memories out of one segment's lists, and every word that only they held out of its pages. It looks where their terms stand;
   * when fewer entries are found there than were added (another tokenizer made the terms), it looks everywhere.
   */
  async #removeFrom(segment: number, memories: readonly RemovedMemory[]): Promise<void> {
    const gone = new Set(memories.map(({ ordinal }) => ordinal))
    const holders = groupByTerm(memories)
    const terms = [...holders.keys()]
    const pairs = [...holders].flatMap(([term, ordinals]) => ordinals.map((ordinal) => ({ term, ordinal })))
    const pages = await this.#tx.query(FIND_PAGES, [this.#tenant, terms.map(() => segment), terms])
    const blocks = await this.#tx.query(FIND_BLOCKS, [
      ...[this.#tenant, pairs.map(() => segment), pairs.map(({ term }) => term)],
      pairs.map(({ ordinal }) => ordinal),
    ])
    const removed = (await this.#removeFromPages(pages, gone)) + (await this.#removeFromBlocks(blocks, gone))
    const wanted = memories.reduce((sum, { termCount }) => sum + termCount, 0)
    if (removed < wanted) await this.#sweep(segment, gone)
  }

  async #sweep(segment: number, gone: ReadonlySet<number>): Promise<void> {
    const all = (table: string): Promise<SqlRow[]> =>
      this.#tx.query(`SELECT * FROM ${table} WHERE tenant = $1 AND segment = $2`, [this.#tenant, segment])
    await this.#removeFromPages(await all('posting_page'), gone)
    await this.#removeFromBlocks(await all('posting_block'), gone)
  }

  /** Returns how many entries were removed. */
  async #removeFromPages(rows: readonly SqlRow[], gone: ReadonlySet<number>): Promise<number> {
    const changed = rows.map(toPageRow).flatMap((row) => {
      const { removed, pages } = withoutGoneOnPage(row.data, gone)
      return removed > 0 ? [{ row, removed, pages }] : []
    })
    if (changed.length === 0) return 0
    // The key is a word too: the page gets the first word that is left.
    await this.#tx.run(DELETE_PAGES, [this.#tenant, ...keysOf(changed.map(({ row }) => row))])
    await this.#insertPages(
      changed.flatMap(({ row, pages }) => pages.map((page) => ({ segment: row.segment, ...page }))),
    )
    return changed.reduce((sum, { removed }) => sum + removed, 0)
  }

  /** Returns how many entries were removed from the blocks of long lists. */
  async #removeFromBlocks(rows: readonly SqlRow[], gone: ReadonlySet<number>): Promise<number> {
    const changed = rows
      .map((row): BlockRow => ({ ...toPageRow(row), first: Number(row.first) }))
      .flatMap((row) => {
        const { left, count } = withoutGone(row.data, gone)
        return count > 0 ? [{ row, count, data: packEntries(left)[0]?.bytes }] : []
      })
    if (changed.length === 0) return 0
    const old = changed.map(({ row }) => row)
    await this.#tx.run(DELETE_BLOCKS, [this.#tenant, ...keysOf(old), old.map(({ first }) => first)])
    await this.#insertBlocks(changed.flatMap(({ row, data }) => (data ? [{ ...row, data }] : [])))
    return changed.reduce((sum, { count }) => sum + count, 0)
  }
}

function toPageRow({ segment, term, data }: SqlRow): PageRow {
  return { segment: Number(segment), term: String(term), data: data as Uint8Array }
}

function keysOf(rows: readonly PageRow[]): [segments: number[], terms: string[]] {
  return [rows.map(({ segment }) => segment), rows.map(({ term }) => term)]
}

function* batches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS)
}
