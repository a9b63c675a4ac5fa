import type { MemoryContent } from '../model/memory.ts'
import { tokenize } from './tokenize.ts'

/** Which posting list a term stands in. */
export type TermField = 'text' | 'header' | 'path'

const PREFIX: Record<TermField, string> = { text: '', header: '#', path: '/' }

/** The key of a posting list: body terms as they are, heading terms behind `#`, path terms behind `/` (no token holds either). */
export function termKey(field: TermField, term: string): string {
  return PREFIX[field] + term
}

/** What the keyword index keeps of one memory. */
export interface IndexTerms {
  /** Posting key → occurrences. */
  frequencies: Map<string, number>
  /** Length for BM25: words of the body, function words and extra forms not counted. At least 1. */
  length: number
}

/**
 * The terms of a memory at a path: its text with the headings above it and its speaker (people ask who said it),
 * then headings and path words in fields of their own.
 */
export function indexTerms(content: Pick<MemoryContent, 'text' | 'headerPath' | 'speaker'>, path: string): IndexTerms {
  const frequencies = new Map<string, number>()
  let length = 0
  const add = (field: TermField, text: string): void => {
    for (const { term, kind } of tokenize(text)) {
      const key = termKey(field, term)
      frequencies.set(key, (frequencies.get(key) ?? 0) + 1)
      if (field === 'text' && kind === 'word') length += 1
    }
  }
  if (content.speaker) add('text', content.speaker)
  for (const header of content.headerPath) {
    if (!content.text.includes(header)) add('text', header)
    add('header', header)
  }
  add('text', content.text)
  add('path', withoutEnding(path))
  return { frequencies, length: Math.max(1, length) }
}

/** A path without what its name ends in (`.md`), which says nothing. */
export function withoutEnding(path: string): string {
  return path.replace(/\.[a-z0-9]+$/i, '')
}
