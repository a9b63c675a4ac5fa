import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { testMemoryStore } from '../../testing/memory-store-contract.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
testMemoryStore('the SQLite store', {
  create: () => openSqliteStore({ file: join(folder, `${files++}.db`) }),
})
testMemoryStore('the SQLite store without WebAssembly', {
  create: () => openSqliteStore({ file: join(folder, `${files++}.db`), noNative: true }),
})
