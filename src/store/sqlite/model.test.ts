import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { expectLikeModel } from '../../../test/store-model.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'model-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the SQLite store and the in-memory store', () => {
  let files = 0

  it('give equal answers after any sequence of writes', async () => {
    const prepare = async () => {
      const file = join(folder, `${files++}.db`)
      return () => openSqliteStore({ file, noNative: files % 2 === 0 })
    }
    await expectLikeModel(prepare, { numRuns: 40 })
  })
})
