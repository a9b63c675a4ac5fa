import { afterAll, expect, it } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createTestDatabase } from '../../../test/postgres/test-database.ts'
import { discover, NOW } from '../../testing/memory-store/relationships.ts'
import { makeWrite } from '../../testing/memory-store/samples.ts'
import { openPostgresStore } from './open-postgres-store.ts'

describeWithServer('what a check of a PostgreSQL store finds', () => {
  const places: Array<{ drop(): Promise<void> }> = []
  afterAll(async () => {
    for (const place of places) await place.drop()
  })

  async function openFilled() {
    const database = await createTestDatabase()
    places.push(database)
    const store = await openPostgresStore({ url: database.url, tenants: ['local'] })
    const text = '- [ ] Oil the gate by Friday'
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter', { id: 'gate', text }])])
    await store.relationships.replaceDiscovered([{ id: 'heron' }], [discover('heron', 'otter', 0.9)], NOW)
    return { database, store }
  }

  it('is what stands in one table and not in the other', async () => {
    const { database, store } = await openFilled()
    const idsAfter = async (sql: string): Promise<string[]> => {
      await database.query(`SET search_path = madeleine; ${sql}`)
      return (await store.check()).map(({ id }) => id).sort()
    }
    expect(await idsAfter('')).toEqual([])
    expect(await idsAfter("UPDATE memory SET state = 'stale' WHERE id = 'heron'")).toEqual(['rosters-wrong'])
    expect(await idsAfter("UPDATE memory SET state = 'active' WHERE id = 'heron'")).toEqual([])
    expect(await idsAfter('UPDATE document SET memory_count = 9')).toEqual(['document-counts'])
    expect(await idsAfter('UPDATE document SET memory_count = 3')).toEqual([])
    expect(await idsAfter('DELETE FROM place WHERE position = 1; UPDATE document SET memory_count = 2')).toEqual([
      'memories-without-place',
    ])
    expect(await idsAfter("DELETE FROM memory WHERE id IN ('otter', 'gate')")).toEqual(
      [
        'cue-strays',
        'keyword-index-strays',
        'link-queue-strays',
        'places-without-memory',
        'relationship-strays',
        'rosters-wrong',
        'segment-counts',
      ].sort(),
    )
    await database.query(
      "INSERT INTO madeleine.tombstone SELECT tenant, 'document', root, path, name_hash, '2026-01-01' FROM madeleine.document",
    )
    expect(await idsAfter('')).toContain('forgotten-but-there')
    await store.close()
  })

  it('is that the role is above row-level security, or that it is switched off', async () => {
    const { database, store } = await openFilled()
    await store.close()
    const asAdmin = await openPostgresStore({ url: database.adminUrl, tenants: ['local'] })
    expect(await asAdmin.check()).toMatchObject([{ id: 'role-sees-all-tenants', severity: 'warning' }])
    await database.query('ALTER TABLE madeleine.cue NO FORCE ROW LEVEL SECURITY')
    expect((await asAdmin.check()).at(-1)).toMatchObject({
      id: 'row-security-off',
      message: expect.stringMatching(/ cue$/),
      remedy: expect.stringContaining('ALTER TABLE madeleine.cue'),
    })
    await asAdmin.close()
  })
})
