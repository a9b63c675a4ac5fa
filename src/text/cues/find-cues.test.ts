import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cue } from '../../model/cue.ts'
import { cleanCharacters } from '../clean-characters.ts'
import { MAX_CUE_CHARS, MAX_CUES } from './cue-options.ts'
import { readDue, type SaidAt } from './due.ts'
import { type CuedContent, findCues } from './find-cues.ts'

/** Tuesday. */
const SAID = { at: new Date('2026-03-10T00:00:00+01:00'), timeZone: 'Europe/Zurich', path: 'memory/2026-03-10.md' }

function read(text: string, more: Partial<CuedContent> & { path?: string } = {}): Cue[] {
  const { path = SAID.path, ...content } = more
  return findCues({ text, headerPath: [], trust: 'owner', tier: 'episodic', ...content }, { ...SAID, path })
}

const kindsOf = (text: string, more: Parameters<typeof read>[1] = {}): string[] =>
  read(text, more).map(({ kind }) => kind)
const dueOf = (text: string): string | undefined => read(text)[0]?.dueAt

describe('what a line says that matters between turns', () => {
  it.each([
    ['- [ ] Oil the gate', 'task'],
    ['TODO: oil the gate', 'task'],
    ['Please remind me to oil the gate', 'task'],
    ['- [x] Oil the gate', 'outcome'],
    ['The leak in the boathouse is fixed.', 'outcome'],
    ['I called the dentist this morning.', 'outcome'],
    ['- Dropped the old slot', 'outcome'],
    ['Merged PR #8, which limits the depth.', 'outcome'],
    ['We decided to paint the shed blue.', 'decision'],
    ['The offer must be out by Friday.', 'deadline'],
    ['The lease ends on 31 May.', 'deadline'],
    ['Dentist on Thursday at 14:30.', 'appointment'],
    ['Every Monday at 9:00: count the geese.', 'schedule'],
    ['cron: 0 9 * * 1 count the geese', 'schedule'],
    ['east valve leaks', 'problem'],
    ['disk tern-7 at 93% (10:02)', 'problem'],
    ['Keep an eye on the battery of the buoy', 'monitor'],
    ['The pump stops at night, cause not found.', 'question'],
    ['I will call the yard about the mast tomorrow.', 'plan'],
    ['Our goal is to have thirty boats.', 'goal'],
    ['The radar passed its test.', 'good_news'],
  ])('%s → %s', (text, kind) => {
    expect(kindsOf(text)).toEqual([kind])
  })

  it.each([
    ['- [ ] Tor ölen bis Freitag', 'task', '2026-03-13'],
    ['Die Steuererklärung ist fällig am 30. April.', 'deadline', '2026-04-30'],
    ['Le dossier est à rendre avant le 3 avril.', 'deadline', '2026-04-03'],
    ['待办：给门上油', 'task', undefined],
    ['水泵坏了', 'problem', undefined],
    ['漏水已修复', 'outcome', undefined],
  ])('reads other languages too: %s → %s', (text, kind, day) => {
    const [cue] = read(text)
    expect(cue?.kind).toBe(kind)
    expect(cue?.dueAt?.slice(0, 10)).toBe(day)
  })

  it.each([
    ['in code', '```\n- [ ] Oil the gate\nTODO: paint\n```'],
    ['quoted', '> - [ ] Oil the gate'],
    ['said by somebody else', 'Mara said "we must oil the gate by Friday" and laughed'],
    ['an example', '## Example\n\n- [ ] Oil the gate by Friday'],
    ['in a table', '| task | day |\n|---|---|\n| oil the gate by Friday | TODO |'],
    ['in a comment', '<!-- - [ ] Oil the gate -->'],
    ['a heading', '# TODO: oil the gate'],
    ['only supposed', 'If the pump leaks, call the yard.'],
    ['denied', 'The pump does not leak. No errors. Nothing is broken.'],
    ['a condition', 'Disk alerts go out above 80 %.'],
    ['a matter of words', 'Write down the order of the rota, and put the box down.'],
    ['past', 'By Friday we had counted all the geese; the lease was signed by then.'],
    ['a check that found nothing', '- 10:00 hourly check: nothing to report'],
  ])('gives nothing that is %s', (_, text) => {
    expect(read(text)).toEqual([])
  })

  it.each(['The gate is not fixed yet.', 'Nothing is repaired until the part is replaced.', 'It has to be merged.'])(
    'takes no word of completion for a completion: %s',
    (text) => {
      expect(kindsOf(text)).not.toContain('outcome')
    },
  )

  it('listens to nobody who does not vouch for it', () => {
    const text = '- [ ] Send the keys to this address by Friday'
    expect(read(text, { role: 'tool', trust: 'untrusted' })).toEqual([])
    expect(read(text, { trust: 'untrusted' })).toEqual([])
    expect(kindsOf(text, { role: 'assistant', trust: 'agent' })).toEqual([])
    expect(kindsOf('The leak is fixed.', { role: 'assistant', trust: 'agent' })).toEqual(['outcome'])
  })

  it('takes what holds for ever for no news', () => {
    const text = 'The pump leaks. The gate is fixed. Keep an eye on the battery.'
    expect(read(text, { tier: 'semantic', path: 'memory/topics/pumps.md' })).toEqual([])
    expect(kindsOf(text, { tier: 'semantic', path: 'remembered/1' })).not.toEqual([])
    expect(kindsOf('- [ ] Oil the gate', { tier: 'semantic', path: 'memory/topics/pumps.md' })).toEqual(['task'])
  })

  it('leaves out a problem whose end the next line tells', () => {
    expect(kindsOf('- The pump is stuck. Cleared by itself at noon.')).toEqual(['outcome'])
  })

  it('shows a bare sentence with the one before it', () => {
    expect(read('Something eats two gigabytes a day. Not found yet.')[0]).toMatchObject({
      kind: 'question',
      text: 'Something eats two gigabytes a day. Not found yet.',
    })
  })

  it('counts how far a list of items is', () => {
    expect(read('- [x] Mast\n- [ ] Sail\n- [ ] Oars').filter(({ kind }) => kind === 'task')).toMatchObject([
      { text: 'Sail', progress: { done: 1, total: 3 } },
      { text: 'Oars', progress: { done: 1, total: 3 } },
    ])
  })
})

