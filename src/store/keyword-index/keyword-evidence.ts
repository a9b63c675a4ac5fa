import { DOCUMENT_RANK_WEIGHT } from '../../options.ts'
import { type KeywordScores, rankByKeyword } from '../rank.ts'
import type { Contenders } from './best-ordinals.ts'
import { BestValues } from './best-values.ts'
import type { KeywordResult } from './keyword-scorer.ts'
import type { Layout } from './layout.ts'
import { CATEGORY } from './roster.ts'

/** For what a search matched: memory as large as a store anew for each search keeps the collector busy. */
let scratch = new Int32Array(0)

/** Allowed memories that a term of the query reaches: their text, their window, a heading or their path. Valid until the next call. */
function findMatched({ window, field }: KeywordResult, allowed: Uint8Array): Int32Array {
  if (scratch.length < window.count + field.count) scratch = new Int32Array(2 * (window.count + field.count))
  const found = scratch
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

/** The largest score of each kind among memories. */
function findMaxima(layout: Layout, ordinals: Int32Array, keyword: KeywordResult): KeywordScores {
  const { document } = layout
  const [texts, windows, documents] = [keyword.text.values, keyword.window.values, keyword.documents.values]
  let [text, window, whole] = [0, 0, 0]
  // Numbers of their own, not fields of an object, which takes twice as long: a common word matches most of a store.
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at] ?? 0
    const ofText = texts[ordinal] ?? 0
    const ofWindow = windows[ordinal] ?? 0
    const ofWhole = documents[document[ordinal] ?? 0] ?? 0
    if (ofText > text) text = ofText
    if (ofWindow > window) window = ofWindow
    if (ofWhole > whole) whole = ofWhole
  }
  return { text, window, document: whole }
}

/** More than what multiplying by the inverse of a number differs from dividing by it, for the sum of three shares of 1. */
const ROUNDING = 1e-12

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
  const maxima = findMaxima(layout, ordinals, keyword)
  const [perText, perWindow] = [invert(maxima.text), invert(maxima.window)]
  const perDocument = DOCUMENT_RANK_WEIGHT * invert(maxima.document)
  const cut = new BestValues(Math.min(limit, ordinals.length))
  const { floors } = cut
  const passed: number[] = []
  const ranks: number[] = []
  const scores = { text: 0, window: 0, document: 0 }
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at] ?? 0
    const category = (kind[ordinal] ?? 0) & CATEGORY
    const floor = floors[category] ?? 0
    const ofText = text[ordinal] ?? 0
    const ofWindow = window[ordinal] ?? 0
    const ofDocument = documents[document[ordinal] ?? 0] ?? 0
    // Most are far below: only the others are worth three divisions.
    if (ofText * perText + ofWindow * perWindow + ofDocument * perDocument < floor - ROUNDING) continue
    scores.text = ofText
    scores.window = ofWindow
    scores.document = ofDocument
    const rank = rankByKeyword(scores, maxima)
    if (rank < floor) continue
    cut.add(rank, category)
    passed.push(ordinal)
    ranks.push(rank)
  }
  const isLeft = (rank: number, at: number): boolean => rank >= (floors[(kind[passed[at] ?? 0] ?? 0) & CATEGORY] ?? 0)
  const left = Int32Array.from(passed.filter((_, at) => isLeft(ranks[at] ?? 0, at)))
  const keys = [Float64Array.from(ranks.filter(isLeft)), mapToFloats(left, (ordinal) => field[ordinal] ?? 0)]
  return { contenders: { ordinals: left, keys }, maxima }
}

function invert(maximum: number): number {
  return maximum > 0 ? 1 / maximum : 0
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
