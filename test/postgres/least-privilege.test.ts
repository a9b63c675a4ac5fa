import { afterEach, expect, it } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { relate } from '../../src/testing/memory-store/relationships.ts'
import { askFor, findIds, makeWrite, OWNER } from '../../src/testing/memory-store/samples.ts'
import { describeWithServer } from './describe-with-server.ts'
import { runAs } from './run-as.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const PASSWORD = 'of a role for tests'

describeWithServer('a role that owns nothing', () => {
  let place: TestDatabase | undefined
  const role = `madeleine_worker_${process.pid}`
  afterEach(async () => {
    await place?.drop()
  })

  it('does all that the program does, and can make or drop no table', async () => {
    place = await createTestDatabase()
    await runAs(place.adminUrl, [`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}' NOSUPERUSER NOBYPASSRLS`])
    // The statements of docs/scale.md, as the owner.
    await runAs(place.url, [
      'CREATE SCHEMA madeleine',
      `GRANT USAGE ON SCHEMA madeleine TO ${role}`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA madeleine GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
    ])
    await (await openPostgresStore({ url: place.url, tenants: ['local'] })).close()

    const url = new URL(place.url)
    url.username = role
    url.password = PASSWORD
    const store = await openPostgresStore({ url: url.href, tenants: ['local'] })
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter', '- [ ] oil the gate'])])
    await store.putVectors('m', [{ id: 'heron', embedText: 'heron', windows: [Float32Array.of(1, 2)] }])
    await store.relationships.put([relate('heron', 'otter')], { now: NOW })
    await store.recordAccess(['heron'], NOW)
    await store.ageMemories(NOW)
    await store.setState('tick', 'once')
    await store.forget({ ids: ['otter'] }, NOW)
    expect((await findIds(store, askFor('heron')))[0]).toBe('heron')
    expect(await store.countMemories(OWNER)).toBe(2)
    expect((await store.check()).filter(({ severity }) => severity !== 'info')).toEqual([])
    await store.close()
    await expect(runAs(url.href, ['DROP TABLE madeleine.memory'])).rejects.toThrow('must be owner')
    await expect(runAs(url.href, ['CREATE TABLE madeleine.other (n int)'])).rejects.toThrow('permission denied')
    await runAs(place.adminUrl, [`DROP OWNED BY ${role}`, `DROP ROLE ${role}`])
  })
})
