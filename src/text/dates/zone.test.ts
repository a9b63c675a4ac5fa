import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MadeleineError } from '../../errors.ts'
import { dayRange, localDay, parseInstant, toIsoWithOffset } from './zone.ts'

const hours = (day: string, timeZone: string): number => {
  const { from, to } = dayRange(day, timeZone)
  return (to.getTime() - from.getTime()) / 3_600_000
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    return error instanceof MadeleineError ? error.code : 'OTHER'
  }
  return undefined
}

describe('dayRange', () => {
  it('has the hours that the day has where clocks change', () => {
    expect(hours('2026-03-28', 'Europe/Zurich')).toBe(24)
    expect(hours('2026-03-29', 'Europe/Zurich')).toBe(23)
    expect(hours('2026-10-25', 'Europe/Zurich')).toBe(25)
    // Clocks jump at midnight: the day begins at one.
    expect(hours('2018-11-04', 'America/Sao_Paulo')).toBe(23)
    // The island moved over the date line.
    expect(hours('2011-12-30', 'Pacific/Apia')).toBe(0)
  })

  it('is half-open: each instant is in the range of its local day and of no other', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Zurich',
      'America/Los_Angeles',
      'Asia/Kathmandu',
      'Pacific/Auckland',
      'Africa/Cairo',
    )
    const instants = fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, zones, (instant, timeZone) => {
        const { from, to } = dayRange(localDay(instant, timeZone), timeZone)
        expect(instant.getTime()).toBeGreaterThanOrEqual(from.getTime())
        expect(instant.getTime()).toBeLessThan(to.getTime())
      }),
    )
  })

  it('refuses a day that the calendar does not have, and a zone that is not known', () => {
    expect(codeOf(() => dayRange('2026-02-30', 'UTC'))).toBe('INVALID_OPTION')
    expect(codeOf(() => dayRange('2026-02-03', 'Europe/Nowhere'))).toBe('INVALID_OPTION')
  })
})

describe('toIsoWithOffset', () => {
  it('shows the local time with the offset of that instant', () => {
    expect(toIsoWithOffset(new Date('2026-01-01T00:00:00Z'), 'Europe/Zurich')).toBe('2026-01-01T01:00:00+01:00')
    expect(toIsoWithOffset(new Date('2026-07-01T00:00:00.250Z'), 'Europe/Zurich')).toBe('2026-07-01T02:00:00.250+02:00')
    expect(toIsoWithOffset(new Date('2026-01-01T00:00:00Z'), 'America/Los_Angeles')).toBe('2025-12-31T16:00:00-08:00')
    expect(toIsoWithOffset(new Date('2026-01-01T00:00:00Z'), 'Asia/Kathmandu')).toBe('2026-01-01T05:45:00+05:45')
    expect(toIsoWithOffset(new Date('2026-01-01T00:00:00Z'), 'UTC')).toBe('2026-01-01T00:00:00+00:00')
  })

  it('is the same instant when read again', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (instant) => {
          for (const zone of ['Europe/Zurich', 'America/St_Johns', 'UTC']) {
            expect(parseInstant(toIsoWithOffset(instant, zone), 'Asia/Tokyo')).toEqual(instant)
          }
        },
      ),
    )
  })
})

describe('parseInstant', () => {
  const at = (text: string): string => parseInstant(text, 'Europe/Zurich').toISOString()

  it('reads a day as its first instant in the zone', () => {
    expect(at('2026-03-01')).toBe('2026-02-28T23:00:00.000Z')
    expect(at(' 2026-07-01 ')).toBe('2026-06-30T22:00:00.000Z')
  })

  it('reads an instant with an offset as it is, without one in the zone', () => {
    expect(at('2026-03-01T09:30:00Z')).toBe('2026-03-01T09:30:00.000Z')
    expect(at('2026-03-01T09:30:00.5-0800')).toBe('2026-03-01T17:30:00.500Z')
    expect(at('2026-03-01 09:30')).toBe('2026-03-01T08:30:00.000Z')
  })

  it('takes a time that clocks skip as the time after the jump, and one that they show twice as the first', () => {
    expect(at('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z')
    expect(at('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z')
  })

  it('refuses what is no date with a remedy', () => {
    for (const text of [
      '',
      'yesterday',
      '2026-02-30',
      '2026-13-01',
      '2026-01-01T25:00',
      '01.02.2026',
      '1772323200000',
    ]) {
      expect(codeOf(() => parseInstant(text, 'UTC'))).toBe('INVALID_OPTION')
    }
  })
})