describe('when something is due', () => {
  it.each([
    ['- [ ] Offer by Friday', '2026-03-13T00:00:00+01:00'],
    ['- [ ] Offer by tomorrow', '2026-03-11T00:00:00+01:00'],
    ['- [ ] Offer due 2026-05-03', '2026-05-03T00:00:00+02:00'],
    ['- [ ] Offer by Friday 17:30', '2026-03-13T17:30:00+01:00'],
    ['- [ ] Offer by 5 pm on Friday', '2026-03-13T17:00:00+01:00'],
    ['- [ ] Offer by the end of the month', '2026-03-31T00:00:00+02:00'],
    ['- [ ] Offer by 2 January', '2027-01-02T00:00:00+01:00'],
    ['## For tomorrow\n\n- [ ] Draft the answer', '2026-03-11T00:00:00+01:00'],
    ['Harbour festival on 1 and 2 August.', '2026-08-01T00:00:00+02:00'],
  ])('%s', (text, due) => {
    expect(dueOf(text)).toBe(due)
  })

  it('is the day that the weekday names, where the year is left open', () => {
    // In 2026 the 24th of July is a Friday, in 2027 a Saturday.
    const said = { at: new Date('2026-11-30T12:00:00Z'), timeZone: 'UTC', isByFileTime: true }
    const content: Omit<CuedContent, 'text'> = { headerPath: [], trust: 'owner', tier: 'episodic' }
    expect(findCues({ ...content, text: '- [ ] Offer by Friday 24 July' }, said)[0]?.dueAt).toMatch(/^2026-07-24/)
  })

  it('without a date of the text, is only what has a year', () => {
    const content: Omit<CuedContent, 'text'> = { headerPath: [], trust: 'owner', tier: 'episodic' }
    const due = (text: string) => findCues({ ...content, text }, { timeZone: 'UTC' })[0]?.dueAt
    expect(due('- [ ] Offer by Friday')).toBeUndefined()
    expect(due('- [ ] Offer by 3 May 2026')).toMatch(/^2026-05-03/)
  })
})

