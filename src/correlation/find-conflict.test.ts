import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RELATIONSHIP_EVIDENCE } from './correlation-options.ts'
import { findConflict } from './find-conflict.ts'
import { TextReading } from './text-reading.ts'

const conflictOf = (a: string, b: string) => findConflict(new TextReading(a), new TextReading(b))
const isConflict = (a: string, b: string): boolean =>
  (conflictOf(a, b)?.strength ?? 0) >= RELATIONSHIP_EVIDENCE.conflict

describe('findConflict', () => {
  it.each([
    ['The sluice opens at 3 m.', 'The sluice opens at 4 m.', 'value'],
    ['The design review is on 3 May 2026.', 'The design review is on 5 May 2026.', 'value'],
    ['Standup is at 9:30 every day.', 'Standup is at 10:00 every day.', 'value'],
    ['Coverage of the parser is 80%.', 'Coverage of the parser is 92%.', 'value'],
    ['The importer runs on heron 1.2.0.', 'The importer runs on heron 1.4.0.', 'value'],
    ['Egret lives in Ghent.', 'Egret lives in Bruges.', 'name'],
    ['The nightly backup is enabled.', 'The nightly backup is disabled.', 'opposite'],
    ['The cache is shared between workers.', 'The cache is not shared between workers.', 'negation'],
    ['I have never used the sluice gate.', 'Yesterday I used the sluice gate.', 'negation'],
    ['我们用红色的门', '我们不用红色的门', 'negation'],
    ['会议时间是3点', '会议时间是5点', 'value'],
    ['The service stores its data in Postgres.', 'We moved the service from Postgres to SQLite.', 'replacement'],
  ])('finds that "%s" and "%s" cannot both hold', (a, b, kind) => {
    expect(conflictOf(a, b)).toMatchObject({ kind })
    expect(isConflict(a, b)).toBe(true)
    expect(isConflict(b, a)).toBe(true)
  })

  it.each([
    ['another subject', 'The sluice opens at 3 m.', 'The weir opens at 4 m.'],
    ['a list of prices', 'A loaf costs 3 €.', 'A pie costs 4 €.'],
    ['another number of them', 'Grants are for the\nnine yards that cannot pay for them.', '- 31 yards pay.'],
    [
      'an old and a new value that both know',
      'Harbours keep the price of 49 euros; new ones pay 59 euros.',
      'The price of harbours is 49 euros, for new ones 59 euros.',
    ],
    ['a port in an address', 'Gauges publish the level to `gannet:8883`.', 'Gauges publish the level with quality 1.'],
    [
      'code whose fence begins in another piece',
      'The limit of the cache is 5 items.\nIt is set below.',
      'const limit = 9;\nsetCache({ limit: 9 });\nreturn limit;\n```\nThat is all.',
    ],
    ['a mere mention', 'Egret keeps the ledger of the mill.', 'Egret asked for a new ledger.'],
    ['another person', 'Egret keeps the ledger.', 'Heron keeps the ledger.'],
    ['another day', 'Report of 3 May 2026: 14 tickets were closed.', 'Report of 4 May 2026: 12 tickets were closed.'],
    [
      'another number of the same kind of thing',
      'Build 123 took 40 s on the runner.',
      'Build 124 took 52 s on the runner.',
    ],
    ['another version', 'Heron 20 is supported.', 'Heron 22 is supported.'],
    ['another event', 'Egret visited Ghent.', 'Egret visited Bruges.'],
    ['who is addressed', 'Thanks, Egret! It was a fine day.', 'Thanks, Heron! I am well.'],
    ['not being sure', 'I am not sure how the sluice gate works.', 'I am sure the sluice gate works.'],
    ['the same in other units of form', 'The grant is 1,200 €.', 'The grant is €1200.'],
    ['both values in one', 'The limit rose from 3 m to 4 m.', 'The limit is 4 m.'],
    ['equal texts', 'The cache is not shared.', 'The cache is not shared.'],
  ])('does not take %s for a contradiction', (_, a, b) => {
    expect(isConflict(a, b)).toBe(false)
    expect(isConflict(b, a)).toBe(false)
  })

  it('knows an update by the word of it, and points at what differs', () => {
    const conflict = conflictOf('The gate code word is MARROW.', 'Correction: the gate code word is now TEASEL.')
    expect(conflict).toMatchObject({ isUpdate: true, words: ['MARROW', 'TEASEL'] })
    expect(conflictOf('The sluice opens at 3 m.', 'The sluice opens at 4 m.')?.isUpdate).toBe(false)
  })

  it('reads no statements in code', () => {
    expect(conflictOf('```\nlimit is 2 bar\n```', '```\nlimit is 3 bar\n```')).toBeNull()
  })

  it('is as strong whichever comes first, in [0,1], with its evidence inside the texts', () => {
    const words = fc.constantFrom(
      'not',
      'no',
      '3',
      '4',
      'm',
      '€',
      'sluice',
      'gate',
      'open',
      'closed',
      'Egret',
      '.',
      ',',
      '不',
      '红色',
      'now',
      '\n',
      'from',
      'to',
    )
    const text = fc.oneof(
      fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [there, back] = [conflictOf(a, b), conflictOf(b, a)]
        expect(back?.strength ?? 0).toBeCloseTo(there?.strength ?? 0, 9)
        if (!there) return
        expect(there.strength).toBeGreaterThanOrEqual(0)
        expect(there.strength).toBeLessThanOrEqual(1 + 1e-9)
        for (const { side, start, end } of there.evidence) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual((side === 'source' ? a : b).length)
        }
      }),
    )
  })
})
