import { afterAll, expect, it } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { makeWrite, OWNER } from '../../testing/memory-store/samples.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const ASKED = { kinds: ['task' as const], filter: OWNER, limit: 9 }

describeWithServer('a PostgreSQL store that another version of the program left', () => {
  const places: TestDatabase[] = []
  afterAll(async () => {
    for (const place of places) await place.drop()
  })

  it('is no store that this version made: opened again, it is not read anew', async () => {
    const database = await createTestDatabase()
    places.push(database)
    const first = await openPostgresStore({ url: database.url, tenants: ['local'] })
    await first.putDocuments([makeWrite('a.md', [{ id: 'shed', text: '- [ ] Paint the shed' }])])
    await first.close()
    await database.query('DELETE FROM madeleine.cue')
    const second = await openPostgresStore({ url: database.url, tenants: ['local'] })
    expect(await second.listCues(ASKED)).toEqual([])
    await second.close()
  })

  it('is brought up to date by one of those who open it, while the others wait for that longer than for any write', async () => {
    const database = await createTestDatabase()
    places.push(database)
    const first = await openPostgresStore({ url: database.url, tenants: ['local'] })
    await first.putDocuments([makeWrite('a.md', [{ id: 'shed', text: '- [ ] Paint the shed' }])])
    expect(await first.listCues(ASKED)).toHaveLength(1)
    await first.close()
    const [current] = await database.query('SELECT version FROM madeleine.cue_reading')
    await database.query('UPDATE madeleine.cue_reading SET version = 0')
    // Another process is at it, and finds nothing.
    const other = database.query(`SET search_path = madeleine;
      SELECT pg_advisory_xact_lock(hashtextextended('madeleine madeleine local', 0)); DELETE FROM cue;
      UPDATE cue_reading SET version = ${Number(current?.version)}; SELECT pg_sleep(1)`)
    let isOver = false
    const ended = other.finally(() => {
      isOver = true
    })
    for (let isAtIt = false; !isAtIt && !isOver; ) {
      const rows = await database.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
      )
      isAtIt = rows.length > 0
    }
    const second = await openPostgresStore({ url: database.url, tenants: ['local'], busyMs: 100 })
    await ended
    expect(await second.listCues(ASKED)).toEqual([])
    await second.close()
  })
})
