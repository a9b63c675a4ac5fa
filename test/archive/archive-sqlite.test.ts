import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeArchiveFile } from '../../src/store/archive/archive-file.ts'
import { importArchive } from '../../src/store/archive/import-archive.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { filling, fillStore } from './fill-store.ts'

const now = new Date('2026-08-01T00:00:00Z')

it('moves', async () => {
  await fc.assert(
    fc.asyncProperty(filling, async (given) => {
      const folder = mkdtempSync(join(tmpdir(), 'archive-'))
      const from = await openSqliteStore({ file: join(folder, 'a.sqlite'), clock: () => now })
      const to = await openSqliteStore({ file: join(folder, 'b.sqlite') })
      try {
        await fillStore(from, given)
        const file = join(folder, 'export.jsonl')
        await writeArchiveFile(file, from.archive(), { tenants: ['local'], now })
        const done = await importArchive({ store: to, archive: to.archive() }, file)
        expect(done.isVerified).toBe(true)
        expect(await to.check()).toEqual([])
      } finally {
        await from.close()
        await to.close()
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: 40 },
  )
}, 120_000)
