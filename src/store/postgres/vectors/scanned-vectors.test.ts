import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithServer } from '../../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.ts'
import { askFor, findIds, makeWrite, ROOT, vectorOf } from '../../../testing/memory-store/samples.ts'
import type { MemoryStore } from '../../memory-store.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { openPgDatabase } from '../pg-database.ts'
import { PostgresConnection } from '../postgres-connection.ts'
import { checkVectors } from './check-vectors.ts'

const TENANTS = ['local']
const put = (id: string, ...windows: Float32Array[]) => ({ id, embedText: id, windows })
const query = askFor('', { vectors: [vectorOf(1)], identity: 'test' })

describeWithServer('vectors that a process keeps of a PostgreSQL store', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  const opened: Array<{ close(): Promise<void> }> = []
  afterAll(async () => {
    for (const one of opened) await one.close()
    await database.drop()
  })

  const open = async (): Promise<MemoryStore> => {
    const store = await openPostgresStore({ url: database.url, tenants: TENANTS })
    opened.push(store)
    return store
  }

  it('follow what another process adds, replaces and takes away, all windows of a memory', async () => {
    const [writer, reader] = [await open(), await open()]
    await writer.putDocuments(['heron', 'otter', 'newt'].map((id) => makeWrite(`${id}.md`, [id])))
    await writer.putVectors('test', [put('heron', vectorOf(1)), put('otter', vectorOf(1, 1), vectorOf(-1))])
    expect(await findIds(reader, query)).toEqual(['heron', 'otter'])
    await writer.putVectors('test', [put('heron', vectorOf(0, 1)), put('newt', vectorOf(1, 2))])
    expect(await findIds(reader, query)).toEqual(['otter', 'newt', 'heron'])
    await writer.putVectors('test', [put('otter')])
    expect(await findIds(reader, query)).toEqual(['newt', 'heron'])
    await writer.removeDocuments([{ root: ROOT, path: 'newt.md' }])
    expect(await findIds(reader, query)).toEqual(['heron'])
    expect(await writer.removeVectors('test')).toBe(2)
    expect(await findIds(reader, query)).toEqual([])
    expect((await reader.findCandidates(query)).pendingCount).toBe(2)
    expect((await reader.listPendingEmbeddings('test', 9)).map(({ id }) => id)).toEqual(['heron', 'otter'])
  })

  it('are named by a check where they are many and the server has no pgvector', async () => {
    const { url, hasVector } = database
    const store = await open()
    await store.putVectors('test', [put('heron', vectorOf(1))])
    const connection = new PostgresConnection(await openPgDatabase({ url, name: url }), {
      schema: 'madeleine',
      tenants: TENANTS,
    })
    opened.push(connection)
    const findings = await connection.read((tx) => checkVectors(tx, TENANTS, { many: 1 }))
    expect(findings.map(({ id, severity }) => [id, severity])).toEqual(hasVector ? [] : [['pgvector-missing', 'info']])
    expect(await store.check()).toEqual([])
  })
})
