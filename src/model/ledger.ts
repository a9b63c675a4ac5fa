/**
 * What became of the characters of one document (UTF-16 units of the decoded file). Every class counts characters of the file: marks
 * that stand in for something taken out are not among them. Their sum is `characters`.
 */
export interface CharacterAccount {
  characters: number
  /** Text of memories that this document is the first to hold. */
  indexed: number
  /** Text that stands in an earlier place too, of this document or another. */
  duplicate: number
  /** Secrets. */
  redacted: number
  /** Syntax and bookkeeping of a transcript's records; of a note none. */
  structure: number
  /** Taken out of texts, by the rule that took it. */
  stripped: Record<string, number>
  /** Left out as a whole, by reason. */
  skipped: Record<string, number>
}

/** The account of a file that was found under a root. */
export interface LedgerEntry extends CharacterAccount {
  root: string
  path: string
}
