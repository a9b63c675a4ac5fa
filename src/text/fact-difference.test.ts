import { describe, expect, it } from 'vitest'
import { differInFact } from './fact-difference.ts'

describe('differInFact', () => {
  it.each([
    ['the pump runs on 24 V', 'the pump runs on 12 V'],
    ['report of 2026-03-01: all fine', 'report of 2026-03-02: all fine'],
    ['the gate is open', 'the gate is not open'],
    ['ask Mara about the crane', 'ask Jonas about the crane'],
    ['version v1.4 is out', 'version v1.5 is out'],
  ])('keeps apart: %s / %s', (a, b) => expect(differInFact(a, b)).toBe(true))

  it('takes another closing remark for the same statement', () => {
    expect(differInFact('The boiler was bled. It works again.', 'The boiler was bled. All good now.')).toBe(false)
  })
})
