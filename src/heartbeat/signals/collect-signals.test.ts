import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../../test/stores.ts'
import type { Signal, SignalKind } from '../../model/heartbeat.ts'
import type { Viewer } from '../../model/search.ts'
import { cleanCharacters } from '../../normalize/index.ts'
import { createGapLog } from '../../retrieval/gap-log.ts'
import { createInMemoryStore } from '../../store/memory/in-memory-store.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { makeContent, makeWrite, type Sample } from '../../testing/memory-store/samples.ts'
import { collectSignals, SIGNAL_SOURCES } from './collect-signals.ts'

const OWNER: Viewer = { tenant: 'local' }
/** Monday, 10:00 in UTC, which is the zone of these tests. */
const NOW = new Date('2026-07-20T10:00:00Z')

/** A store with daily notes, a line of text for each day. */
async function storeOf(
  notes: ReadonlyArray<[day: string, text: string, more?: Partial<Sample>]>,
): Promise<MemoryStore> {
  const store = await openEmptyStore()
  for (const [index, [day, text, more]] of notes.entries()) {
    const place = {
      occurredAt: day.includes('T') ? day : `${day}T00:00:00+00:00`,
      dateOrigin: 'name',
      ...more?.place,
    } as const
    const sample = { text, id: `${index}`, tier: 'episodic', ...more, place } as const
    await store.putDocuments([makeWrite(`memory/${day.slice(0, 10)}-${index}.md`, [sample])])
  }
  return store
}

async function look(
  store: MemoryStore,
  { now = NOW, viewer = OWNER, kinds }: { now?: Date; viewer?: Viewer; kinds?: SignalKind[] } = {},
): Promise<Signal[]> {
  const { signals, degraded } = await collectSignals({ store, viewer, now, timeZone: 'UTC', ...(kinds && { kinds }) })
  expect(degraded).toEqual([])
  return signals
}

const shown = (signals: readonly Signal[]): string[] =>
  signals.map(({ kind, urgency, summary }) => `${urgency} ${kind}: ${summary}`)

describeStores('deadlines', () => {
  it('are told from the day before, urgent in the last hour, and for some days after', async () => {
    const store = await storeOf([['2026-07-17', '- [ ] Offer to the yard by Tuesday 21 July 15:00']])
    const at = async (now: string): Promise<string[]> =>
      shown(await look(store, { now: new Date(now), kinds: ['deadline'] }))
    expect(await at('2026-07-20T14:00:00Z')).toEqual([])
    expect(await at('2026-07-20T16:00:00Z')).toEqual([
      'elevated deadline: Offer to the yard by Tuesday 21 July 15:00 (due tomorrow 15:00)',
    ])
    expect(await at('2026-07-21T14:30:00Z')).toEqual([
      'immediate deadline: Offer to the yard by Tuesday 21 July 15:00 (due today 15:00)',
    ])
    expect(await at('2026-07-22T09:00:00Z')).toEqual([
      'elevated deadline: Offer to the yard by Tuesday 21 July 15:00 (was due yesterday 15:00)',
    ])
    expect(await at('2026-07-25T09:00:00Z')).toEqual([])
  })

  it('are over when somebody reports it, and not told before they were written', async () => {
    const store = await storeOf([
      ['2026-07-17', '- [ ] Send the offer to the yard by Monday 20 July'],
      ['2026-07-20', 'I sent the offer to the yard.'],
    ])
    expect(await look(store, { kinds: ['deadline'] })).toEqual([])
    const before = new Date('2026-07-16T12:00:00Z')
    expect(await look(store, { kinds: ['deadline'], now: before })).toEqual([])
  })
})

