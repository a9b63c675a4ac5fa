import { describe, expect, it } from 'vitest'
import { isOtherTask } from './other-task.ts'

describe('lines that sound alike', () => {
  it.each([
    ['Send invoice 1041 to Berger by 17:00', 'Send invoice 1042 to Berger by 17:00'],
    ['the Berger crane invoice must be sent', 'the Muller crane invoice must be sent'],
    ['the pier 1 crane invoice', 'the pier 2 crane invoice'],
  ])('are two tasks where each names its own thing: %s', (a, b) => {
    expect(isOtherTask(a, b)).toBe(true)
    expect(isOtherTask(b, a)).toBe(true)
  })

  it.each([
    ['disk tern-7 at 93% (10:02)', 'disk tern-7 at 94% (10:32)'],
    ['Send the offer to Wanda', 'Send the offer'],
    ['Send the offer by 2026-05-04', 'Send the offer by 2026-05-06'],
    ['call the yard', 'Call the yard'],
  ])('are one where only a reading, a date or the wording differs: %s', (a, b) => {
    expect(isOtherTask(a, b)).toBe(false)
    expect(isOtherTask(b, a)).toBe(false)
  })
})
