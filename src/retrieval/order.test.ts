import { describe, expect, it } from 'vitest'
import type { DateOrigin, Memory, Place } from '../model/memory.ts'
import { RECALL_THRESHOLD } from '../options.ts'
import { makeMemory } from '../testing/make-memory.ts'
import { calibrate, calibrateScores } from './calibrate.ts'
import { searchClean } from './clean.ts'
import { diversify } from './diversify.ts'
import type { FusedCandidate } from './fuse.ts'
import { preferNewer } from './prefer-newer.ts'
import { boostForTime, decayForAge } from './temporal.ts'

const fused = (
  id: string,
  score: number,
  fields: Partial<Omit<Memory, 'place'>> & { place?: Partial<Place> } = {},
): FusedCandidate => ({
  candidate: { memory: makeMemory({ id, ...fields }), text: 1, window: 1, document: 1, matched: [0] },
  signals: { vector: 0.4, keyword: 0.5, header: 0, filepath: 0 },
  relative: { keyword: 1, vector: 0.5 },
  coverage: 1,
  windowCoverage: 1,
  matchedTerms: [],
  weights: { vector: 0.4, keyword: 0.6, header: 0, filepath: 0 },
  boosts: [],
  fused: score,
})
const ids = (list: readonly FusedCandidate[]): string[] => list.map(({ candidate }) => candidate.memory.id)

describe('diversify', () => {
  it('shows at most two pieces of one section among the first five and drops none', () => {
    const piece = (id: string, score: number): FusedCandidate =>
      fused(id, score, { headerPath: ['Boiler'], place: { path: 'memory/boiler.md' } })
    const other = (id: string, score: number): FusedCandidate =>
      fused(id, score, { place: { path: `memory/${id}.md` } })
    const list = [
      piece('a', 0.9),
      piece('b', 0.8),
      piece('c', 0.7),
      piece('d', 0.6),
      other('x', 0.5),
      other('y', 0.4),
      other('z', 0.3),
    ]
    expect(ids(diversify(list))).toEqual(['a', 'b', 'x', 'y', 'z', 'c', 'd'])
  })

  it('shows the curated note among the first three when talk is hardly better', () => {
    const talk = Array.from({ length: 6 }, (_, index) =>
      fused(`t${index}`, 0.9 - index / 100, {
        category: 'sessions',
        place: { path: `sessions/${index}.jsonl`, turnId: `${index}` },
      }),
    )
    const note = fused('note', 0.6)
    expect(ids(diversify([...talk, note])).indexOf('note')).toBe(2)
    expect(ids(diversify([...talk, fused('weak', 0.2)])).indexOf('weak')).toBe(6)
  })
})

describe('preferNewer', () => {
  const at = (day: string): Partial<Place> => ({
    occurredAt: `${day}T00:00:00Z`,
    dateOrigin: 'name',
    path: `memory/${day}.md`,
  })

  it('puts the newer of two statements of the same thing above the older, and keeps both', () => {
    const older = fused('old', 0.9, { text: 'The gate code word is MARROW since spring', place: at('2026-01-02') })
    const newer = fused('new', 0.7, { text: 'The gate code word is TEASEL since spring', place: at('2026-02-10') })
    expect(ids(preferNewer([older, newer]))).toEqual(['new', 'old'])
  })

  it('needs fewer words in common where the newer says that it is a correction', () => {
    const older = fused('old', 0.9, {
      text: 'The gate code word is MARROW, remember it: MARROW',
      place: at('2026-01-02'),
    })
    const newer = (text: string) => fused('new', 0.8, { text, place: at('2026-02-10') })
    expect(ids(preferNewer([older, newer('Correction: the gate code word is TEASEL')]))).toEqual(['new', 'old'])
    expect(ids(preferNewer([older, newer('A letter came: the gate code word for Mara is TEASEL')]))).toEqual([
      'old',
      'new',
    ])
  })

  it('does not move a newer entry of the same form that lacks what was asked for', () => {
    const entry = (id: string, score: number, day: string): FusedCandidate => ({
      ...fused(id, score, { text: `Order ${id} for the bilge pump of the ferry`, place: at(day) }),
      matchedTerms: ['order', id],
    })
    const asked = entry('PO-2093', 0.9, '2026-01-02')
    const other = { ...entry('PO-2094', 0.8, '2026-02-10'), matchedTerms: ['order'] }
    expect(ids(preferNewer([asked, other]))).toEqual(['PO-2093', 'PO-2094'])
    expect(ids(preferNewer([asked, { ...other, matchedTerms: ['order', 'PO-2093'] }]))).toEqual(['PO-2094', 'PO-2093'])
  })

  it('does not move a newer memory about something else', () => {
    const older = fused('old', 0.9, { text: 'The gate code word is MARROW', place: at('2026-01-02') })
    const newer = fused('new', 0.8, { text: 'Lunch with Mara at the harbour office', place: at('2026-02-10') })
    expect(ids(preferNewer([older, newer]))).toEqual(['old', 'new'])
  })
})

