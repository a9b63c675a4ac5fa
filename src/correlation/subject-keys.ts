import { formatHeader } from '../model/memory.ts'
import { type TermField, termKey, withoutEnding } from '../text/index-terms.ts'
import { tokenize } from '../text/tokenize.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { CANDIDATES } from './correlation-options.ts'
import { readingOf } from './text-reading.ts'

/** A word that an id may be, where it stands: at least 6 characters, a digit among them. */
const ID_LIKE = /(?<![\p{L}\p{N}_])(?=[\p{L}_.:@-]*\p{N})[\p{L}\p{N}_][\p{L}\p{N}_.:@-]{5,127}/gu

/**
 * The posting keys by which others are found that a memory may have to do with: its own words, the words of what it links to (in paths,
 * headings and texts), and the words by which others would name it: its id, its file, its heading.
 */
export function listSubjectKeys(memory: ComparedMemory): string[] {
  const { links, entities, text } = readingOf(memory)
  const keys = new Set<string>()
  const add = (words: string, ...fields: TermField[]): void => {
    for (const { term, kind } of tokenize(words)) {
      if (kind === 'word' || kind === 'compound') for (const field of fields) keys.add(termKey(field, term))
    }
  }
  add(text, 'text')
  for (const { target, heading = '' } of links) {
    add(withoutEnding(lastPart(target)), 'path', 'header')
    add(heading, 'header')
  }
  for (const { kind, start, end } of entities) {
    if (kind === 'path') add(withoutEnding(lastPart(text.slice(start, end))), 'path')
    if (kind === 'date') add(text.slice(start, end), 'path')
  }
  add(memory.id, 'text')
  add(withoutEnding(lastPart(memory.place.path)), 'text')
  add(formatHeader(memory.headerPath.slice(-1)), 'text')
  return [...keys]
}

/** Words of a text that may be ids of memories. */
export function listNamedIds({ id, text }: ComparedMemory): string[] {
  const named = Array.from(text.matchAll(ID_LIKE), ([word]) => word.replace(/[.:@-]+$/, ''))
  return [...new Set(named)].filter((one) => one !== id).slice(0, CANDIDATES.named)
}

function lastPart(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  )
}
