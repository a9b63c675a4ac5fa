import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openPgDatabase } from '../../src/store/postgres/pg-database.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { useWorkspace } from '../promises/workspace.ts'
import { runCommand } from '../run-command.ts'
import { describeWithServer } from './describe-with-server.ts'
import { useStorePool } from './store-pool.ts'

const here = useWorkspace()
const NOW = '2026-06-10T09:00:00Z'

describeWithServer('a store in PostgreSQL', () => {
  let folder: string
  let places: Array<{ location: string; release(): void }>
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commands-'))
    places = [await useStorePool().locate(), await useStorePool().locate()]
    here.store = places[0]?.location ?? ''
  })
  afterEach(() => {
    for (const place of places) place.release()
    rmSync(folder, { recursive: true })
  })
  const run = async (store: string, ...args: string[]) => {
    const { code, out, err } = await runCommand([...args, '--store', store, '--now', NOW, '--tz', 'UTC', '--json'])
    return { code, err, document: out === '' ? null : JSON.parse(out) }
  }

  it('is moved by commands from a file, to another schema and back, whole each time', async () => {
    const file = join(folder, 'store.sqlite')
    here.note('memory/pump.md', '# Pump\n\nThe bilge pump runs at 12 litres. See [[lock]].\n')
    here.note('memory/lock.md', '# Lock\n\nThe code of the lock is MARROW.\n\n- [ ] Oil the lock by Friday\n')
    await here.openIndexed({ store: file, embedding: createFakeProvider(), transcripts: [] })
    expect((await run(file, 'remember', 'The heron stands by the pump.', '--id', 'heron')).code).toBe(0)
    expect((await run(file, 'remember', 'The otter is gone.', '--id', 'otter')).code).toBe(0)
    expect((await run(file, 'link', 'heron', 'otter', '--relationship', 'supports')).code).toBe(0)
    expect((await run(file, 'forget', 'otter')).code).toBe(0)
    await run(file, 'search', 'heron')
    const [first = '', second = ''] = places.map(({ location }) => location)
    const found = (await run(file, 'search', 'pump', '--explain')).document.results
    let digests: unknown
    for (const [step, [from, to]] of [
      [file, first],
      [first, second],
      [second, join(folder, 'back.sqlite')],
    ].entries()) {
      const moved = join(folder, `${step}.jsonl`)
      const { code, document } = await run(from ?? '', 'export', moved)
      expect(code).toBe(0)
      expect(statSync(moved).mode & 0o777).toBe(0o600)
      digests ??= document.digests
      expect(document.digests).toEqual(digests)
      const taken = await run(to ?? '', 'import', moved)
      expect([taken.code, taken.document]).toMatchObject([0, { isVerified: true, digests }])
      expect((await run(to ?? '', 'import', moved)).code).toBe(2)
    }
    // At the end: what is looked at is noted.
    for (const store of [first, second, join(folder, 'back.sqlite')]) {
      expect((await run(store, 'search', 'pump', '--explain')).document.results).toEqual(found)
      expect((await run(store, 'get', 'otter')).code).toBe(2)
    }
  })

  it('answers while another process writes, who waits a bounded time', async () => {
    here.note('memory/boat.md', '# Boat\n\nFor the rowing boat we chose spar varnish, two coats.\n')
    const url = new URL(here.store)
    const schema = url.searchParams.get('schema')
    const store = await openPostgresStore({ url: url.href, tenants: ['local'], busyMs: 50 })
    const memory = await here.openIndexed({ store })
    url.search = ''
    const other = await openPgDatabase({ url: url.href, name: 'other' })
    await other.withSession(async (session) => {
      await session.query(`SELECT pg_advisory_lock(hashtextextended('madeleine ${schema} local', 0))`)
      const prompt = 'which varnish did we choose for the rowing boat?'
      expect(await memory.recall({ prompt, sessionId: 'one' })).toMatchObject({
        items: [{ path: 'memory/boat.md' }],
        degraded: [],
      })
      expect((await memory.search('varnish')).results.map(({ path }) => path)).toEqual(['memory/boat.md'])
      await expect(memory.remember('The oar is new.')).rejects.toMatchObject({ code: 'STORE_BUSY' })
      await session.query('SELECT pg_advisory_unlock_all()')
    })
    await other.close()
    await memory.remember('The oar is new.')
    expect((await memory.search('oar')).results).toHaveLength(1)
  })

  it('keeps what an interrupted run has read and embedded, and the next one goes on from there', async () => {
    for (let n = 0; n < 40; n++) here.note(`memory/n${n}.md`, `# Note ${n}\n\nCrate ${n} stands in hall ${n}.\n`)
    const embedding = createFakeProvider({ batchSize: 4 })
    const memory = await here.open({ embedding, transcripts: [] })
    const stop = new AbortController()
    embedding.failWith = () => {
      if (embedding.documentCalls > 3) stop.abort()
      return undefined
    }
    await expect(memory.index({ signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const half = await memory.status()
    expect(half.memories).toBe(40)
    expect(half.pending).toBeGreaterThan(0)
    expect(half.pending).toBeLessThan(40)
    expect((await memory.search('crate 39')).results[0]?.path).toBe('memory/n39.md')
    const given = embedding.texts.length
    expect(await memory.index()).toMatchObject({ embedded: half.pending, pending: 0, problems: [] })
    expect(embedding.texts.length - given).toBe(half.pending)
  })
})