describe('searchClean', () => {
  const long =
    'The boiler pressure was checked by the whole team and all valves were bled in the right order before noon today.'

  it('keeps one copy of a pasted paragraph', () => {
    const { kept, rejected } = searchClean([{ text: `${long} It works again.` }, { text: `${long} All good now.` }])
    expect(kept).toHaveLength(1)
    expect(rejected.map(({ reason }) => reason)).toEqual(['duplicate'])
  })

  it('keeps different facts behind one template', () => {
    const { kept } = searchClean([{ text: `${long} Value: 41` }, { text: `${long} Value: 43` }])
    expect(kept).toHaveLength(2)
  })

  it('rejects what the filter refuses first', () => {
    const { kept, rejected } = searchClean([{ text: 'a sentence to keep' }, { text: 'a sentence to drop' }], {
      filter: ({ text }) => !text.includes('drop'),
    })
    expect(kept).toEqual([{ text: 'a sentence to keep' }])
    expect(rejected[0]?.reason).toBe('filter')
  })
})

describe('time', () => {
  const now = new Date('2026-06-01T12:00:00Z')
  const dated = (place: Partial<Place>): Memory =>
    makeMemory({ place: { occurredAt: '2026-01-05T00:00:00Z', ...place } })

  it('ages notes that their name dates, wherever they lie, and no others', () => {
    const factors = [
      dated({ dateOrigin: 'name', path: 'memory/2026-01-05.md' }),
      dated({ dateOrigin: 'name', path: 'memory/reports/2026-01-05.md' }),
      dated({ dateOrigin: 'name', path: 'memory/2026-01-05-1830-gate.md' }),
    ].map((memory) => decayForAge(memory, now).factor)
    expect(new Set(factors).size).toBe(1)
    expect(factors[0]).toBeLessThan(1)
    expect(decayForAge(dated({ dateOrigin: 'mtime', path: 'memory/gate.md' }), now).factor).toBe(1)
    expect(decayForAge(makeMemory({ place: { path: 'MEMORY.md' } }), now).factor).toBe(1)
  })

  it('never takes more than its share, so that age cannot sink an exact answer', () => {
    const old = makeMemory({ place: { occurredAt: '1999-01-01T00:00:00Z', dateOrigin: 'name' } })
    expect(decayForAge(old, now).factor).toBeGreaterThanOrEqual(0.85)
  })

  it('triples what happened on the day asked for, half-open', () => {
    const when = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z'), text: 'yesterday' }
    const on = (instant: string): number =>
      boostForTime(makeMemory({ place: { occurredAt: instant, dateOrigin: 'name' } }), when as never, 'UTC').factor
    expect(on('2026-03-02T00:00:00Z')).toBe(3)
    expect(on('2026-03-02T23:59:59Z')).toBe(3)
    expect(on('2026-03-03T00:00:00Z')).toBe(1)
  })

  it("takes a note's day for a day of the reader's zone, wherever it was indexed, and an instant for an instant", () => {
    const when = { from: new Date('2026-03-02T08:00:00Z'), to: new Date('2026-03-03T08:00:00Z'), text: 'yesterday' }
    const on = (occurredAt: string, dateOrigin: DateOrigin): number =>
      boostForTime(makeMemory({ place: { occurredAt, dateOrigin } }), when as never, 'America/Los_Angeles').factor
    expect(on('2026-03-02T00:00:00+00:00', 'name')).toBe(3)
    expect(on('2026-03-02T00:00:00+13:00', 'text')).toBe(3)
    expect(on('2026-03-03T00:00:00+00:00', 'name')).toBe(1)
    expect(on('2026-03-03T00:00:00+00:00', 'timestamp')).toBe(3)
    expect(on('2026-03-03T00:00:00+00:00', 'mtime')).toBe(1)
  })
})

