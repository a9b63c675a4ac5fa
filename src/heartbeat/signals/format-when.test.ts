import { describe, expect, it } from 'vitest'
import { formatSaid, whenSaid } from './format-when.ts'

/** 10:12 of Wednesday 4 March in Zurich; the 3rd, late, in Los Angeles. */
const NOW = new Date('2026-03-04T09:12:00Z')

describe('when something was said', () => {
  it.each([
    ['2026-03-04T00:00:00+01:00', 'Europe/Zurich', 'today'],
    ['2026-03-04', 'Europe/Zurich', 'today'],
    ['2026-03-03T00:00:00+01:00', 'Europe/Zurich', 'yesterday'],
    ['2026-03-02T00:00:00.000Z', 'UTC', 'Monday 2026-03-02'],
    ['2026-01-09T00:00:00+01:00', 'Europe/Zurich', '2026-01-09'],
    // A day is that day, wherever it was written.
    ['2026-03-03T00:00:00+01:00', 'America/Los_Angeles', 'yesterday'],
    ['2026-03-03T00:00:00-08:00', 'Asia/Tokyo', 'yesterday'],
  ])('is its day where the day alone is known: %s in %s', (occurredAt, timeZone, said) => {
    expect(formatSaid(occurredAt, NOW, timeZone)).toBe(said)
    const noted = whenSaid({ text: 'the gate, tomorrow', occurredAt }, NOW, timeZone)
    expect(noted).toBe(`, noted ${said}`)
  })

  it.each([
    ['2026-03-04T10:00:00+01:00', 'just now'],
    ['2026-03-04T00:10:00+01:00', '10 hours ago'],
    ['2026-03-01T09:00:00Z', '3 days ago'],
    ['2026-03-04T00:00:30Z', '9 hours ago'],
  ])('is how long ago it was where its time is known: %s', (occurredAt, said) => {
    expect(formatSaid(occurredAt, NOW, 'Europe/Zurich')).toBe(said)
  })
})
