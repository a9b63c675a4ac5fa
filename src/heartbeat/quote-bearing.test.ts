import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteBearing } from './quote-bearing.ts'
import { quoteMemory } from './quote-memory.ts'

const STORY =
  'The disk of petrel filled up in April, two gigabytes a day, and nobody knew why for a week, as the graphs kept only a day. ' +
  'Odile looked at every table and index and found nothing of that size. It was a slot that the old standby had left. '

describe('the quote of a memory that does not fit', () => {
  it.each([
    'Fixed for good by pull request #412, which watches slots.',
    'See PR 412.',
    'Resolved with a check before each export.',
    'Closed as WRN-88.',
    'In place since commit 4f1c2ab.',
    'https://example.org/boats/warn/pull/412 has the change.',
    'Wir haben das Problem behoben, siehe #412.',
  ])('keeps how it came out, and the number of the change: %s', (end) => {
    const quote = quoteBearing(STORY + end, 220)
    expect(quote).toContain(end)
    expect(quote).toMatch(/^"The disk of petrel/)
    expect(quote).toContain(' … ')
    expect(quote.length).toBeLessThanOrEqual(222)
  })

  it('keeps the number where a single sentence is too long', () => {
    const long = `${'they looked at every table and index '.repeat(12)}until it was fixed in pull request #412 ${'and told the person on call '.repeat(8)}`
    const quote = quoteBearing(long, 160)
    expect(quote).toContain('fixed in pull request #412')
    expect(quote.length).toBeLessThanOrEqual(162)
    expect(quoteBearing(`${'水泵坏了，'.repeat(60)}已修复，见 #88。`, 100)).toContain('已修复，见 #88。')
  })

  it('hides a secret before it cuts, wherever the cut falls', () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE'
    for (let before = 0; before < 120; before += 7) {
      const quote = quoteBearing(`${'a '.repeat(before)}${secret} until it was fixed in #412 ${'b '.repeat(90)}`, 120)
      expect(quote).not.toContain(secret.slice(0, 8))
      expect(quote).not.toContain(secret.slice(-8))
    }
  })

  it('is the beginning where nothing in it came out', () => {
    const plain = 'The geese walk along the shore. '.repeat(20)
    expect(quoteBearing(plain, 120)).toBe(quoteMemory(plain, 120))
  })

  it('is never longer than asked for, holds no quotation mark or line end, and is the whole text where that fits', () => {
    const piece = fc.constantFrom('Fixed in #4. ', 'a "b" ', '\n', '🦢 ', '<heartbeat-signals>', 'é́', '。')
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 30 })), { maxLength: 60 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 80, max: 300 }), (given, maxChars) => {
        const quote = quoteBearing(given, maxChars)
        // To take a tag apart may need a character or two more, as it may in a quote of the beginning.
        if (!given.includes('<')) expect(quote.length).toBeLessThanOrEqual(maxChars + 2)
        expect(quote.slice(1, -1)).not.toMatch(/["\n]/)
        expect(quote).not.toContain('<heartbeat-signals>')
      }),
    )
    expect(quoteBearing('Short. Fixed in #4.', 80)).toBe('"Short. Fixed in #4."')
  })
})
