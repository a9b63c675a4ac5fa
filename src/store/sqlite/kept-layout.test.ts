import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, makeWrite, ROOT } from '../../testing/memory-store/samples.ts'
import { packLayout, unpackLayout } from '../keyword-index/kept-layout.ts'
import { loadSqlite } from './database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove']

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-layout-'))
  file = join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** One process: opens the store, does something and ends. */
async function inProcess<T>(use: (store: SqliteStore) => Promise<T>, isForOneAnswer = false): Promise<T> {
  const store = await openSqliteStore({ file, isForOneAnswer })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const answer = (store: SqliteStore): Promise<unknown> =>
  Promise.all(WORDS.map((word) => store.findCandidates(askFor(word))))

/** Lets a process for one answer keep what it learnt. */
const keep = (): Promise<void> =>
  inProcess(async (store) => {
    await store.findCandidates(askFor('amber'))
    await store.keepLayout(1)
  }, true)

async function changeKept(change: (kept: Uint8Array) => Uint8Array): Promise<void> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  const kept = database.prepare('SELECT data FROM kept_layout').get()?.data
  expect(kept).toBeInstanceOf(Uint8Array)
  database.prepare('UPDATE kept_layout SET data = ?').run(change(Uint8Array.from(kept as Uint8Array)))
  database.close()
}

describe('a process for one answer, which begins with what an earlier one kept,', () => {
  it('answers like any other, whatever was written meanwhile', async () => {
    const texts = fc.array(fc.constantFrom(...WORDS, 'amber birch', 'cedar fjord ember'), { maxLength: 6 })
    const writes = fc.array(fc.tuple(fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md'), texts), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(writes, writes, async (before, after) => {
        const put = (some: typeof before) => async (store: SqliteStore) => {
          for (const [path, list] of some) {
            const named = [...new Set(list)].map((text) => ({ text, id: `${path} ${text}` }))
            if (named.length === 0) await store.removeDocuments([{ root: ROOT, path }])
            else await store.putDocuments([makeWrite(path, named)])
          }
        }
        await inProcess(put(before))
        await keep()
        await inProcess(put(after))
        expect(await inProcess(answer, true)).toEqual(await inProcess(answer))
        await keep()
        expect(await inProcess(answer, true)).toEqual(await inProcess(answer))
      }),
      { numRuns: 15 },
    )
  })

  it('does use it: where that says that no memory is left, it finds none', async () => {
    await inProcess((store) => store.putDocuments([makeWrite('notes.md', ['amber birch', 'amber cedar'])]))
    await keep()
    await changeKept((kept) => {
      const layout = unpackLayout(kept)
      return layout ? packLayout({ ...layout, isLive: new Uint8Array(layout.isLive.length) }) : kept
    })
    const find = (store: SqliteStore) => store.findCandidates(askFor('amber'))
    expect((await inProcess(find, true)).candidates).toEqual([])
    expect((await inProcess(find)).candidates).toHaveLength(2)
  })

  it('finds nothing kept of memories of which one was forgotten', async () => {
    await inProcess((store) => store.putDocuments([makeWrite('notes.md', ['amber birch', 'amber cedar'])]))
    await keep()
    await inProcess((store) => store.forget({ ids: ['amber birch'] }, new Date('2026-03-01T10:00:00Z')))
    const database = (await loadSqlite()).open(file, { readOnly: true })
    expect(database.prepare('SELECT count(*) AS n FROM kept_layout').get()?.n).toBe(0)
    database.close()
    expect(await inProcess(answer, true)).toEqual(await inProcess(answer))
  })

  it('reads all anew where what was kept is of another form, or cut short', async () => {
    await inProcess((store) => store.putDocuments([makeWrite('notes.md', ['amber birch', 'amber cedar'])]))
    for (const change of [
      (kept: Uint8Array) => kept.subarray(0, kept.length - 3),
      (kept: Uint8Array) => kept.fill(7, 0, 8),
      () => new Uint8Array(0),
    ]) {
      await keep()
      await changeKept(change)
      expect(await inProcess(answer, true)).toEqual(await inProcess(answer))
    }
  })
})
