import { MadeleineError } from '../../errors.ts'
import type { MemoryStore } from '../memory-store.ts'
import { DigestTally, findDifferences } from './archive-digests.ts'
import { type ArchiveFile, type ArchiveHeader, checkArchiveFile, readArchiveRecords } from './archive-file.ts'
import type { ArchivePart, StoreArchive } from './archive-record.ts'
import { type ImportCounts, importRecords } from './import-records.ts'

/** What became of an import. */
export interface StoreImport extends ArchiveFile {
  counts: ImportCounts
  /** The store was read again, and every part is what the file holds; false where it held something before. */
  isVerified: boolean
}

/** A store with its archive. */
export interface ArchivedStore {
  store: MemoryStore
  archive: StoreArchive
}

/**
 * Writes an export into a store. The whole file is checked before anything is written, and a store that was empty is read and compared
 * afterwards. Rejects with ALREADY_EXISTS where the store holds anything, unless it may be added to: what it holds stays as it is then.
 */
export async function importArchive(
  { store, archive }: ArchivedStore,
  file: string,
  { mayAdd = false }: { mayAdd?: boolean } = {},
): Promise<StoreImport> {
  const given = await checkArchiveFile(file)
  const isEmpty = await archive.isEmpty()
  if (!isEmpty && !mayAdd) {
    throw new MadeleineError('ALREADY_EXISTS', `Cannot import into ${store.location}: the store is not empty`, {
      remedy: 'Name a new store with --store, or add to this one with --add',
    })
  }
  const counts = await importRecords(store, archive, readArchiveRecords(file))
  if (isEmpty) await assertEqual({ store, archive }, given)
  return { ...given, counts, isVerified: isEmpty }
}

/** Refuses an export that holds memories of others than this tenant. */
export function assertOwn(file: string, { tenants }: ArchiveHeader, tenant: string): void {
  const others = tenants.filter((one) => one !== tenant)
  if (others.length === 0) return
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot import ${file} for tenant "${tenant}": it holds memories of ${others.map((one) => `"${one}"`).join(', ')}`,
    { remedy: 'Name the tenant with --tenant, or take over all of them with --all-tenants' },
  )
}

async function assertEqual({ store, archive }: ArchivedStore, { header, digests }: ArchiveFile): Promise<void> {
  const tally = new DigestTally()
  await archive.read(
    async (records) => {
      for (const record of records) tally.add(record, JSON.stringify(record))
    },
    { withoutVectors: !header.hasVectors },
  )
  const differences: ArchivePart[] = findDifferences(digests, tally.take())
  if (differences.length === 0) return
  throw new MadeleineError(
    'STORE_UNUSABLE',
    `Cannot vouch for the import into ${store.location}: what it holds now differs from the file in ${differences.join(', ')}`,
    {
      remedy: 'Keep the store that was exported, see that nobody else writes into the new one, and import into another',
    },
  )
}
