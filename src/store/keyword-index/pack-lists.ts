import { LONG_LIST_BYTES, POSTING_PAGE_BYTES } from '../../options.ts'
import { type PackedPiece, PageBuilder, type PostingEntries, packEntries, sortByBytes } from './posting-codec.ts'

/** Calls what it is given with every term, in the order of its bytes, and its list: entries `from` to before `to`. */
export type ForEachList = (write: (term: string, entries: ArrayLike<number>, from: number, to: number) => void) => void

/** Packs the lists of a segment: short ones side by side on pages, the pieces of a long one into blocks of its own. */
export function packLists(
  forEachList: ForEachList,
  emit: { page: (firstTerm: string, page: Uint8Array) => void; block: (term: string, piece: PackedPiece) => void },
): void {
  const pages = new PageBuilder(emit.page)
  forEachList((term, entries, from, to) => {
    const pieces = packEntries(entries, { maxBytes: POSTING_PAGE_BYTES, from, to })
    const [only] = pieces
    if (only && pieces.length === 1 && only.bytes.length < LONG_LIST_BYTES) pages.add(term, only.bytes)
    else for (const piece of pieces) emit.block(term, piece)
  })
  pages.flush()
}

/** The lists of neighbouring segments, given in order, as those of one. */
export class ListMerge {
  readonly #lists = new Map<string, PostingEntries>()

  /** Takes the entries for its own. */
  add(term: string, entries: PostingEntries): void {
    const list = this.#lists.get(term)
    if (list) for (const value of entries) list.push(value)
    else this.#lists.set(term, entries)
  }

  readonly forEachList: ForEachList = (write) => {
    for (const term of sortByBytes([...this.#lists.keys()])) {
      const entries = this.#lists.get(term) ?? []
      write(term, entries, 0, entries.length)
    }
  }
}
