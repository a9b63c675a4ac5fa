import { describe, expect, it } from 'vitest'
import { loadSqlite, type SqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Another program that writes and does not end. */
async function holdLock(): Promise<SqliteDatabase> {
  const database = (await loadSqlite()).open(here.storeFile, { readOnly: false })
  database.exec('BEGIN IMMEDIATE')
  return database
}

describe('while another process writes', () => {
  it('a recall and a search answer in full, and say what they could not note', async () => {
    here.note('memory/boat.md', '# Boat\n\nFor the rowing boat we chose spar varnish, two coats.\n')
    const memory = await here.openIndexed({ recall: { deadlineMs: 4000 } })
    const lock = await holdLock()
    try {
      const prompt = 'which varnish did we choose for the rowing boat?'
      const recalled = await memory.recall({ prompt, sessionId: 'one' })
      expect(recalled.items.map(({ path }) => path)).toEqual(['memory/boat.md'])
      expect(recalled.degraded).toEqual([{ part: 'injected-state', reason: expect.any(String) }])
      const found = await memory.search('varnish')
      expect(found.results.map(({ path }) => path)).toEqual(['memory/boat.md'])
      expect(found.degraded).toEqual([{ part: 'access-history', reason: expect.any(String) }])
    } finally {
      lock.exec('ROLLBACK')
      lock.close()
    }
  })
})

describe('vectors of another model', () => {
  it('are dropped by doctor with fix; what is left is to embed anew', async () => {
    here.note('memory/boat.md', '# Boat\n\nFor the rowing boat we chose spar varnish, two coats.\n')
    const before = await here.openIndexed({ embedding: createFakeProvider({ identity: 'old' }) })
    await before.close()
    const memory = await here.open({ embedding: createFakeProvider({ identity: 'new' }), transcripts: [] })
    const { findings } = await memory.doctor()
    expect(findings.map(({ id }) => id)).toEqual(['vector-identity', 'vectors-pending'])
    const fixed = await memory.doctor({ fix: true })
    expect(fixed.findings).toMatchObject([{ id: 'vector-identity', fixed: expect.stringContaining('1') }, {}])
    expect(fixed.findings[1]).not.toHaveProperty('fixed')
    expect((await memory.doctor()).findings).toMatchObject([{ id: 'vectors-pending', severity: 'info' }])
    await memory.index()
    expect((await memory.doctor()).findings).toEqual([])
  })
})
