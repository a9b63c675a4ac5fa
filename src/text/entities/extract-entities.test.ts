import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractEntities } from './extract-entities.ts'

const found = (text: string): string[] => extractEntities(text).map(({ kind, key }) => `${kind} ${key}`)

describe('extractEntities', () => {
  it.each([
    ['see src/foo/bar.ts:12 and ./docs/plan.md', ['path src/foo/bar.ts', 'path docs/plan.md']],
    ['open C:\\work\\notes.txt', ['path c:/work/notes.txt']],
    ['it is either/or, and 3/4 of it', []],
    ['fixes #123 and HEI-42 in heron/nest#9', ['issue #123', 'issue hei-42', 'issue heron/nest#9']],
    ['since commit 4956f42', ['commit 4956f42']],
    ['on https://www.heron.example/nest/?day=3).', ['url heron.example/nest/?day=3']],
    ['ask egret@heron.example or @egret', ['email egret@heron.example', 'handle @egret']],
    ['at 10.0.0.7:5432 or db-1.internal, port 8080', ['ip 10.0.0.7', 'host db-1.internal', 'port :8080']],
    ['from v1.2.3 to 1.3.0', ['version v1.2.3', 'version v1.3.0']],
    ['maxRetries, max_retries and MAX_RETRIES are one', Array(3).fill('identifier max-retries')],
    ['it takes 250 ms and costs $1,200', ['amount 250 ms', 'amount 1200 $']],
    ['on 3 May 2026, that is 2026-05-03', ['date 2026-05-03', 'date 2026-05-03']],
  ])('finds what "%s" names', (text, entities) => {
    expect(found(text)).toEqual(entities)
  })

  it('takes titles and the possessive off a name, and joins what one name is made of', () => {
    expect(found("we saw Dr. Egret and Ludwig van Heron's nest")).toEqual(['name egret', 'name ludwig van heron'])
  })

  it('knows names in any script that has capitals', () => {
    expect(found('мы видели Анну Петрову и Łódź')).toEqual(['name анну петрову', 'name łodz'])
  })

  it('takes the first word of a sentence for a name only when it is no common one', () => {
    expect(found('Egret runs the nest.')).toEqual(['name egret'])
    expect(found('Decided to leave. Always ask before.')).toEqual([])
    expect(found('Turn left. Nobody is there.')).toEqual([])
  })

  it('does not take a word for a name that the text has in small letters', () => {
    expect(found('Gravel is here. More gravel comes.')).toEqual([])
  })

  it('gives places inside the text, in order and none overlapping, the same every time, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        const entities = extractEntities(text)
        expect(extractEntities(text)).toEqual(entities)
        let last = 0
        for (const { start, end, key } of entities) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(key).not.toBe('')
          last = end
        }
      }),
    )
  })
})