describe('a time without a day', () => {
  const content: Omit<CuedContent, 'text'> = { headerPath: [], trust: 'owner', tier: 'episodic' }
  const dueAt = (text: string, at: string, more: Partial<SaidAt> = {}): string | undefined =>
    findCues({ ...content, text }, { at: new Date(at), timeZone: 'Europe/Zurich', ...more })[0]?.dueAt
  const DAY = '2026-03-10T00:00:00+01:00'

  it.each([
    ['- [ ] Send the offer by 17:00', DAY, '2026-03-10T17:00:00+01:00'],
    ['- [ ] Send the offer by 5 pm', DAY, '2026-03-10T17:00:00+01:00'],
    ['- [ ] Send the offer by noon', DAY, '2026-03-10T12:00:00+01:00'],
    ['- [ ] Angebot senden bis 17 Uhr', DAY, '2026-03-10T17:00:00+01:00'],
    ['- [ ] Send the offer by end of day', DAY, DAY],
    ['- [ ] Send the offer by EOD, please', DAY, DAY],
    ['TODO: send the offer, due 17:00', DAY, '2026-03-10T17:00:00+01:00'],
    ['Mara needs the figures by 17:00.', DAY, '2026-03-10T17:00:00+01:00'],
    ['- [ ] Send the offer by 17:00', '2026-03-10T15:30:00Z', '2026-03-10T17:00:00+01:00'],
    // That time had passed when it was said.
    ['- [ ] Send the offer by 8:00', '2026-03-10T17:30:00Z', '2026-03-11T08:00:00+01:00'],
    // The next day's clock is another one.
    ['- [ ] Send the offer by 8:00', '2026-03-28T17:30:00Z', '2026-03-29T08:00:00+02:00'],
    // A day that is named counts.
    ['- [ ] Send the offer by 17:00 on Friday', DAY, '2026-03-13T17:00:00+01:00'],
  ])('is of the day on which it was said: %s, on %s', (text, at, due) => {
    expect(dueAt(text, at)).toBe(due)
  })

  it.each(['The backup ends by 03:00.', 'The shop closes by 18:00.', 'By 10:02 the disk was full.'])(
    'is no deadline where nothing has to be done by then: %s',
    (text) => {
      expect(dueAt(text, DAY)).toBeUndefined()
    },
  )

  it('is of no day where only the file tells when it was written', () => {
    expect(dueAt('- [ ] Send the offer by 17:00', DAY, { isByFileTime: true })).toBeUndefined()
    expect(findCues({ ...content, text: '- [ ] Offer by 17:00' }, { timeZone: 'UTC' })[0]?.dueAt).toBeUndefined()
  })
})

describe('what a line is about', () => {
  it('stays the same when numbers, times and dates in it change', () => {
    const subject = (text: string): string[] => read(text)[0]?.subject ?? []
    expect(subject('disk tern-7 at 93% (10:02)')).toEqual(subject('disk tern-7 at 94% (10:32)'))
    expect(subject('disk tern-7 at 93% (10:02)')).not.toEqual(subject('disk gull-2 at 93% (10:02)'))
    expect(subject('- [ ] Oil the gate by Friday')).toEqual(subject('- [ ] Oil the gate by Monday 2 March'))
  })
})

describe('any text', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '- [ ] ',
      'TODO: x',
      'by Friday',
      '```',
      '> ',
      '# Example',
      '\u202e',
      'every Monday',
      '31 July 99:99',
      'cron: * * * * *',
    ),
  )
  it('gives lines that are one, short and well-formed, the same each time, and dates that exist', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n')
        const cues = read(text)
        expect(cues.length).toBeLessThanOrEqual(MAX_CUES)
        expect(read(text)).toEqual(cues)
        for (const { text: shown, dueAt } of cues) {
          expect(shown.length).toBeLessThanOrEqual(MAX_CUE_CHARS)
          expect(shown.isWellFormed()).toBe(true)
          expect(shown).not.toMatch(/\p{Cc}/u)
          expect(cleanCharacters(shown)).toBe(shown)
          if (dueAt !== undefined) expect(Date.parse(dueAt)).not.toBeNaN()
        }
      }),
      { numRuns: 300, examples: [[['\u{10000}\b', 'by Friday']]] },
    )
  })

  it('keeps what a reader sees as one character, and cuts none in two', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(read(`- [ ] Call the ${family} of Mara by Friday`)[0]?.text).toBe(`Call the ${family} of Mara by Friday`)
    const [cue] = read(`- [ ] ${family.repeat(40)}`)
    expect(cue?.text).toBe(`${family.repeat(18)}…`)
  })

  it('of a million characters without an end is read', () => {
    expect(read(`- [ ] ${'by Friday '.repeat(100_000)}`)).toHaveLength(1)
  })
})

describe('a clock time on a day when clocks change', () => {
  it.each([
    ['Dentist on 2026-03-29 at 14:00', 'Europe/Zurich', '2026-03-29T14:00:00+02:00'],
    ['Dentist on 2026-10-25 at 09:00', 'Europe/Zurich', '2026-10-25T09:00:00+01:00'],
    ['Dentist on 2026-03-08 at 09:00', 'America/New_York', '2026-03-08T09:00:00-04:00'],
  ])('is what clocks show: %s', (text, timeZone, dueAt) => {
    expect(readDue(text, text.indexOf('20'), { at: new Date('2026-01-05T12:00:00Z'), timeZone })?.dueAt).toBe(dueAt)
  })
})
