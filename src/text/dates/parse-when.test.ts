import { describe, expect, it } from 'vitest'
import { parseWhen } from './parse-when.ts'

/** Wednesday 4 March 2026, 03:30 in Zurich. */
const now = new Date('2026-03-04T02:30:00Z')

function daysOf(query: string, timeZone = 'Europe/Zurich'): string | null {
  const when = parseWhen(query, { now, timeZone })
  if (when === null) return null
  const [first, last] = [when.days[0], when.days.at(-1)]
  return first === last ? `${first}` : `${first}..${last}`
}

describe('parseWhen', () => {
  it.each([
    ['what did we do today', '2026-03-04'],
    ['crate count yesterday', '2026-03-03'],
    ['the day before yesterday', '2026-03-02'],
    ['Feb 8', '2026-02-08'],
    ['what did we do on 8 May 2025', '2025-05-08'],
    ['notes from 2025-05-08', '2025-05-08'],
    ['what happened on May 23', '2025-05-23'],
    ['what happened on 23 May?', '2025-05-23'],
    ['last Monday', '2026-03-02'],
    ['what did we decide on Monday?', '2026-03-02'],
    ['on Wednesday', '2026-02-25'],
    ['two days ago', '2026-03-02'],
    ['3 weeks ago', '2026-02-11'],
    ['a month ago', '2026-02-04'],
    ['two days after Feb 3', '2026-02-05'],
    ['Friday, 6 Feb 2026', '2026-02-06'],
    ['the 15th of last month', '2026-02-15'],
  ])('finds the day of "%s"', (query, day) => {
    expect(daysOf(query)).toBe(day)
  })

  it.each([
    ['last week', '2026-02-23..2026-03-01'],
    ['this month', '2026-03-01..2026-03-31'],
    ['last year', '2025-01-01..2025-12-31'],
    ['last weekend', '2026-02-28..2026-03-01'],
    ['what did we plan in March', '2026-03-01..2026-03-31'],
    ['in May', '2025-05-01..2025-05-31'],
    ['March 2025', '2025-03-01..2025-03-31'],
    ['Q3 2025', '2025-07-01..2025-09-30'],
    ['last summer', '2025-06-01..2025-08-31'],
    ['between Feb 3 and Feb 10', '2026-02-03..2026-02-10'],
    ['from August to October', '2025-08-01..2025-10-31'],
    ['since Monday', '2026-03-02..2026-03-04'],
    ['the week of Feb 9', '2026-02-09..2026-02-15'],
    ['the past 3 days', '2026-03-01..2026-03-04'],
    ['in early January', '2026-01-01..2026-01-10'],
  ])('finds the range of "%s"', (query, range) => {
    expect(daysOf(query)).toBe(range)
  })

  it.each([
    ['tomorrow', '2026-03-05'],
    ['next week', '2026-03-09..2026-03-15'],
    ['in 3 days', '2026-03-07'],
    ['what is due on Friday', '2026-03-06'],
    ['what will we ship in May', '2026-05-01..2026-05-31'],
  ])('looks ahead where the words do: "%s"', (query, days) => {
    expect(daysOf(query)).toBe(days)
  })

  it.each([
    'you may open the march hare file',
    'the cat sat on node 18.2.1',
    'second attempt at 10-4',
    'we may repaint',
    'ship 4.2.7 build',
    'model gpt-4',
    'port 9443',
    'room 12.5',
    'what happened 10:37',
    'the second may fail',
    'this may help',
    "April's recipe",
    'how many of the 24/7 pumps',
    '5/7 tests pass',
    'stored in 2000 rows',
    'the sun and the moon',
    'ticket REQ-0417',
    'the 4th attempt',
    'the last day of the trip',
    '',
  ])('finds no date in "%s"', (query) => {
    expect(daysOf(query)).toBeNull()
  })

  it('counts days as clocks in the zone do', () => {
    expect(daysOf('yesterday', 'America/Los_Angeles')).toBe('2026-03-02')
    expect(daysOf('yesterday', 'UTC')).toBe('2026-03-03')
    expect(daysOf('yesterday', 'Pacific/Auckland')).toBe('2026-03-03')
    const summer = parseWhen('29 March 2026', { now, timeZone: 'Europe/Zurich' })
    expect([summer?.from.toISOString(), summer?.to.toISOString()]).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('tells which words it read', () => {
    expect(parseWhen('what broke between Feb 3 and Feb 10?', { now, timeZone: 'UTC' })?.text).toBe(
      'between Feb 3 and Feb 10',
    )
  })
})
