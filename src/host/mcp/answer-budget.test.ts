import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MCP_LIMITS } from '../../index.ts'
import { bytesOf, takeItems, takeText } from './answer-budget.ts'

const { answerBytes } = MCP_LIMITS

describe('takeItems', () => {
  it('takes the first ones that fit, in order, and always one', () => {
    const size = fc.integer({ min: 0, max: answerBytes * 1.5 })
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), (sizes) => {
        const items = sizes.map((length, index) => `${index}:${'ü'.repeat(length / 2)}`)
        const taken = takeItems(items, { rest: 'x'.repeat(100) })
        expect(taken).toEqual(items.slice(0, taken.length))
        if (items.length > 0) expect(taken.length).toBeGreaterThan(0)
        if (taken.length > 1) expect(bytesOf(taken)).toBeLessThanOrEqual(answerBytes)
        const more = items.slice(0, taken.length + 1)
        if (more.length > taken.length) expect(bytesOf(more)).toBeGreaterThan(answerBytes - 200)
      }),
    )
  })
})

describe('takeText', () => {
  it('cuts any text into parts that fit, make up the whole and halve no character', () => {
    const piece = fc.constantFrom('word ', '"quoted" ', 'line\n', '塘塘', '\u{1f600}', '\u0001', 'x'.repeat(3000))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (pieces, times) => {
        const text = pieces.join('').repeat(times).slice(0, 150_000).toWellFormed()
        const parts: string[] = []
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const { text: part, nextOffset } = takeText(text, offset, {})
          expect(bytesOf(part)).toBeLessThanOrEqual(answerBytes)
          expect(part.isWellFormed()).toBe(true)
          if (nextOffset !== undefined) expect(nextOffset).toBeGreaterThan(offset)
          parts.push(part)
          offset = nextOffset
        }
        expect(parts.join('')).toBe(text)
      }),
      { numRuns: 50 },
    )
  })

  it.each([0, 1, 2, 3, 4, 5])('halves no character, wherever the cut falls (%i)', (before) => {
    const text = 'x'.repeat(before) + '\u{1f600}'.repeat(answerBytes)
    const { text: part, nextOffset = 0 } = takeText(text, 0, {})
    expect(part.isWellFormed()).toBe(true)
    expect(takeText(text, nextOffset, {}).text.isWellFormed()).toBe(true)
  })

  it('cuts at the end of a line where one is near', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `Line ${n}`)
    const { text, nextOffset = 0 } = takeText(lines.join('\n'), 0, {})
    expect(text.endsWith('\n')).toBe(true)
    expect(nextOffset).toBe(text.length)
  })
})
