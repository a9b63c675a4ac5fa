import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WINDOW_OVERLAP_TOKENS } from '../../options.ts'
import { CLS_ID, MAX_TOKENS, SEP_ID } from './model-shape.ts'
import { cutWindows, WINDOW_CAPACITY } from './windows.ts'

const PERIOD = 1012
const numbered = (length: number): number[] => Array.from({ length }, (_, index) => 20_000 + index)
/** First and one past last token of each window of a numbered text. */
const spans = (windows: Uint16Array[]): Array<[number, number]> =>
  windows.map((window) => [(window[1] ?? 0) - 20_000, (window.at(-2) ?? 0) - 20_000 + 1])

describe('cutWindows', () => {
  it('leaves a text that fits in one window', () => {
    expect(cutWindows([5, 6])).toEqual([Uint16Array.of(CLS_ID, 5, 6, SEP_ID)])
    expect(cutWindows(numbered(WINDOW_CAPACITY))).toHaveLength(1)
  })

  it('cuts into windows of about equal length instead of leaving a tail', () => {
    expect(cutWindows(numbered(WINDOW_CAPACITY + 10)).map((window) => window.length)).toEqual([150, 150])
  })

  it('begins a window behind the end of a sentence in the overlap', () => {
    const ids = numbered(300)
    ids[140] = PERIOD
    const second = cutWindows(ids)[1]
    expect(second?.[1]).toBe(20_141)
  })

  it('puts every token into some window, none longer than the model reads, for any length and punctuation', () => {
    const text = fc.record({
      length: fc.integer({ min: 1, max: 3000 }),
      ends: fc.array(fc.nat(2999), { maxLength: 60 }),
    })
    fc.assert(
      fc.property(text, ({ length, ends }) => {
        const marked = numbered(length)
        for (const end of ends) if (end < length) marked[end] = PERIOD
        const windows = cutWindows(marked)
        const rebuilt: number[] = []
        for (const window of windows) {
          expect(window.length).toBeLessThanOrEqual(MAX_TOKENS)
          expect([window[0], window.at(-1)]).toEqual([CLS_ID, SEP_ID])
          appendBehindOverlap(rebuilt, [...window.slice(1, -1)])
        }
        expect(rebuilt).toEqual(marked)
      }),
    )
  })

  it('lets neighbours overlap where no sentence ends', () => {
    const [first, second] = spans(cutWindows(numbered(400)))
    expect((first?.[1] ?? 0) - (second?.[0] ?? 0)).toBeGreaterThanOrEqual(WINDOW_OVERLAP_TOKENS)
  })
})

/** Appends the part of a window that is new: it must join the tokens so far without a gap. */
function appendBehindOverlap(tokens: number[], window: number[]): void {
  for (let overlap = Math.min(window.length, tokens.length); overlap >= 0; overlap -= 1) {
    const start = tokens.length - overlap
    if (window.slice(0, overlap).every((token, index) => tokens[start + index] === token)) {
      tokens.push(...window.slice(overlap))
      return
    }
  }
}
