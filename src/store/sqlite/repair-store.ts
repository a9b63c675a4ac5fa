import { chmodSync, rmSync } from 'node:fs'
import { applyRepairs, type Repair } from '../apply-repairs.ts'
import type { StoreFinding } from '../memory-store.ts'
import type { CheckedParts } from './check-store.ts'
import { findForgottenThere } from './check-store.ts'
import { findLeftovers, findOpenFiles, findOpenFolders } from './check-surroundings.ts'
import { forget, isLogUnscrubbed, scrubLog } from './forget.ts'
import { rebuildIndex } from './index-version.ts'
import { rebuildPlaces } from './rebuild-places.ts'
import { rebuildVectors } from './rebuild-vectors.ts'
import { mendRelationships, RELATIONSHIP_FINDINGS } from './relationships/check-relationships.ts'
import { findUnreadableStates, setState } from './states.ts'
import { WriteSession } from './write-session.ts'

/** In the order in which they are done: the indexes are made from what stands in its place. */
const REPAIRS: ReadonlyArray<Repair<CheckedParts>> = [
  { ids: ['forgotten-but-there'], apply: forgetAgain },
  {
    ids: ['places-differ', 'roster-strays', 'documents-miscounted'],
    apply: async ({ connection, names, postings }) => {
      await rebuildPlaces({ connection, names, postings })
      return 'the lists of which memory stands where were made anew'
    },
  },
  {
    ids: ['keyword-index-differs', 'keyword-index-strays'],
    apply: async ({ connection, postings }) => {
      await connection.write(() => rebuildIndex(connection, postings))
      return 'the keyword index was made anew from the texts'
    },
  },
  {
    ids: ['vectors-differ', 'vector-strays'],
    apply: async ({ connection }) => {
      const dropped = await connection.write(() => rebuildVectors(connection))
      const pending = dropped > 0 ? `; ${dropped} memories wait for new ones: run "madeleine index"` : ''
      return `the vectors were put in order${pending}`
    },
  },
  {
    ids: RELATIONSHIP_FINDINGS,
    apply: async (parts) => {
      await parts.connection.write(() => mendRelationships(parts), { isTruth: true })
      return 'relationships and reviews were put in order; what people said stays'
    },
  },
  {
    ids: ['state-unreadable'],
    apply: async ({ connection }) => {
      await connection.write(() => {
        for (const key of findUnreadableStates(connection)) setState(connection, key, null)
      })
      return 'the values were removed'
    },
  },
  {
    ids: ['forgotten-in-log'],
    apply: async ({ connection }) => {
      await scrubLog(connection)
      const isLeft = await connection.read(() => isLogUnscrubbed(connection))
      return isLeft ? null : 'the log was emptied'
    },
  },
  {
    ids: ['store-readable-by-others', 'folder-readable-by-others'],
    apply: async ({ connection: { location } }) => {
      for (const file of findOpenFiles(location)) chmodSync(file, 0o600)
      for (const folder of findOpenFolders(location)) chmodSync(folder, 0o700)
      return 'it is now yours alone'
    },
  },
  {
    ids: ['leftover-files'],
    apply: async ({ connection: { location } }) => {
      for (const file of findLeftovers(location)) rmSync(file, { force: true })
      return 'they were deleted'
    },
  },
]

/** Mends what checkStore found, each as far as it can be made again from the file itself. Returns what was done, by id of finding. */
export function repairStore(
  parts: CheckedParts,
  findings: readonly StoreFinding[],
  now: Date,
): Promise<Record<string, string>> {
  return applyRepairs(REPAIRS, parts, { findings, now })
}

async function forgetAgain({ connection, names, postings }: CheckedParts, now: Date): Promise<string> {
  await connection.write(
    () => {
      const target = findForgottenThere(connection)
      forget(connection, new WriteSession(connection, names, postings), { target, now })
    },
    { isTruth: true },
  )
  await scrubLog(connection)
  return 'it was removed again'
}
