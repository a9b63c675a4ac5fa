import { ARCHIVE_PARTS, type ArchiveDigests, type ArchivePart } from '../index.ts'
import { formatCount } from './words.ts'

/** Characters of a digest that tell it from another one at a glance; --json has all of them. */
const SHOWN_DIGITS = 16
const NOUNS: Record<ArchivePart, string> = {
  remembered: 'remembered memory',
  document: 'document',
  place: 'memory in documents',
  vectors: 'memory with vectors',
  relationship: 'relationship',
  review: 'review',
  anchor: 'end of relationships',
  status: 'memory with a state',
  access: 'memory that was read',
  tombstone: 'forgotten thing',
  state: 'named value',
}

/** The parts of an export that hold anything, a line each with the beginning of its digest. */
export function describeParts(digests: ArchiveDigests): string[] {
  return ARCHIVE_PARTS.filter((part) => digests[part].records > 0).map((part) => {
    const { records, digest } = digests[part]
    return `  ${digest.slice(0, SHOWN_DIGITS)}  ${countOf(part, records)}`
  })
}

function countOf(part: ArchivePart, count: number): string {
  const [noun = '', ...rest] = NOUNS[part].split(/ (?=in |with |of |that )/)
  return [formatCount(count, noun), ...rest].join(' ')
}
