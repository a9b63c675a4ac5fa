import { VECTOR_PAGE_ROWS } from '../../options.ts'
import { hashText } from '../content-key.ts'
import {
  type CodePage,
  filterCodePage,
  joinCodePages,
  makeCodePage,
  packCodePage,
  packFloats,
  unpackCodePage,
} from '../vector-scan/vector-codec.ts'
import type { Connection } from './connection.ts'

/** A model whose vectors the store holds. `dimensions` is 0 while it holds only marks of texts without a vector. */
export interface StoredIdentity {
  number: number
  dimensions: number
}

/** The vectors of one memory for one embed text, of unit length; none when the model cannot represent it. */
export interface VectorEntry {
  ordinal: number
  embedText: string
  windows: readonly Float32Array[]
  /** Vectors of its words, side by side. */
  tokens?: Uint8Array | undefined
}

/**
 * Vectors in the file, twice: 8-bit ones on pages of many, which a process reads into memory in one go (row by row it would
 * take ten times as long), and exact ones, one row a memory, to compare the best again.
 */
export class VectorPages {
  readonly #connection: Connection
  /** Marks what this write changes. */
  readonly #sequence: number

  constructor(connection: Connection, sequence: number) {
    this.#connection = connection
    this.#sequence = sequence
  }

  /** Stores vectors of memories that have none. */
  append(identity: StoredIdentity, entries: readonly VectorEntry[]): void {
    const insert = this.#connection.sql(
      'INSERT INTO embedding (ordinal, identity, windows, text_hash, page, exact, changed) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    // Numbered as they come: they fill the file's pages in order, whatever the order of the ordinals.
    const insertExact = this.#connection.sql('INSERT INTO vector_exact (data) VALUES (?) RETURNING id')
    const pages = this.#writePages(
      identity,
      entries.filter(({ windows }) => windows.length > 0),
    )
    const insertTokens = this.#connection.sql('INSERT INTO token_vectors (ordinal, data) VALUES (?, ?)')
    for (const { ordinal, embedText, windows, tokens } of entries) {
      if (tokens && tokens.length > 0) insertTokens.run(ordinal, tokens)
      const page = pages.get(ordinal) ?? null
      const exact = windows.length > 0 ? Number(insertExact.get(packFloats(windows))?.id) : null
      insert.run(ordinal, identity.number, windows.length, hashText(embedText), page, exact, this.#sequence)
    }
  }

  /** Lays rounded vectors anew for memories that have exact ones and stand on no page. */
  repack(identity: StoredIdentity, entries: ReadonlyArray<Omit<VectorEntry, 'embedText' | 'tokens'>>): void {
    const pages = this.#writePages(
      identity,
      entries.filter(({ windows }) => windows.length > 0),
    )
    const update = this.#connection.sql('UPDATE embedding SET page = ?, changed = ? WHERE ordinal = ?')
    for (const { ordinal } of entries) update.run(pages.get(ordinal) ?? null, this.#sequence, ordinal)
  }

  /** Removes all that is stored of these memories. */
  remove(ordinals: readonly number[]): void {
    const pages = new Map<number, Set<number>>()
    for (const ordinal of ordinals) {
      const row = this.#connection.sql('SELECT page, exact FROM embedding WHERE ordinal = ?').get(ordinal)
      if (!row) continue
      if (row.page !== null) {
        const page = Number(row.page)
        pages.set(page, (pages.get(page) ?? new Set()).add(ordinal))
      }
      this.#connection.sql('DELETE FROM vector_exact WHERE id = ?').run(row.exact ?? null)
      this.#connection.sql('DELETE FROM token_vectors WHERE ordinal = ?').run(ordinal)
      this.#connection.sql('DELETE FROM embedding WHERE ordinal = ?').run(ordinal)
    }
    for (const [page, gone] of pages) this.#removeFromPage(page, gone)
  }

  #removeFromPage(page: number, gone: ReadonlySet<number>): void {
    const row = this.#connection.sql('SELECT data FROM vector_page WHERE id = ?').get(page)
    if (!row) return
    const left = filterCodePage(unpackCodePage(row.data as Uint8Array), (ordinal) => !gone.has(ordinal))
    if (left.ordinals.length === 0) this.#connection.sql('DELETE FROM vector_page WHERE id = ?').run(page)
    else {
      this.#connection
        .sql('UPDATE vector_page SET data = ?, rows = ? WHERE id = ?')
        .run(packCodePage(left), left.ordinals.length, page)
    }
  }

  /** Fills up the last page, then writes new ones. Returns on which page each memory stands. */
  #writePages(
    identity: StoredIdentity,
    entries: ReadonlyArray<Omit<VectorEntry, 'embedText' | 'tokens'>>,
  ): Map<number, number> {
    const pageOf = new Map<number, number>()
    const last = this.#connection
      .sql('SELECT id, rows, data FROM vector_page WHERE identity = ? ORDER BY id DESC LIMIT 1')
      .get(identity.number)
    let at = 0
    if (last && Number(last.rows) < VECTOR_PAGE_ROWS) {
      const fit = takeRows(entries, at, VECTOR_PAGE_ROWS - Number(last.rows))
      const added = makeCodePage(fit, identity.dimensions)
      this.#writePage(Number(last.id), joinCodePages(unpackCodePage(last.data as Uint8Array), added))
      for (const { ordinal } of fit) pageOf.set(ordinal, Number(last.id))
      at = fit.length
    }
    while (at < entries.length) {
      const fit = takeRows(entries, at, VECTOR_PAGE_ROWS)
      const insert =
        'INSERT INTO vector_page (identity, rows, changed, data) VALUES (?, 0, 0, zeroblob(0)) RETURNING id'
      const page = Number(this.#connection.sql(insert).get(identity.number)?.id)
      this.#writePage(page, makeCodePage(fit, identity.dimensions))
      for (const { ordinal } of fit) pageOf.set(ordinal, page)
      at += fit.length
    }
    return pageOf
  }

  #writePage(id: number, page: CodePage): void {
    this.#connection
      .sql('UPDATE vector_page SET data = ?, rows = ?, changed = ? WHERE id = ?')
      .run(packCodePage(page), page.ordinals.length, this.#sequence, id)
  }
}

/** Entries from `at` on with about this many rows, at least one entry: a memory's windows stay together. */
function takeRows<T extends Pick<VectorEntry, 'windows'>>(
  entries: readonly T[],
  at: number,
  rows: number,
): readonly T[] {
  let end = at
  for (let taken = 0; end < entries.length && taken < rows; end++) taken += entries[end]?.windows.length ?? 0
  return entries.slice(at, end)
}