describeStores('what is scheduled', () => {
  it('is told about its time, each occurrence as one of its own', async () => {
    const store = await storeOf([['2026-07-01', 'Every Monday at 10:15: count the geese']])
    const at = async (now: string): Promise<Signal[]> => look(store, { now: new Date(now), kinds: ['scheduled'] })
    expect(await at('2026-07-20T09:00:00Z')).toEqual([])
    const [first] = await at('2026-07-20T10:00:00Z')
    expect(first).toMatchObject({ urgency: 'immediate', dueAt: '2026-07-20T10:15:00+00:00' })
    expect((await at('2026-07-20T11:00:00Z'))[0]?.signature).toBe(first?.signature)
    expect(await at('2026-07-20T13:00:00Z')).toEqual([])
    expect((await at('2026-07-27T10:15:00Z'))[0]?.signature).not.toBe(first?.signature)
  })

  it('says whether the day alone is known', async () => {
    const store = await storeOf([
      ['2026-07-19', '- [ ] Send the offer to the yard by Monday 20 July'],
      ['2026-07-18', '- [ ] Call the bank by Monday 20 July at 17:00'],
      ['2026-07-17', 'Every Monday: count the geese'],
    ])
    const signals = await look(store, { kinds: ['deadline', 'scheduled'], now: new Date('2026-07-20T10:00:00Z') })
    const known = signals.map(({ topic, isAllDay }) => [topic?.split(' ')[0], isAllDay ?? false])
    expect(Object.fromEntries(known)).toEqual({ Send: true, Call: false, Every: true })
  })

  it('tells an appointment of tomorrow in the afternoon', async () => {
    const store = await storeOf([['2026-07-17', 'Dentist on Tuesday 21 July.']])
    expect(await look(store, { kinds: ['scheduled'] })).toEqual([])
    const afternoon = new Date('2026-07-20T15:00:00Z')
    expect(shown(await look(store, { kinds: ['scheduled'], now: afternoon }))).toEqual([
      'elevated scheduled: Dentist on Tuesday 21 July. (tomorrow)',
    ])
  })
})

describeStores('pending work', () => {
  it('is what is open or wrong, not what was done, and not what is long past', async () => {
    const store = await storeOf([
      ['2026-07-18', '- [ ] Oil the gate of the boathouse'],
      ['2026-07-18', '- [ ] Repair the fence at the pond'],
      ['2026-07-19', 'The east valve leaks.'],
      ['2026-07-19', 'The fence at the pond is repaired.'],
      ['2026-05-01', '- [ ] Count the geese at the pier'],
    ])
    expect(shown(await look(store, { kinds: ['pending_work'] }))).toEqual([
      'elevated pending_work: The east valve leaks. (noted yesterday)',
      'normal pending_work: Oil the gate of the boathouse (noted Saturday 2026-07-18)',
    ])
  })

  it('tells one thing once, with all that speaks of it', async () => {
    const store = await storeOf([
      ['2026-07-19', 'disk of tern-7 at 93%'],
      ['2026-07-18', '- [ ] Disk of tern-7: find out what grows'],
    ])
    const [signal, ...others] = await look(store, { kinds: ['pending_work'] })
    expect(others).toEqual([])
    expect(signal?.memoryIds).toEqual(['0', '1'])
  })

  it('quotes of several readings of one thing the last', async () => {
    const of = async (...notes: Parameters<typeof storeOf>[0]): Promise<string[]> =>
      shown(await look(await storeOf(notes), { kinds: ['pending_work'] }))
    const readings = '- 08:02 disk tern-7 at 91%\n- 09:02 disk tern-7 at 93%\n- 09:32 disk tern-7 at 95%'
    const last = 'elevated pending_work: 09:32 disk tern-7 at 95% (noted today)'
    expect(await of(['2026-07-20', readings])).toEqual([last])
    expect(
      await of(['2026-07-20', '- 08:02 disk tern-7 at 91%'], ['2026-07-20', '- 09:32 disk tern-7 at 95%']),
    ).toEqual([last])
    expect(
      await of(['2026-07-20', '- 09:32 disk tern-7 at 95%'], ['2026-07-20', '- 08:02 disk tern-7 at 91%']),
    ).toEqual([last])
    expect(
      await of(['2026-07-19', '- 23:00 disk tern-7 at 99%'], ['2026-07-20', '- 09:32 disk tern-7 at 95%']),
    ).toEqual([last])
  })

  it('keeps its signature when numbers and times in the line change', async () => {
    const of = async (text: string): Promise<string | undefined> =>
      (await look(await storeOf([['2026-07-20', text]]), { kinds: ['pending_work'] }))[0]?.signature
    const first = await of('disk tern-7 at 93% (10:02)')
    expect(first).toMatch(/^pending_work:/)
    expect(await of('disk tern-7 at 94% (10:32)')).toBe(first)
    expect(await of('east valve leaks')).not.toBe(first)
  })
})

