import { describe, expect, it } from 'vitest'
import { findOldest, newestFirst, timedKey } from './timed-keys.ts'

const NOW = new Date('2026-03-04T10:00:00Z')
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000)

describe('what is noted by time', () => {
  it('comes newest first, and last what a clock that ran ahead has noted', () => {
    const noted = [-5, 90, -1, 60, 0.1].map((count) => ({ at: minutes(count).toISOString() }))
    const order = noted.sort(newestFirst(NOW)).map(({ at }) => (Date.parse(at) - NOW.getTime()) / 60_000)
    expect(order).toEqual([0.1, -1, -5, 90, 60])
  })

  it('goes oldest first where there is too much, and what is ahead before all else', () => {
    const keys = [-5, 90, -1, 60, 0.1].map((count) => timedKey('log/', minutes(count)))
    const [five, ninety, , sixty] = keys
    expect(findOldest(keys, { prefix: 'log/', now: NOW, count: 2 })).toEqual([sixty, ninety, five])
    expect(findOldest(keys, { prefix: 'log/', now: NOW, count: 5 })).toEqual([])
  })
})
