import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Memory, Place } from '../model/memory.ts'
import { makeMemory } from '../testing/make-memory.ts'
import { tokenize } from '../text/tokenize.ts'
import { analyzeQuery } from './analyze-query.ts'
import { readAskedValue } from './asked-value.ts'
import type { FusedCandidate } from './fuse.ts'
import { preferNewer } from './prefer-newer.ts'

const candidate = (memory: Memory, query: string, fused: number): FusedCandidate => {
  const held = new Set(tokenize(memory.text).map(({ term }) => term))
  return {
    candidate: { memory, text: 1, window: 1, document: 1, matched: [0] },
    signals: { vector: 0.4, keyword: 0.5, header: 0, filepath: 0 },
    relative: { keyword: 1, vector: 0.5 },
    coverage: 1,
    windowCoverage: 1,
    matchedTerms: analyzeQuery(query, null)
      .words.map(({ term }) => term)
      .filter((term) => held.has(term)),
    weights: { vector: 0.4, keyword: 0.6, header: 0, filepath: 0 },
    boosts: [],
    fused,
  }
}

type Said = Partial<Omit<Memory, 'place' | 'id' | 'text'>> & { place?: Partial<Place> }

/** The order of texts, the first of them the oldest and the best answer, each a day younger and somewhat worse than the one before. */
function order(query: string, texts: readonly string[], said: readonly Said[] = []): number[] {
  const list = texts.map((text, index) => {
    const { place, ...rest } = said[index] ?? {}
    const occurredAt = `2026-03-${String(index + 1).padStart(2, '0')}T10:00:00Z`
    const where = { path: `memory/${index}.md`, occurredAt, dateOrigin: 'text' as const, ...place }
    return candidate(makeMemory({ id: `${index}`, text, ...rest, place: where }), query, 0.9 - index / 20)
  })
  return preferNewer(list, readAskedValue(analyzeQuery(query, null))).map(({ candidate: { memory } }) =>
    Number(memory.id),
  )
}

describe('a value that changed', () => {
  it.each([
    [
      'How many berths does the north pier have?',
      'The north pier has 14 berths, all of them let for the summer.',
      'After the dredging we counted again: the north pier has 17 berths in all.',
    ],
    [
      'When is the inspection of the crane scheduled?',
      'The inspection of the crane is scheduled for 12 May at the yard.',
      'Mara called, the inspection of the crane moved to 19 May since the inspector is ill.',
    ],
    [
      'nightly backup duration',
      'The nightly backup has a duration of 40 minutes, most of it waiting for the disk.',
      'With the new disk the nightly backup now has a duration of 25 minutes.',
    ],
    [
      'What time does the ferry to Skarv leave?',
      'The ferry to Skarv leaves at 7:40 from the old quay.',
      'I stood there in vain: the ferry to Skarv leaves at 8:15 since Monday.',
    ],
    [
      'Which version of the gateway do we run?',
      'We run the gateway in version 2.3.1 on both hosts.',
      'Upgraded last night: the gateway is on version 2.4.0, both hosts are fine.',
    ],
    [
      'How many volumes of the pilot book have I read?',
      'I have read three volumes of the pilot book so far, the charts left out.',
      'Rain all day, so I finished: this was the fifth volume of the pilot book that I have read.',
    ],
    [
      'What was the limit that the bank of Lunde gave us when we asked for a loan?',
      'The bank of Lunde gave us a limit of 35,000 EUR, so that we can pay for the crane.',
      'A letter today: the bank of Lunde gave us a limit of 42,000 EUR now, which helps.',
    ],
  ])('stands above the one before: %s', (query, older, newer) => {
    expect(order(query, [older, 'Lunch at the harbour office was late again.', newer])).toEqual([2, 0, 1])
  })

  it('may leave out in the same talk what was said before', () => {
    const talk = { category: 'sessions', role: 'user', place: { path: 'sessions/a.jsonl' } } as const
    const query = 'How many offers for the painted hull did we get from yards this week?'
    const texts = [
      'We got 3 offers for the painted hull from yards, between Monday and Friday. Is that good?',
      'Between Monday and Friday, what do I tell the owner, now that yards sent us 5 offers?',
    ]
    expect(order(query, texts, [talk, talk])).toEqual([1, 0])
  })

  it('stands first however often it changed', () => {
    const texts = ['The pier has 14 berths to let.', 'The pier has 15 berths to let.', 'The pier has 17 berths to let.']
    expect(order('How many berths does the pier have to let?', texts)).toEqual([2, 1, 0])
  })
})