describeStores('the other kinds', () => {
  it('conflicts wait for a person', async () => {
    const store = await storeOf([
      ['2026-07-18', 'The gate is blue.'],
      ['2026-07-19', 'The gate is red.'],
    ])
    await store.relationships.openReviews([{ firstId: '0', secondId: '1', reason: '"blue" against "red"' }], NOW)
    const [signal] = await look(store, { kinds: ['conflict'] })
    expect(signal).toMatchObject({ urgency: 'elevated', memoryIds: ['0', '1'] })
    expect(signal?.summary).toContain('"blue" against "red"')
  })

  it('a session that broke off is told, not one that ended or goes on', async () => {
    const say = (at: string, role: 'user' | 'assistant', text: string): [string, string, Partial<Sample>] => [
      at,
      text,
      { role, category: 'sessions', place: { sessionId: 's-1', occurredAt: at, dateOrigin: 'timestamp' } },
    ]
    const asked = say('2026-07-20T08:00:00Z', 'user', 'Which rope holds the ferry?')
    const store = await storeOf([asked])
    expect(shown(await look(store, { kinds: ['continuity'] }))).toEqual([
      'elevated continuity: Which rope holds the ferry? (unanswered 2 hours ago)',
    ])
    expect(await look(store, { kinds: ['continuity'], now: new Date('2026-07-20T08:10:00Z') })).toEqual([])
    expect(await look(store, { kinds: ['continuity'], now: new Date('2026-07-21T08:10:00Z') })).toEqual([])
    const answered = await storeOf([asked, say('2026-07-20T08:01:00Z', 'assistant', 'The green one.')])
    expect(await look(answered, { kinds: ['continuity'] })).toEqual([])
    const brokenOff = await storeOf([asked, say('2026-07-20T08:01:00Z', 'assistant', 'Let me look at the knots.')])
    expect(shown(await look(brokenOff, { kinds: ['continuity'] }))).toEqual([
      'elevated continuity: Which rope holds the ferry? (broken off 1 hour ago)',
    ])
  })

  it('what is watched is stale after a day without news', async () => {
    const note = ['2026-07-18', 'Keep an eye on the battery of the north buoy'] as const
    const stale = await storeOf([[...note]])
    expect(shown(await look(stale, { kinds: ['stale_monitor'] }))).toEqual([
      'elevated stale_monitor: Keep an eye on the battery of the north buoy (nothing new since Saturday 2026-07-18)',
    ])
    const fresh = await storeOf([
      [...note],
      ['2026-07-20', 'The battery of the north buoy: watch the eye bolt too, cause unknown'],
    ])
    expect(await look(fresh, { kinds: ['stale_monitor'] })).toEqual([])
  })

  it('a list of steps that stands still is told with how far it is', async () => {
    const text = '- [x] Mast\n- [ ] Sail for the dinghy\n- [ ] Oars for the dinghy'
    const store = await storeOf([['2026-07-01', text, { headerPath: ['Dinghy'] }]])
    const [signal] = await look(store, { kinds: ['goal_progress'] })
    expect(signal).toMatchObject({ urgency: 'low', progress: 1 / 3 })
    expect(signal?.summary).toBe('Dinghy: Sail for the dinghy (1 of 3 done, nothing since 2026-07-01)')
  })

  it('open questions, and what was asked twice and not found, are gaps', async () => {
    const store = await storeOf([['2026-07-19', 'The pump stops at night, cause not found.']])
    const log = createGapLog(store)
    const ask = (text: string, hour: number) =>
      log.note({ text, topScore: 0, at: new Date(Date.UTC(2026, 6, 20, hour)), viewer: OWNER })
    await ask('phone number of the harbour master', 7)
    await ask('colour of the canoe', 8)
    await ask('what is the phone number of the harbour master', 9)
    expect(shown(await look(store, { kinds: ['knowledge_gap'] }))).toEqual([
      'normal knowledge_gap: The pump stops at night, cause not found. (open, noted yesterday)',
      'low knowledge_gap: Asked 2 times and not found: what is the phone number of the harbour master (last 1 hour ago)',
    ])
  })

  it('good news are told, and that something open was done', async () => {
    const store = await storeOf([
      ['2026-07-10', '- [ ] Repair the fence at the pond'],
      ['2026-07-20', 'The fence at the pond is repaired.'],
      ['2026-07-20', 'The radar of the pier passed its test.'],
    ])
    expect(shown(await look(store, { kinds: ['positive_delta'] })).sort()).toEqual([
      'low positive_delta: The fence at the pond is repaired.',
      'low positive_delta: The radar of the pier passed its test.',
    ])
  })

  it('what was called important and fades is told, until it is read', async () => {
    const store = await storeOf([
      ['2026-07-01', 'The spare key hangs behind the barometer.', { importance: 0.9, headerPath: ['Keys'] }],
      ['2026-07-01', 'The barometer is brass.'],
    ])
    expect(shown(await look(store, { kinds: ['decaying'] }))).toEqual([
      'low decaying: Keys (memory/2026-07-01-0.md) (important, not read since 2026-07-01)',
    ])
    for (let n = 0; n < 3; n++) await store.recordAccess(['0'], NOW)
    expect(await look(store, { kinds: ['decaying'] })).toEqual([])
  })

  it('a person of whom nothing is heard any more is told, unless the texts know better', async () => {
    const notes: Array<[string, string, Partial<Sample>?]> = [
      ['2026-06-01', 'Ada Heron, sister', { type: 'relationship', tier: 'semantic' }],
      ['2026-07-01', '- [x] Letter of Ada answered'],
      ['2026-07-03', '- [x] Parcel for Ada sent'],
      ['2026-07-05', '- [ ] Ask Ada about the boat'],
      ['2026-07-06', '- [x] Tea with Ada'],
    ]
    expect(shown(await look(await storeOf(notes), { kinds: ['relationship_silence'] }))).toEqual([
      'low relationship_silence: Nothing heard of Ada Heron (last named 2026-07-06, 4 times in all)',
    ])
    const heard = await storeOf([...notes, ['2026-07-19', 'A long talk with Ada at the pier.']])
    expect(await look(heard, { kinds: ['relationship_silence'] })).toEqual([])
  })

  it('what is usual on this weekday and was not done yet is a pattern', async () => {
    const mondays = ['2026-06-22', '2026-06-29', '2026-07-06', '2026-07-13']
    const store = await storeOf(mondays.map((day) => [day, '- [x] Counted geese at the pier']))
    expect(shown(await look(store, { kinds: ['pattern'] }))).toEqual([
      'low pattern: Usual on Mondays: Counted geese at the pier (4 times in the last weeks, not yet today)',
    ])
    expect(await look(store, { kinds: ['pattern'], now: new Date('2026-07-21T10:00:00Z') })).toEqual([])
  })

  it('many more memories than usual are told', async () => {
    const days = Array.from({ length: 14 }, (_, n) =>
      new Date(NOW.getTime() - (n + 1) * 86_400_000).toISOString().slice(0, 10),
    )
    const usual = days.map((day): [string, string] => [day, `A quiet day, ${day}.`])
    const busy = Array.from({ length: 25 }, (_, n): [string, string] => ['2026-07-20T08:00:00Z', `Ship ${n} came in.`])
    expect(shown(await look(await storeOf([...usual, ...busy]), { kinds: ['velocity'] }))).toEqual([
      'low velocity: 25 memories in a day, usual are 1',
    ])
    expect(await look(await storeOf(usual), { kinds: ['velocity'] })).toEqual([])
  })
})

