import { describe, expect, it } from 'vitest'
import { formatMoment, parseNow } from './instant.ts'

describe('parseNow', () => {
  const at = (given: string, zone = 'Europe/Zurich') => parseNow(given, zone).toISOString()

  it('takes an offset at its word', () => {
    expect(at('2026-07-20T09:00:00+02:00')).toBe('2026-07-20T07:00:00.000Z')
    expect(at('2026-07-20T09:00:00Z')).toBe('2026-07-20T09:00:00.000Z')
    expect(at('2026-07-20T09:00-0330')).toBe('2026-07-20T12:30:00.000Z')
  })

  it('reads a time without offset in the zone of the user', () => {
    expect(at('2026-07-20')).toBe('2026-07-19T22:00:00.000Z')
    expect(at('2026-01-20 09:30')).toBe('2026-01-20T08:30:00.000Z')
    expect(at('2026-07-20T09:00', 'America/Los_Angeles')).toBe('2026-07-20T16:00:00.000Z')
    // The night in which the clocks change: the offset that holds then, not the one an hour before.
    expect(at('2026-03-29T03:30')).toBe('2026-03-29T01:30:00.000Z')
    expect(at('2026-03-29T01:30')).toBe('2026-03-29T00:30:00.000Z')
  })

  it('refuses what is no date, naming it', () => {
    for (const given of ['', 'yesterday', '2026-02-30', '2026-13-01', '2026-07-20T25:00', '20260720', '1784534400']) {
      expect(() => parseNow(given, 'UTC'), given).toThrow(`${JSON.stringify(given)} for --now`)
    }
  })
})

describe('formatMoment', () => {
  it('shows an instant in the zone of the user, and a day as the day that was written', () => {
    expect(formatMoment('2026-07-18T22:30:00Z', 'Europe/Zurich')).toBe('2026-07-19 00:30')
    expect(formatMoment('2026-07-18T00:00:00+02:00', 'Europe/Zurich')).toBe('2026-07-18')
    expect(formatMoment('2026-07-18T00:00:00.000+02:00', 'America/Los_Angeles')).toBe('2026-07-18')
    expect(formatMoment('2026-07-18', 'America/Los_Angeles')).toBe('2026-07-18')
  })
})
