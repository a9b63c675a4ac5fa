import { resolve } from 'node:path'
import { MadeleineError } from './errors.ts'
import { type OpenOptions, openNamedStore } from './open.ts'
import type { ArchiveFile as StoreExport } from './store/archive/archive-file.ts'
import type { ArchivedStore, StoreImport } from './store/archive/import-archive.ts'
import { isPostgresUrl } from './store/store-location.ts'

export type { StoreExport, StoreImport }

/** Whose stores are moved, and which. */
export type MoveOptions = Pick<OpenOptions, 'store' | 'tenant' | 'timeZone'>

/**
 * Writes all that a store holds into a file, one JSON value a line: documents, memories, vectors, relationships, reviews, the access
 * history, what was forgotten and named values; of a store in PostgreSQL those of the tenant. Rejects with ALREADY_EXISTS where there is
 * such a file, unless it may be replaced, and as opening the store does.
 */
export async function exportStore(
  options: MoveOptions & { file: string; now: Date; withoutVectors?: boolean; mayReplace?: boolean },
): Promise<StoreExport> {
  const { file, now, withoutVectors = false, mayReplace = false } = options
  return withArchive(options, async ({ archive }, { writeArchiveFile }) => {
    const tenants = await archive.listTenants()
    return writeArchiveFile(resolve(file), archive, { tenants, now, withoutVectors, mayReplace })
  })
}

/**
 * Writes an export into a store. Nothing is written unless the whole file is as it was exported, and a store that was empty is read and
 * compared with it afterwards. Rejects with ALREADY_EXISTS where the store holds anything, unless it may be added to: what it holds stays
 * as it is then; with INVALID_OPTION where the file holds memories of another tenant, unless all of them are wanted.
 */
export async function importStore(
  options: MoveOptions & { file: string; mayAdd?: boolean; allTenants?: boolean },
): Promise<StoreImport> {
  const { file, mayAdd = false, allTenants = false, tenant = 'local' } = options
  return withArchive(options, async (opened, { checkArchiveFile, importArchive, assertOwn }) => {
    const { header } = await checkArchiveFile(resolve(file))
    if (!allTenants) assertOwn(file, header, tenant)
    const isOwn = header.tenants.every((one) => one === tenant)
    if (isOwn || opened.isOfAll) return importArchive(opened, resolve(file), { mayAdd })
    const wider = { ...options, tenants: [...new Set([tenant, ...header.tenants])] }
    return withArchive(wider, (all) => importArchive(all, resolve(file), { mayAdd }))
  })
}

type ArchiveFunctions = typeof import('./store/archive/archive-file.ts') &
  typeof import('./store/archive/import-archive.ts')

/** Opens a store with its archive, and closes it whatever happens. `isOfAll`: it is bound to no tenants. */
async function withArchive<T>(
  options: MoveOptions & { tenants?: readonly string[] },
  use: (opened: ArchivedStore & { isOfAll: boolean }, functions: ArchiveFunctions) => Promise<T>,
): Promise<T> {
  const { store: named, tenant = 'local', tenants = [tenant] } = options
  if (named !== undefined && typeof named !== 'string') {
    throw new MadeleineError('INVALID_OPTION', `Cannot move the store ${named.location}: it is in use`, {
      remedy: 'Close it and give its file or URL',
    })
  }
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const store = await openNamedStore(named, { timeZone, tenants })
  try {
    // Loaded only when asked for: nobody else should wait for it at start.
    const functions = {
      ...(await import('./store/archive/archive-file.ts')),
      ...(await import('./store/archive/import-archive.ts')),
    }
    const isOfAll = named === undefined || !isPostgresUrl(named)
    return await use({ store, archive: store.archive(), isOfAll }, functions)
  } finally {
    await store.close()
  }
}
