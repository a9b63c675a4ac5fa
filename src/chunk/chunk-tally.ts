/** Listens to a chunker and counts what becomes of a document's characters. It changes nothing of what the chunker does. */
export interface ChunkTally {
  /** So many characters between what says something, blank lines and the like, are in no chunk. */
  strip(rule: string, characters: number): void
  /** A part of the document gives no chunk. */
  skip(reason: string, characters: number): void
  /** So many characters of the document became the next chunk's. One call a chunk, in order. */
  keep(characters: number): void
}
