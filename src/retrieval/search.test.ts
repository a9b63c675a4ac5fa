import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import { makeWrite, OWNER } from '../testing/memory-store/samples.ts'
import type { SearchRequest } from './request.ts'
import { searchMemories } from './search.ts'

const WORDS = ['heron', 'reed', 'sluice', 'pump', 'barge', 'lantern', 'keel', 'tide', 'rope', 'anchor', 'mast', 'net']

const someWords = (least: number, most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WORDS), { minLength: least, maxLength: most }).map((words) => words.join(' '))

/** Documents of one section or of many, talk and notes, with texts that repeat each other now and then. */
const documents = fc.array(
  fc.record({
    category: fc.constantFrom('memory' as const, 'sessions' as const),
    isOneSection: fc.boolean(),
    texts: fc.array(someWords(1, 8), { minLength: 1, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 9 },
)

describe('searchMemories', () => {
  it('finds the same hits where nothing but them is wanted', async () => {
    const cases = fc.record({ made: documents, text: someWords(1, 4), limit: fc.integer({ min: 1, max: 24 }) })
    await fc.assert(
      fc.asyncProperty(cases, async ({ made, text, limit }) => {
        const store = createInMemoryStore()
        const writes = made.map(({ category, isOneSection, texts }, number) =>
          makeWrite(
            `${category}/${number}`,
            texts.map((words, line) => ({
              id: `${number}-${line}`,
              // A number of its own, or the store would take equal texts for one memory.
              text: `${words} ${number % 3 === 0 ? '' : `${number}${line}`}`,
              category,
              headerPath: [isOneSection ? 'All' : `Part ${line}`],
              place: category === 'sessions' && !isOneSection ? { turnId: `${line}` } : {},
            })),
          ),
        )
        await store.putDocuments(writes)
        const request: SearchRequest = {
          text,
          limit,
          now: new Date('2026-05-04T08:00:00Z'),
          timeZone: 'UTC',
          filter: OWNER,
          mode: 'hybrid',
          minScore: 0,
        }
        const all = await searchMemories(store, request)
        const { hits } = await searchMemories(store, { ...request, hitsOnly: true })
        expect(hits).toEqual(all.hits)
      }),
      { numRuns: 150 },
    )
  })
})
