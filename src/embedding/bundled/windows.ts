import { WINDOW_OVERLAP_TOKENS } from '../../options.ts'
import { CLS_ID, MAX_TOKENS, SEP_ID } from './model-shape.ts'

/** Tokens of text that fit a window beside [CLS] and [SEP]. */
export const WINDOW_CAPACITY = MAX_TOKENS - 2

/** Ids of `.`, `!`, `?`, `;`, `。`, `！`, `？` in the vocabulary. */
const SENTENCE_ENDS: ReadonlySet<number> = new Set([1012, 999, 1029, 1025, 1636, 1986, 1994])

/** One window as the encoder reads it. */
export function closeWindow(ids: readonly number[]): Uint16Array {
  return Uint16Array.of(CLS_ID, ...ids, SEP_ID)
}

/**
 * Cuts the ids of a text into windows of about equal length, so that no window is a mere tail. Neighbours overlap; a
 * window begins behind a sentence's end if there is one inside the overlap. Every id lies inside some window.
 */
export function cutWindows(ids: readonly number[]): Uint16Array[] {
  return cutSpans(ids).map(({ window }) => window)
}

/** The same, each with the place of its first id in the text. */
export function cutSpans(ids: readonly number[]): Array<{ window: Uint16Array; start: number }> {
  if (ids.length <= WINDOW_CAPACITY) return [{ window: closeWindow(ids), start: 0 }]
  const count = Math.ceil((ids.length - WINDOW_OVERLAP_TOKENS) / (WINDOW_CAPACITY - WINDOW_OVERLAP_TOKENS))
  const length = Math.ceil((ids.length + (count - 1) * WINDOW_OVERLAP_TOKENS) / count)
  const spans: Array<{ window: Uint16Array; start: number }> = []
  for (let index = 0; index < count; index += 1) {
    const start = Math.min(index * (length - WINDOW_OVERLAP_TOKENS), ids.length - length)
    const aligned = index === 0 ? 0 : alignStart(ids, start)
    spans.push({ window: closeWindow(ids.slice(aligned, start + length)), start: aligned })
  }
  return spans
}

/** First sentence start inside the overlap, else `start`. */
function alignStart(ids: readonly number[], start: number): number {
  for (let at = start; at <= start + WINDOW_OVERLAP_TOKENS; at += 1) {
    if (SENTENCE_ENDS.has(ids[at - 1] ?? 0)) return at
  }
  return start
}