describeStores('collecting', () => {
  const NOTES: Array<[string, string, Partial<Sample>?]> = [
    ['2026-07-19', '- [ ] Draft the answer to the yard by Monday 20 July'],
    ['2026-07-19', 'The east valve leaks.'],
    ['2026-07-19', '- [ ] Oil the gate', { scope: { agent: 'otter' } }],
  ]

  it('tells a line once, most urgent first', async () => {
    const signals = await look(await storeOf(NOTES))
    expect(signals.map(({ kind }) => kind)).toEqual(['deadline', 'pending_work', 'pending_work'])
    expect(new Set(signals.map(({ signature }) => signature)).size).toBe(signals.length)
  })

  it('gives all that there is to tell, however much it is', async () => {
    const items = Array.from({ length: 30 }, (_, n) => `- [ ] Answer letter number ${1000 + n} by Monday 20 July`)
    const store = await storeOf([['2026-07-19', items.join('\n')]])
    expect(await look(store, { kinds: ['deadline'] })).toHaveLength(30)
    const pairs = Array.from({ length: 8 }, (_, n) => [`a${n}`, `b${n}`] as const)
    const notes = pairs.flat().map((id): [string, string, Partial<Sample>] => ['2026-07-18', `The gate ${id}.`, { id }])
    const torn = await storeOf(notes)
    const reviews = pairs.map(([firstId, secondId]) => ({ firstId, secondId, reason: 'two ways' }))
    await torn.relationships.openReviews(reviews, NOW)
    const parts = { store: torn, viewer: OWNER, now: NOW, timeZone: 'UTC', kinds: ['conflict' as const] }
    const { signals, more } = await collectSignals(parts)
    expect([signals.length, more]).toEqual([5, { conflict: 3 }])
  })

  it('shows nobody what they may not see', async () => {
    const store = await storeOf(NOTES)
    const mine = await look(store, { viewer: { ...OWNER, agent: 'main' } })
    expect(JSON.stringify(mine)).not.toContain('gate')
    expect(await look(store, { viewer: { tenant: 'elsewhere' } })).toEqual([])
  })

  it('goes on without the kinds that fail, says so, and changes nothing', async () => {
    const store = await storeOf(NOTES)
    const failing = { kind: 'pattern' as const, detect: () => Promise.reject(new Error('the disk is gone')) }
    const parts = { store, viewer: OWNER, now: NOW, timeZone: 'UTC' }
    const before = await store.listStates('')
    const { signals, degraded } = await collectSignals(parts, [failing, ...SIGNAL_SOURCES])
    expect(degraded).toEqual([{ part: 'signals-pattern', reason: expect.stringContaining('the disk is gone') }])
    expect(signals.length).toBeGreaterThan(0)
    expect(await store.listStates('')).toEqual(before)
    await store.close()
    const closed = await collectSignals(parts)
    expect(closed.signals).toEqual([])
    expect(closed.degraded).toHaveLength(SIGNAL_SOURCES.length)
  })
})

describe('a signal, whatever the memories say', () => {
  it('is one line without control characters', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(
        '- [ ] oil the gate by Monday\u202e',
        'TODO: \u0000 x',
        'east valve leaks\r\n',
        'Dentist on Monday 10:20',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const store = createInMemoryStore()
        for (const [index, text] of lines.entries()) {
          await store.addRemembered(makeContent({ id: `${index}`, text, tier: 'episodic' }), {
            occurredAt: '2026-07-20T08:00:00Z',
          })
        }
        const { signals, degraded } = await collectSignals({ store, viewer: OWNER, now: NOW, timeZone: 'UTC' })
        expect(degraded).toEqual([])
        for (const { summary, memoryIds, weight, signature } of signals) {
          expect(summary).not.toMatch(/\p{Cc}/u)
          expect(cleanCharacters(summary)).toBe(summary)
          expect(summary.isWellFormed()).toBe(true)
          expect(weight).toBeGreaterThan(0)
          expect(signature).not.toBe('')
          for (const id of memoryIds) expect(await store.getMemories([id])).toHaveLength(1)
        }
      }),
      { numRuns: 40 },
    )
  })
})
