import type { ConnectiveKind } from '../text/statements/connectives.ts'
import { type ContentWord, readStatements } from '../text/statements/read-statements.ts'
import { areAgents, type ComparedMemory } from './compared-memory.ts'
import { RELATIONSHIP_EVIDENCE } from './correlation-options.ts'
import { readingOf, type TextReading } from './text-reading.ts'

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

/** Connectives of one text that are looked at. */
const MAX_CONNECTIVES = 20
/** Words of a statement from which it is long. */
const LONG_STATEMENT = 24

/**
 * The first connective of a text behind which its clause names what a statement of the other text tells: most of the clause's words, at
 * least two of them (`sourceTerms` where it says what it is based on), stand in that one statement.
 */
export function findNamedPart(from: TextReading, kind: ConnectiveKind, to: TextReading): NamedPart | null {
  const { text } = from
  const connectives = from.connectives(kind)
  if (connectives.length === 0 || text === to.text) return null
  const least = kind === 'source' ? RELATIONSHIP_EVIDENCE.sourceTerms : RELATIONSHIP_EVIDENCE.minShared
  const statements = to.statements.map(({ start, end, words }) => ({ start, end, terms: termsOf(words) }))
  for (const { start, end, after } of connectives.slice(0, MAX_CONNECTIVES)) {
    const clause = termsOf(readStatements(text.slice(end, after.end)).flatMap(({ words }) => words))
    for (const statement of statements) {
      const named = [...clause].filter((term) => statement.terms.has(term)).length
      // A long one holds two words by chance.
      const wanted = statement.terms.size > LONG_STATEMENT ? Math.max(least, RELATIONSHIP_EVIDENCE.sourceTerms) : least
      if (named < wanted || named < clause.size * RELATIONSHIP_EVIDENCE.clauseCoverage) continue
      return {
        start,
        end: after.end,
        words: text.slice(start, after.end),
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
  return named >= RELATIONSHIP_EVIDENCE.sourceTerms
}

function termsOf(words: readonly ContentWord[]): Set<string> {
  return new Set(words.filter(({ isDirection }) => !isDirection).map(({ term }) => term))
}
