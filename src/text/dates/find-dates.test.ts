import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDates } from './find-dates.ts'

describe('findDates', () => {
  it.each([
    ['2026-05-08', '2026-05-08'],
    ['(2026-05-08).', '2026-05-08'],
    ['report-2026-05-08.md', '2026-05-08'],
    ['2026-05-08-1830-gate', '2026-05-08'],
    ['2026/5/8', '2026-05-08'],
    ['12 March 2026', '2026-03-12'],
    ['the 12th of March, 2026', '2026-03-12'],
    ['March 12th, 2026', '2026-03-12'],
    ['Thu, Mar. 12 2026', '2026-03-12'],
    ['12-mar-2026', '2026-03-12'],
    ["Mar 12 '26", '2026-03-12'],
    ['12.3.2026', '2026-03-12'],
    ['fourth of July 1995', '1995-07-04'],
    ['March 13, 1711', '1711-03-13'],
    ['2026年3月12日', '2026-03-12'],
    ['2026년 3월 12일', '2026-03-12'],
  ])('reads "%s"', (text, day) => {
    expect(findDates(text)).toEqual([day])
  })

  it.each([
    '2026-02-30',
    'v1.2026.05.08',
    '1.2.3',
    '10-4',
    '12 March',
    'March 2026',
    '12026-05-08',
    '3/4/26',
    'may 5 pumps',
    '192.168.10.11',
  ])('reads no day in "%s"', (text) => {
    expect(findDates(text)).toEqual([])
  })

  it('lists each day once, in the order of the text', () => {
    expect(findDates('8 May 2026, then 2026-05-01 and again 2026-05-08')).toEqual(['2026-05-08', '2026-05-01'])
  })

  it('counts an instant with an offset as the day that it is in the zone', () => {
    expect(findDates('at 2026-05-08T23:30:00Z', { timeZone: 'Europe/Zurich' })).toEqual(['2026-05-09'])
    expect(findDates('at 2026-05-08T23:30:00Z')).toEqual(['2026-05-08'])
    expect(findDates('at 2026-05-08T23:30', { timeZone: 'Europe/Zurich' })).toEqual(['2026-05-08'])
  })

  it('reads every day of the calendar as it is written, and throws on no text', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        fc.string(),
        (date, noise) => {
          const iso = date.toISOString().slice(0, 10)
          const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
          expect(findDates(`on ${iso} and on ${words}`)).toEqual([iso])
          expect(() => findDates(noise)).not.toThrow()
        },
      ),
    )
  })
})
