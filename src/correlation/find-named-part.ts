import type { ConnectiveKind } from '../text/statements/connectives.ts'
import { areAgents, type ComparedMemory } from './compared-memory.ts'
import { RELATIONSHIP_EVIDENCE } from './correlation-options.ts'
import { readingOf, type TextReading, termsOf } from './text-reading.ts'

/** A connective whose clause names what another text tells. */
export interface NamedPart {
  start: number
  end: number
  /** Connective and clause. */
  words: string
  /** The statement of the other text that it names. */
  target: { start: number; end: number }
  /** How many of its words that statement holds. */
  named: number
}

/** The connectives behind which a text states how another bears on it. */
export const STATING: readonly ConnectiveKind[] = ['effect', 'cause', 'source', 'confirmation']
/** Words of a clause that another text must tell to be plainly named. */
export const LEAST_NAMED = RELATIONSHIP_EVIDENCE.sourceTerms
/** Words of a statement from which it is long. */
const LONG_STATEMENT = 24

/**
 * The first connective of a text behind which its clause names what a statement of the other text tells: most of the clause's words, at
 * least two of them (`sourceTerms` where it says what it is based on), stand in that one statement.
 */
export function findNamedPart(from: TextReading, kind: ConnectiveKind, to: TextReading): NamedPart | null {
  const { text } = from
  const clauses = from.clauses(kind)
  if (clauses.length === 0 || text === to.text) return null
  const least = kind === 'source' ? RELATIONSHIP_EVIDENCE.sourceTerms : RELATIONSHIP_EVIDENCE.minShared
  const statements = to.statements.map(({ start, end, words }) => ({ start, end, terms: termsOf(words) }))
  for (const { start, end, terms: clause } of clauses) {
    for (const statement of statements) {
      const named = [...clause].filter((term) => statement.terms.has(term)).length
      // A long one holds two words by chance.
      const wanted = statement.terms.size > LONG_STATEMENT ? Math.max(least, RELATIONSHIP_EVIDENCE.sourceTerms) : least
      if (named < wanted || named < clause.size * RELATIONSHIP_EVIDENCE.clauseCoverage) continue
      return {
        start,
        end,
        words: text.slice(start, end),
        target: { start: statement.start, end: statement.end },
        named,
      }
    }
  }
  return null
}

/** The same of two memories. What an agent explains names nothing that it explained elsewhere. */
export function findNamed(from: ComparedMemory, kind: ConnectiveKind, to: ComparedMemory): NamedPart | null {
  return areAgents(from, to) ? null : findNamedPart(readingOf(from), kind, readingOf(to))
}

/** Whether so much is named that it is no other thing of which the same could be said. */
export function namesPlainly({ named }: NamedPart): boolean {
  return named >= LEAST_NAMED
}
