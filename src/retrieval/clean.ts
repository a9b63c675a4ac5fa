import { contentRatio, isNoise, stripEnvelope } from '../normalize/index.ts'
import { DUPLICATE_KEY_CHARS, MIN_CONTENT_RATIO } from '../options.ts'
import { differInFact } from '../text/fact-difference.ts'
import { foldText } from '../text/tokenize.ts'

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

/** The body by which two texts are compared: without heading lines, folded, white space unified. */
export function bodyOf(text: string): string {
  const body = text.replace(/^#{1,6}\s.*$/gm, '')
  return foldText(body.trim() === '' ? text : body)
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * One pass over results, best first: filter → strip → content ratio → noise → duplicates. A duplicate begins with the
 * same 100 characters of body as a better result and differs from it in no number, name, date or negation, so that
 * different facts behind one template all stay.
 */
export function searchClean<T extends { text: string }>(
  items: readonly T[],
  options: CleanOptions<T> = {},
): CleanResult<T> {
  const minContentRatio = options.minContentRatio ?? MIN_CONTENT_RATIO
  const kept: T[] = []
  const rejected: CleanResult<T>['rejected'] = []
  const seen = new Map<string, string[]>()
  for (const item of items) {
    const reject = (reason: RejectReason): void => void rejected.push({ item, reason })
    if (options.filter && !options.filter(item)) {
      reject('filter')
      continue
    }
    const text = stripEnvelope(item.text).trim()
    if (contentRatio(item.text, text) < minContentRatio) {
      reject('content-ratio')
      continue
    }
    if (text === '' || isNoise(text)) {
      reject('noise')
      continue
    }
    const body = bodyOf(text)
    const key = body.slice(0, DUPLICATE_KEY_CHARS)
    const same = seen.get(key) ?? []
    if (same.some((other) => !differInFact(other, text))) {
      reject('duplicate')
      continue
    }
    seen.set(key, [...same, text])
    kept.push(text === item.text ? item : { ...item, text })
  }
  return { kept, rejected }
}
