import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrencesAround, readRecurrence } from './recurrence.ts'

const ZURICH = 'Europe/Zurich'

describe('what comes again', () => {
  it.each([
    ['Every Monday at 9:00', '0 9 * * 1'],
    ['the rota turns on Mondays at 09:00', '0 9 * * 1'],
    ['every weekday 8:30', '30 8 * * 1-5'],
    ['on the first of the month at 06:00', '0 6 1 * *'],
    ['every day at 7 am', '0 7 * * *'],
    ['jeden Freitag um 17 Uhr', '0 17 * * 5'],
    ['tous les lundis', '0 0 * * 1'],
    ['cron: */15 8-18 * * 1-5', '*/15 8-18 * * 1-5'],
  ])('%s', (text, cron) => {
    expect(readRecurrence(text)).toEqual({ cron })
  })

  it.each(['on Monday', 'cron: 99 * * * *', 'cron: 0 9 * *', 'somebody was there', 'Mondays'.slice(0, 3)])(
    'is not: %s',
    (text) => {
      expect(readRecurrence(text)).toBeNull()
    },
  )

  it('counts in the zone that the text names', () => {
    expect(readRecurrence('every Monday at 9:00 UTC')).toEqual({ cron: '0 9 * * 1', timeZone: 'UTC' })
    const { last } = occurrencesAround({ cron: '0 9 * * 1', timeZone: 'UTC' }, new Date('2026-07-20T12:00:00Z'), ZURICH)
    expect(last?.toISOString()).toBe('2026-07-20T09:00:00.000Z')
  })

  it('finds the last time and the next, over changes of the clock', () => {
    const around = (now: string) => {
      const { last, next } = occurrencesAround({ cron: '0 9 * * 0' }, new Date(now), ZURICH)
      return [last?.toISOString(), next?.toISOString()]
    }
    // Clocks go forward on Sunday 29 March 2026.
    expect(around('2026-03-28T12:00:00Z')).toEqual(['2026-03-22T08:00:00.000Z', '2026-03-29T07:00:00.000Z'])
    expect(around('2026-03-29T07:00:00Z')).toEqual(['2026-03-29T07:00:00.000Z', '2026-04-05T07:00:00.000Z'])
  })

  it('has its last time at or before now and its next one after it, whatever the schedule', () => {
    const field = (low: number, high: number) =>
      fc.oneof(fc.constant('*'), fc.integer({ min: low, max: high }).map(String), fc.constant(`${low}-${high}/2`))
    const cron = fc
      .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(
        cron,
        fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
        (one, now) => {
          const { last, next } = occurrencesAround({ cron: one }, now, 'UTC')
          if (last) expect(last.getTime()).toBeLessThanOrEqual(now.getTime())
          if (next) expect(next.getTime()).toBeGreaterThan(now.getTime())
        },
      ),
      { numRuns: 60 },
    )
  })
})
