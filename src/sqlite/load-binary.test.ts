import { describe, expect, it } from 'vitest'
import { loadSqliteBinary } from './load-binary.ts'

describe('the binary beside the package', () => {
  it('is the same SQLite as the package gives', async () => {
    const direct = loadSqliteBinary() as typeof import('@photostructure/sqlite')
    const whole = await import('@photostructure/sqlite')
    const versions = [direct, whole].map(({ DatabaseSync }) => {
      const database = new DatabaseSync(':memory:')
      database.exec('CREATE TABLE note (text TEXT)')
      database.prepare('INSERT INTO note VALUES (?)').run('the weir')
      const row = database.prepare('SELECT text, sqlite_version() AS version FROM note').get()
      database.close()
      return row
    })
    expect(versions[0]).toMatchObject({ text: 'the weir' })
    expect(versions[0]).toEqual(versions[1])
  })
})