describe('calibrateScores', () => {
  it('never rises down the list and stays in [0,1]', () => {
    const scores = calibrateScores([fused('a', 0.9), fused('b', 0.95), fused('c', 0.1)])
    expect(scores[1]).toBeLessThanOrEqual(scores[0] ?? 0)
    expect(scores[2]).toBeLessThan(scores[1] ?? 0)
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0)
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
  })

  it('does not depend on how many candidates there are', () => {
    const few = calibrateScores([fused('a', 0.9)])
    const many = calibrateScores([fused('a', 0.9), ...Array.from({ length: 50 }, (_, i) => fused(`x${i}`, 0.01))])
    expect(many[0]).toBe(few[0])
  })
})

describe('calibrate', () => {
  const words = ['push', 'release', 'friday'].map((term) => ({ term, weight: 1, optional: false }))
  const held = (id: string, matchedTerms: string[], vector?: number): FusedCandidate => {
    const one = fused(id, 0.9)
    const candidate = { ...one.candidate, ...(vector !== undefined && { vector }) }
    return { ...one, candidate, coverage: 0.7, windowCoverage: 0.9, matchedTerms }
  }
  const chanceOf = (...list: FusedCandidate[]): number => calibrate(list, words)[0]?.chance ?? Number.NaN

  it('gives a later hit no more than its own evidence says', () => {
    const first: FusedCandidate = { ...fused('a', 0.9), candidate: { ...fused('a', 0.9).candidate, vector: 0.8 } }
    const weak: FusedCandidate = {
      ...fused('b', 0.85),
      candidate: { ...fused('b', 0.85).candidate, vector: 0.02 },
      signals: { vector: 0.02, keyword: 0, header: 0, filepath: 0 },
      coverage: 0,
      windowCoverage: 0,
    }
    const [best, later] = calibrate([first, weak])
    expect(best?.score).toBeGreaterThan(0.7)
    expect(later?.score).toBeLessThan(0.05)
    expect(later).toMatchObject({ coverage: 0, window: 0, cosine: 0.02, chance: best?.chance })
  })

  it('says how each score comes about: the chance times the share', () => {
    for (const { score, chance, share } of calibrate([fused('a', 0.9), fused('b', 0.5)])) {
      expect(score).toBeCloseTo(chance * share, 10)
    }
  })

  it('takes one ordinary word of several for no answer, however rare, where there are no vectors', () => {
    expect(chanceOf(held('a', ['push']), held('b', ['friday']))).toBeLessThan(RECALL_THRESHOLD)
    expect(chanceOf(held('a', ['push']), held('b', ['push', 'release']))).toBeGreaterThan(RECALL_THRESHOLD)
    expect(chanceOf(held('a', ['push'], 0.6))).toBeGreaterThan(RECALL_THRESHOLD)
    const numbered = [...words, { term: 'req-0417', weight: 1, optional: false }]
    expect(calibrate([held('a', ['req-0417'])], numbered)[0]?.chance).toBeGreaterThan(RECALL_THRESHOLD)
    expect(calibrate([held('a', ['push'])], words.slice(0, 2))[0]?.chance).toBeGreaterThan(RECALL_THRESHOLD)
  })
})

describe('preferNewer in one talk', () => {
  const said = (id: string, score: number, role: 'user' | 'assistant', text: string, minute: string): FusedCandidate =>
    fused(id, score, {
      category: 'sessions',
      role,
      text,
      place: {
        path: 'sessions/a.jsonl',
        occurredAt: `2026-01-02T10:${minute}:00Z`,
        dateOrigin: 'timestamp',
        turnId: id,
      },
    })

  it('takes an answer for no update of the question', () => {
    const question = said('q', 0.9, 'user', 'Is the gate code word MARROW now?', '00')
    const answer = said('a', 0.8, 'assistant', 'Yes, now the gate code word is MARROW', '01')
    expect(ids(preferNewer([question, answer]))).toEqual(['q', 'a'])
  })

  it('puts what somebody corrected above what they said before', () => {
    const before = said('b', 0.9, 'user', 'The gate code word is MARROW', '00')
    const after = said('c', 0.8, 'user', 'Correction: the gate code word is TEASEL', '05')
    expect(ids(preferNewer([before, after]))).toEqual(['c', 'b'])
  })
})
