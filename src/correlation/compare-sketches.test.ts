import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSketches } from './compare-sketches.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { KeyBook } from './key-book.ts'
import { relatePair } from './relate-pair.ts'

const THINGS = [
  'the left gate',
  'the float switch of PMP-7',
  'der Pegel',
  '水门',
  'Heron',
  'backup of tern-7',
  'weir.md',
]
const STATES = [
  'opens every 4 minutes',
  'opens every 9 minutes',
  'never opens',
  'is open',
  'is closed',
  'was stuck since May',
  'kostet 40 Euro',
  '每天 打开 3 次',
  'stays shut until the water is below two metres',
]
const LINKS = [
  'because the float switch of PMP-7 was stuck',
  'so the cellar was flooded by the left gate',
  'learned from the stuck float switch of PMP-7 in May',
  'see [[weir]] and docs/weir.md',
  'as decided on 3 May 2026',
  'https://example.org/weir',
  'now Heron instead of Egret',
  'the test confirmed that the left gate opens every 4 minutes',
]
const sentence = fc
  .tuple(
    fc.constantFrom(...THINGS),
    fc.constantFrom(...STATES),
    fc.option(fc.constantFrom(...LINKS), { nil: '', freq: 2 }),
  )
  .map(([thing, state, link]) => `${thing} ${state}${link && `, ${link}`}.`)
const memoryOf = (id: string): fc.Arbitrary<ComparedMemory> =>
  fc.record({
    id: fc.constant(id),
    text: fc.array(sentence, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
    tier: fc.constantFrom('semantic', 'episodic', 'procedural'),
    headerPath: fc.constantFrom([], ['Weir'], ['Weir', 'Gates']),
    place: fc.record({
      root: fc.constant('/w'),
      path: fc.constantFrom('weir.md', 'docs/gates.md', '2026-05-03.md'),
      position: fc.nat(3),
      occurredAt: fc.constantFrom('2026-05-03T09:00:00Z', '2026-05-09T09:00:00Z'),
      dateOrigin: fc.constantFrom('timestamp', 'mtime'),
    }),
  })
const pair = fc.tuple(memoryOf('memory-1'), memoryOf('memory-2'))
const cosineOf = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined })

describe('compareSketches', () => {
  it('rules out nothing that the texts show', () => {
    let [found, ruledOut] = [0, 0]
    fc.assert(
      fc.property(pair, cosineOf, fc.double({ min: 0.3, max: 1, noNaN: true }), ([a, b], cosine, minScore) => {
        const book = new KeyBook()
        const signals = cosine === undefined ? {} : { cosine }
        const outlook = compareSketches(book.add(a), book.add(b), { ...signals, minScore })
        const shown = relatePair(a, b, { ...signals, minScore, seeksConflict: true })
        const { mayReach, mayState, mayConflict } = outlook
        found += shown.length > 0 ? 1 : 0
        if (!mayReach && !mayState && !mayConflict) {
          ruledOut += 1
          expect(shown).toEqual([])
        } else {
          expect(relatePair(a, b, { ...signals, minScore, seeksConflict: mayConflict, known: outlook })).toEqual(shown)
        }
      }),
      { numRuns: 600 },
    )
    // Both sides of the promise were put to the test.
    expect(found).toBeGreaterThan(100)
    expect(ruledOut).toBeGreaterThan(20)
  })

  it('says the same of two memories in either order', () => {
    fc.assert(
      fc.property(pair, cosineOf, ([a, b], cosine) => {
        const book = new KeyBook()
        const [first, second] = [book.add(a), book.add(b)]
        const signals = { minScore: 0.45, ...(cosine !== undefined && { cosine }) }
        expect(compareSketches(first, second, signals)).toEqual(compareSketches(second, first, signals))
      }),
    )
  })
})
