import { existsSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { describeWithServer } from './describe-with-server.ts'
import { startServer } from './server.ts'
import { createTestDatabase } from './test-database.ts'

describeWithServer('a server for tests', () => {
  it('gives databases of their own to a role that row-level security binds', async () => {
    const [first, second] = [await createTestDatabase(), await createTestDatabase()]
    const client = new pg.Client({ connectionString: first.url })
    await client.connect()
    await client.query('CREATE TABLE memory (tenant text); INSERT INTO memory VALUES ($$a$$), ($$b$$)')
    await client.query('ALTER TABLE memory ENABLE ROW LEVEL SECURITY; ALTER TABLE memory FORCE ROW LEVEL SECURITY')
    await client.query("CREATE POLICY own ON memory USING (tenant = current_setting('test.tenant', true))")
    expect((await client.query('SELECT * FROM memory')).rows).toEqual([])
    await client.query("SET test.tenant = 'a'")
    expect((await client.query('SELECT * FROM memory')).rows).toEqual([{ tenant: 'a' }])
    await client.end()
    expect(await first.query('SELECT * FROM memory')).toHaveLength(2)
    await expect(second.query('SELECT * FROM memory')).rejects.toThrow('does not exist')
    await first.drop()
    await second.drop()
    await expect(first.query('SELECT 1')).rejects.toThrow('does not exist')
  })

  it('is killed, started again, followed and promoted', async () => {
    const primary = await startServer({ isDurable: true })
    const database = await createTestDatabase(Promise.resolve(primary.adminUrl))
    await database.query('CREATE TABLE kept AS SELECT 1 AS n')
    primary.kill()
    await expect(database.query('SELECT 1')).rejects.toThrow()
    primary.start()
    const replica = await primary.startReplica()
    const follower = new URL(database.adminUrl)
    follower.port = String(replica.port)
    const client = new pg.Client({ connectionString: follower.href })
    await client.connect()
    expect((await client.query('SELECT n FROM kept')).rows).toEqual([{ n: 1 }])
    await expect(client.query('CREATE TABLE other (n int)')).rejects.toThrow('read-only')
    replica.promote()
    await client.query('CREATE TABLE other (n int)')
    await client.end()
    for (const server of [replica, primary]) server.remove()
    expect([primary.folder, replica.folder].filter((folder) => existsSync(folder))).toEqual([])
  })
})
