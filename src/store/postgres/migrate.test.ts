import { afterEach, describe, expect, it } from 'vitest'
import { FakeServer } from '../../../test/postgres/fake-server.ts'
import { runCommand } from '../../../test/run-command.ts'
import { openPostgresStore } from './open-postgres-store.ts'

describe('a server that is too old', () => {
  let server: FakeServer | undefined
  afterEach(() => server?.close())

  it.each([
    ['140011', 14],
    ['90624', 9],
  ])('is refused by its version, before anything is made there: %s', async (version, major) => {
    server = await FakeServer.answering('version', version)
    await expect(openPostgresStore({ url: server.url, tenants: ['local'] })).rejects.toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining(`the server is PostgreSQL ${major}`),
      remedy: 'Use a server of version 15 or newer',
    })
    const { code, err } = await runCommand(['status', '--json', '--store', server.url])
    expect(code).toBe(5)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.not.stringContaining('word'),
    })
  })
})
