import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, makeWrite } from '../../testing/memory-store/samples.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove']
const READ_AT = new Date('2026-03-01T10:00:00Z')

let folder: string
let file: string
const opened: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'))
  file = join(folder, 'store.db')
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true })
})

async function open(): Promise<SqliteStore> {
  const store = await openSqliteStore({ file })
  opened.push(store)
  return store
}

/** A store that has been searched, so that it has kept what it read. */
async function openSearched(...texts: string[]): Promise<SqliteStore> {
  const store = await open()
  await store.putDocuments([makeWrite('notes.md', texts)])
  for (const word of WORDS) await store.findCandidates(askFor(word))
  return store
}

describe('what a SQLite store keeps of its last searches', () => {
  it('shows that a memory was read since, by this process', async () => {
    const store = await openSearched('amber birch')
    await store.recordAccess(['amber birch'], READ_AT)
    const { candidates } = await store.findCandidates(askFor('amber'))
    expect(candidates[0]?.memory).toMatchObject({ accessCount: 1, lastAccess: READ_AT.toISOString() })
  })

  it('shows that a memory was read since, by another', async () => {
    const store = await openSearched('amber birch')
    await (await open()).recordAccess(['amber birch'], READ_AT)
    expect((await store.findCandidates(askFor('amber'))).candidates[0]?.memory.accessCount).toBe(1)
  })

  it('shows what became of a memory, its place and its words', async () => {
    const store = await openSearched('amber birch', 'cedar')
    const edited = makeWrite('notes.md', ['delta', { text: 'amber birch', importance: 0.9 }])
    await (await open()).putDocuments([edited])
    const [first] = (await store.findCandidates(askFor('amber'))).candidates
    expect(first?.memory).toMatchObject({ id: 'amber birch', importance: 0.9, place: { position: 1, startLine: 2 } })
    expect((await store.findCandidates(askFor('cedar'))).candidates).toEqual([])
    expect((await store.findCandidates(askFor('delta'))).candidates[0]?.memory.id).toBe('delta')
  })

  it('changes no answer: a query that goes on where the last one ended is answered as by a store that knows of none', async () => {
    const texts = WORDS.flatMap((a) => WORDS.map((b) => `${a} ${b}`))
    const store = await openSearched(...texts)
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(words, words, fc.integer({ min: 1, max: 60 }), async (first, more, limit) => {
        await store.findCandidates(askFor(first.join(' ')))
        const query = askFor([...first, ...more].join(' '), { limit })
        const fresh = await openSqliteStore({ file })
        expect(await store.findCandidates(query)).toEqual(await fresh.findCandidates(query))
        await fresh.close()
      }),
      { numRuns: 20 },
    )
  })
})
