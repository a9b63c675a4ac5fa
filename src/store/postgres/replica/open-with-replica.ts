import type { Clock } from '../../../model/clock.ts'
import type { ReadStore } from '../../read-store.ts'
import { readLocation } from '../../store-location.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { openPgDatabase } from '../pg-database.ts'
import type { PostgresStore } from '../postgres-store.ts'
import { openReplica } from './open-replica.ts'
import { ReadReplica } from './read-replica.ts'

interface ReplicatedOptions {
  url: string
  /** Of a hot standby of that server. A schema that it names does not count: it is the primary's. */
  readUrl: string
  tenants: readonly string[]
  timeZone: string
  clock?: Clock
  noNative?: boolean
}

/** Opens a store, and a replica of it that may be asked in its place. Rejects as openPostgresStore does; a replica that is away is no reason. */
export async function openWithReplica({
  url,
  readUrl,
  ...options
}: ReplicatedOptions): Promise<{ store: PostgresStore; readStore: ReadStore }> {
  const [location, replica] = [readLocation(url), readLocation(readUrl)]
  const database = await openPgDatabase(location)
  const { schema } = location
  const store = await openPostgresStore({ ...options, database, schema })
  const readStore = await ReadReplica.begin({
    location: replica.name,
    primary: store,
    primaryDatabase: database,
    open: () => openReplica({ noNative: false, ...options, url: readUrl, primary: database, schema }),
  })
  return { store, readStore }
}