describe('nothing moves', () => {
  const older = 'The north pier has 14 berths, all of them let for the summer.'
  const newer = 'After the dredging we counted again: the north pier has 17 berths in all.'
  const asked = 'How many berths does the north pier have?'

  it.each([
    'How many berths did the north pier have previously?',
    'How many berths do the north pier and the south pier have in total?',
    'How did the berths of the north pier change over time?',
    'Is the north pier full of berths?',
    'When was the north pier given its berths?',
  ])('where the query does not ask for the value as it is now: %s', (query) => {
    expect(order(query, [older, newer])).toEqual([0, 1])
  })

  it('where the values are of different things', () => {
    expect(
      order('How many berths does the pier of Skarv have?', [
        'The pier of Skarv has 14 berths.',
        'The pier of Lunde has 17 berths.',
      ]),
    ).toEqual([0, 1])
    expect(order(asked, [older, 'The north pier has 3 lamps, and a crane.'])).toEqual([0, 1])
    expect(
      order('What did order 2093 of the pumps cost?', [
        'Order 2093 of the pumps cost 410 EUR.',
        'Order 2094 of the pumps cost 520 EUR.',
      ]),
    ).toEqual([0, 1])
  })

  it('where the values are the same', () => {
    expect(
      order(asked, [older, 'Counted: there are 14 berths at the north pier, Mara says so too, and so does Tomasz.']),
    ).toEqual([0, 1])
  })

  it('where an agent, a tool or somebody else says the newer one', () => {
    const first = { category: 'sessions', role: 'user' } as const
    for (const said of [{ role: 'assistant' }, { role: 'tool' }, { role: 'user', speaker: 'Ida' }] as const) {
      expect(order(asked, [older, newer], [first, { category: 'sessions', ...said }])).toEqual([0, 1])
    }
    expect(order(asked, [older, newer], [first, { ...first }])).toEqual([1, 0])
  })

  it('where nobody knows which of them is the newer one', () => {
    expect(order(asked, [older, newer], [{}, { place: { dateOrigin: 'mtime' } }])).toEqual([0, 1])
  })
})

describe('any list', () => {
  const sentence = fc
    .tuple(
      fc.constantFrom('The north pier', 'The south pier', 'The crane', 'Mara'),
      fc.constantFrom('has', 'now has', 'no longer has', 'wants'),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('berths.', 'lamps.', 'EUR.', '% of the berths.', ''),
    )
    .map((words) => words.join(' '))
  const lists = fc.array(fc.record({ text: sentence, day: fc.integer({ min: 1, max: 28 }), dated: fc.boolean() }), {
    maxLength: 30,
  })
  const queries = fc.constantFrom(
    'How many berths does the north pier have?',
    'north pier berths',
    'Who has lamps?',
    '',
  )

  it('keeps every memory once, the order of those that do not move, and gives the same order twice', () => {
    fc.assert(
      fc.property(lists, queries, (entries, query) => {
        const list = entries.map(({ text, day, dated }, index) =>
          candidate(
            makeMemory({
              id: `${index}`,
              text,
              place: {
                path: `memory/${index}.md`,
                ...(dated && { occurredAt: `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`, dateOrigin: 'text' }),
              },
            }),
            query,
            1 - index / 60,
          ),
        )
        const asked = readAskedValue(analyzeQuery(query, null))
        const result = preferNewer(list, asked)
        const ids = (some: readonly FusedCandidate[]): string[] => some.map(({ candidate: { memory } }) => memory.id)
        expect(ids(result).sort()).toEqual(ids(list).sort())
        const moved = new Set(ids(result.filter(({ boosts }) => boosts.some(({ name }) => name === 'newer'))))
        const rest = (some: readonly FusedCandidate[]): string[] => ids(some).filter((id) => !moved.has(id))
        expect(rest(result)).toEqual(rest(list))
        expect(ids(preferNewer(list, asked))).toEqual(ids(result))
      }),
      { numRuns: 200 },
    )
  })

  it('is looked at to a fixed depth: what stands behind it stays where it is', () => {
    const filler = Array.from(
      { length: 20 },
      (_, index) => `Lunch ${index}: ${String.fromCharCode(97 + index).repeat(5)} with bread`,
    )
    const texts = ['The north pier has 14 berths.', ...filler, 'The north pier now has 17 berths.']
    expect(order('How many berths does the north pier have?', texts)).toEqual(texts.map((_, index) => index))
  })
})
