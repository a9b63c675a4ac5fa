import type { EvidenceSpan } from '../model/relationship.ts'
import type { Statement } from '../text/statements/read-statements.ts'

/** In what two statements differ that cannot both hold; `wording`: other words, not names, in the same place, which often both hold. */
export type ConflictKind = 'negation' | 'opposite' | 'value' | 'name' | 'wording' | 'replacement'

/** Two statements of which at most one holds, and how sure that is. */
export interface Conflict {
  kind: ConflictKind
  /** [0,1]: how much of what is said around the difference is the same. */
  strength: number
  /** Whether one of them says that something changed: the newer replaces the older. */
  isUpdate: boolean
  evidence: EvidenceSpan[]
  /** The words that differ, of the first and of the second text. */
  words: [string, string]
  /** The statements in which they stand. */
  statements: [Statement, Statement]
}

/** A difference between two statements. */
export interface Difference {
  kind: ConflictKind
  strength: number
  a: { start: number; end: number }
  b: { start: number; end: number }
}
