import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { condenseToolResult } from './condense-tool-result.ts'

const filler = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i} of the listing`).join('\n')

describe('condenseToolResult', () => {
  it('keeps a short result as it is', () => {
    expect(condenseToolResult('volume tern-7 is 93% full', 100)).toBe('volume tern-7 is 93% full')
  })

  it('keeps head and tail, and from the middle the lines that tell how it went', () => {
    const text = `$ make\n${filler(0, 400)}\nerror: the weir gate is stuck\n${filler(400, 800)}\nexit at the end`
    const short = condenseToolResult(text, 2000)
    expect(short.length).toBeLessThanOrEqual(2000)
    expect(short.startsWith('$ make\nline 0')).toBe(true)
    expect(short.endsWith('exit at the end')).toBe(true)
    expect(short).toContain('error: the weir gate is stuck')
    expect(short).not.toContain('line 400 of')
  })

  it('fills the room that it has where the middle tells nothing', () => {
    const text = filler(0, 300)
    for (const cap of [1000, 2500, text.length - 1]) {
      const short = condenseToolResult(text, cap)
      expect(short.length).toBeLessThanOrEqual(cap)
      expect(short.length).toBeGreaterThan(cap * 0.8)
    }
  })

  it('says once per line what went wrong, however often it is said', () => {
    const text = `${filler(0, 100)}\n${'error: no route to host\n'.repeat(500)}${filler(100, 300)}`
    expect(condenseToolResult(text, 3000).match(/no route to host/g)).toHaveLength(1)
  })

  it('says how many characters it left out', () => {
    const text = filler(0, 1000)
    const short = condenseToolResult(text, 1000)
    const left = Number(/\[… (\d+) characters left out …\]/.exec(short)?.[1])
    const marks = short.length - (text.length - left)
    expect(left).toBeGreaterThan(text.length - 1000)
    expect(marks).toBeGreaterThan(0)
    expect(marks).toBeLessThan(60)
  })

  it('never exceeds its cap and never cuts a character in half', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '😀', 'error: x\n', '行', `error: ${'🦩'.repeat(200)}\n`)
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 3000 }), fc.integer({ min: 300, max: 1500 }), (units, cap) => {
        const short = condenseToolResult(units.join(''), cap)
        expect(short.length).toBeLessThanOrEqual(cap)
        expect(short).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
      }),
    )
  })
})
