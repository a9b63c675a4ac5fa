import { type KeywordScores, rankByKeyword } from '../rank.ts'
import type { Contenders } from './best-ordinals.ts'
import { BestValues } from './best-values.ts'
import type { KeywordResult } from './keyword-scorer.ts'
import type { Layout } from './layout.ts'
import { CATEGORY } from './roster.ts'

/** Allowed memories that a term of the query reaches: their text, their window, a heading or their path. */
export function findMatched({ window, field }: KeywordResult, allowed: Uint8Array): Int32Array {
  const found = new Int32Array(window.count + field.count)
  let count = 0
  for (let at = 0; at < window.count; at++) {
    const ordinal = window.touched[at] ?? 0
    if (allowed[ordinal] === 1) found[count++] = ordinal
  }
  for (let at = 0; at < field.count; at++) {
    const ordinal = field.touched[at] ?? 0
    if (window.values[ordinal] === 0 && allowed[ordinal] === 1) found[count++] = ordinal
  }
  return found.subarray(0, count)
}

/** The three scores of a memory in a query. */
export function scoresOf(layout: Layout, ordinal: number, { text, window, documents }: KeywordResult): KeywordScores {
  return {
    text: text.values[ordinal] ?? 0,
    window: window.values[ordinal] ?? 0,
    document: documents.values[layout.document[ordinal] ?? 0] ?? 0,
  }
}

/**
 * What of all that a query matched orders it, and the largest score of each kind. Of very many, those among which `pickCandidates` picks with
 * this limit.
 */
export function contendByKeyword(
  layout: Layout,
  keyword: KeywordResult,
  allowed: Uint8Array,
  limit = Number.POSITIVE_INFINITY,
): { contenders: Contenders; maxima: KeywordScores } {
  const { document, kind } = layout
  const [text, window, field] = [keyword.text.values, keyword.window.values, keyword.field.values]
  const documents = keyword.documents.values
  const ordinals = findMatched(keyword, allowed)
  const maxima = { text: 0, window: 0, document: 0 }
  // Loops over plain arrays, one object for all: a common word matches most of a store.
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at] ?? 0
    maxima.text = Math.max(maxima.text, text[ordinal] ?? 0)
    maxima.window = Math.max(maxima.window, window[ordinal] ?? 0)
    maxima.document = Math.max(maxima.document, documents[document[ordinal] ?? 0] ?? 0)
  }
  const cut = new BestValues(Math.min(limit, ordinals.length))
  const { floors } = cut
  const passed: number[] = []
  const ranks: number[] = []
  const scores = { text: 0, window: 0, document: 0 }
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at] ?? 0
    scores.text = text[ordinal] ?? 0
    scores.window = window[ordinal] ?? 0
    scores.document = documents[document[ordinal] ?? 0] ?? 0
    const rank = rankByKeyword(scores, maxima)
    const category = (kind[ordinal] ?? 0) & CATEGORY
    if (rank < (floors[category] ?? 0)) continue
    cut.add(rank, category)
    passed.push(ordinal)
    ranks.push(rank)
  }
  const isLeft = (rank: number, at: number): boolean => rank >= (floors[(kind[passed[at] ?? 0] ?? 0) & CATEGORY] ?? 0)
  const left = Int32Array.from(passed.filter((_, at) => isLeft(ranks[at] ?? 0, at)))
  const keys = [Float64Array.from(ranks.filter(isLeft)), mapToFloats(left, (ordinal) => field[ordinal] ?? 0)]
  return { contenders: { ordinals: left, keys }, maxima }
}

/** Indexes of the query's terms that the memory holds. */
export function matchedTerms({ lists }: KeywordResult, ordinal: number): number[] {
  const matched: number[] = []
  for (let index = 0; index < lists.length; index++) {
    const list = lists[index]
    if (list && holds(list, ordinal)) matched.push(index)
  }
  return matched
}

/** Float64Array.from, without the detour over an iterator. */
export function mapToFloats(ordinals: Int32Array, map: (ordinal: number) => number): Float64Array {
  const floats = new Float64Array(ordinals.length)
  for (let at = 0; at < ordinals.length; at++) floats[at] = map(ordinals[at] ?? 0)
  return floats
}

/** Whether a posting list holds the ordinal. */
function holds(list: Int32Array, ordinal: number): boolean {
  let low = 0
  let high = list.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = list[middle * 2] ?? 0
    if (value === ordinal) return true
    if (value < ordinal) low = middle + 1
    else high = middle - 1
  }
  return false
}
