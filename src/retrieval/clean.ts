import type { Memory } from '../model/memory.ts'
import { contentRatio, isNoise, stripEnvelope } from '../normalize/index.ts'
import { DUPLICATE_KEY_CHARS, MIN_CONTENT_RATIO } from '../options.ts'
import { differInFact } from '../text/fact-difference.ts'
import { foldText } from '../text/tokenize.ts'
import { keepReadings } from './readings.ts'

export interface CleanOptions<T> {
  /** Items for which it is false are left out first. */
  filter?: (item: T) => boolean
  /** Least share of the text that must be left after stripping, [0,1]. Default 0.25. */
  minContentRatio?: number
}

/** Why an item was left out. */
export type RejectReason = 'filter' | 'content-ratio' | 'noise' | 'duplicate'

export interface CleanResult<T> {
  /** In the given order, their text stripped. */
  kept: T[]
  rejected: Array<{ item: T; reason: RejectReason }>
}

/** The body of a memory's text. */
export const bodyOfMemory = keepReadings(({ text }) => bodyOf(text))

/** The body by which two texts are compared: without heading lines, folded, white space unified. */
export function bodyOf(text: string): string {
  const body = dropHeadings(text)
  return unify(body.trim() === '' ? text : body)
}

function dropHeadings(text: string): string {
  return text.replace(/^#{1,6}\s.*$/gm, '')
}

function unify(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}

/** Beside a cut, half a letter may stand, or the start of a heading that is not seen as one. */
const SEAM_CHARS = 20

/** The first DUPLICATE_KEY_CHARS of the body. Looks at no more of the text than that takes: most are much longer. */
function bodyStart(text: string): string {
  for (let length = 3 * DUPLICATE_KEY_CHARS; length < text.length; length *= 3) {
    const start = unify(dropHeadings(text.slice(0, length)))
    if (start.length >= DUPLICATE_KEY_CHARS + SEAM_CHARS) return start.slice(0, DUPLICATE_KEY_CHARS)
  }
  return bodyOf(text).slice(0, DUPLICATE_KEY_CHARS)
}

/** An item that is kept, or why it is not. */
type Verdict<T> = { item: T; reason?: RejectReason }

/**
 * One pass over results, best first: filter → strip → content ratio → noise → duplicates. A duplicate begins with the
 * same 100 characters of body as a better result and differs from it in no number, name, date or negation, so that
 * different facts behind one template all stay.
 */
export function searchClean<T extends { text: string }>(
  items: readonly T[],
  options: CleanOptions<T> = {},
): CleanResult<T> {
  const result: CleanResult<T> = { kept: [], rejected: [] }
  for (const { item, reason } of cleanEach(items, options)) {
    if (reason === undefined) result.kept.push(item)
    else result.rejected.push({ item, reason })
  }
  return result
}

/** The same one by one, for who need not see them all. */
function* cleanEach<T extends { text: string }>(
  items: readonly T[],
  { filter, minContentRatio = MIN_CONTENT_RATIO }: CleanOptions<T> = {},
): Generator<Verdict<T>> {
  const seen = new Map<string, string[]>()
  for (const item of items) {
    if (filter && !filter(item)) {
      yield { item, reason: 'filter' }
      continue
    }
    const stripped = strip(item.text, minContentRatio)
    const reason = stripped.fault ?? findRepeat(stripped, seen)
    if (reason !== undefined) yield { item, reason }
    else yield { item: stripped.text === item.text ? item : { ...item, text: stripped.text } }
  }
}

/** A text without its envelope, what is wrong with it, and the start of its body, by which it is recognised when it comes again. */
interface Stripped {
  text: string
  fault?: RejectReason
  start: string
}

function strip(raw: string, minContentRatio: number): Stripped {
  const text = stripEnvelope(raw).trim()
  const fault = findFault(raw, text, minContentRatio)
  return fault === undefined ? { text, start: bodyStart(text) } : { text, fault, start: '' }
}

const stripMemory = keepReadings(({ text }) => strip(text, MIN_CONTENT_RATIO))

/** For one memory after the other, best first, whether it stays: as `searchClean` decides. */
export function createMemoryFilter(): (memory: Readonly<Memory>) => boolean {
  const seen = new Map<string, string[]>()
  return (memory) => {
    const stripped = stripMemory(memory)
    return stripped.fault === undefined && findRepeat(stripped, seen) === undefined
  }
}

function findFault(raw: string, text: string, minContentRatio: number): RejectReason | undefined {
  if (contentRatio(raw, text) < minContentRatio) return 'content-ratio'
  return text === '' || isNoise(text) ? 'noise' : undefined
}

/** Notes the text in `seen`, by the start of its body, unless it repeats one there. */
function findRepeat({ text, start }: Stripped, seen: Map<string, string[]>): RejectReason | undefined {
  const same = seen.get(start) ?? []
  if (same.some((other) => !differInFact(other, text))) return 'duplicate'
  seen.set(start, [...same, text])
  return undefined
}
