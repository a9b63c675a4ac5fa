import { describe, expect, it } from 'vitest'
import { classifyText } from './memory-type.ts'

describe('classifyText', () => {
  it('finds a decision behind the marks of its line', () => {
    for (const text of [
      'Decision: we keep the ladder',
      'Talked.\n\n  - **Decision:** we keep it',
      '> [decision] keep it',
    ])
      expect(classifyText(text, { otherwise: 'event' })).toBe('activity')
    expect(classifyText('The decision: none yet', { otherwise: 'event' })).toBe('event')
  })

  it('reads a drawing of half a million signs, in which nothing is said', () => {
    const drawing = Array.from({ length: 800 }, (_, row) => `   |${' '.repeat(row)}\\`).join('\n')
    expect(classifyText(drawing.repeat(2), { otherwise: 'event' })).toBe('event')
  })
})
