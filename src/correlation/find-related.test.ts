import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MemoryStore } from '../store/memory-store.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { makeWrite } from '../testing/memory-store/samples.ts'
import { RelatedFinder } from './find-related.ts'

const SEARCH = { identity: null, filter: { viewer: { tenant: 'local', agent: 'main' } }, minScore: 0.45 }

let folder: string
let store: MemoryStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'madeleine-related-'))
  store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = async (id: string, text: string): Promise<void> =>
  void (await store.putDocuments([makeWrite(`${id}.md`, [{ id, text }])]))

async function typesOf(finder: RelatedFinder, id: string): Promise<string[]> {
  const found = await finder.find(await store.getMemories([id]), SEARCH)
  return (found.get(id) ?? []).map(({ relationshipType }) => relationshipType)
}

describe('RelatedFinder', () => {
  it('relates a memory as it is now, also one that it has seen before it changed', async () => {
    await put('winch', 'The winch chain of the north dock was dry.')
    await put('sluice', 'The winch is not far from here.')
    const finder = new RelatedFinder(store)
    expect(await typesOf(finder, 'sluice')).toEqual([])
    await put('sluice', 'The sluice jammed, see [[winch]].')
    expect(await typesOf(finder, 'sluice')).toEqual(['references'])
  })
})
