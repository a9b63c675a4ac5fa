import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, it } from 'vitest'
import { createInMemoryStore } from '../src/store/memory/in-memory-store.ts'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { openPgliteStore } from './postgres/pglite.ts'
import { whyNoServer } from './postgres/run-server.ts'
import { createStorePool, type StorePool } from './postgres/store-pool.ts'

/** What a suite may ask of the stores that it opens. */
export interface StoreSettings {
  /** Whose memories they hold; default: one tenant, `local`. */
  tenants?: readonly string[]
  /** IANA zone in which days that texts name are counted; default UTC. */
  timeZone?: string
}

/** A kind of store that suites run on. */
export interface StoreKind {
  name: string
  /** Whether its vectors are searched by an index of pgvector: for suites in which vectors matter. */
  hasIndex: boolean
  /** Why it cannot run here, in words; null where it can. */
  whyNot(): string | null
  /** Opens an empty store. */
  open(settings: StoreSettings): Promise<MemoryStore>
  /** Removes what its stores left. */
  drop(): Promise<void>
}

const NOTHING_LEFT = async (): Promise<void> => undefined

/** Every store of the product. A suite runs on a kind of its own making, so that files do not share what they leave. */
export function listStores(): StoreKind[] {
  return [
    {
      name: 'in memory',
      hasIndex: false,
      whyNot: () => null,
      open: async ({ timeZone }) => createInMemoryStore({ ...(timeZone !== undefined && { timeZone }) }),
      drop: NOTHING_LEFT,
    },
    describeSqlite(),
    describePostgres(),
    {
      name: 'PostgreSQL with pgvector',
      hasIndex: true,
      whyNot: () => null,
      open: async ({ tenants = ['local'], ...settings }) => (await openPgliteStore({ tenants, ...settings })).store,
      drop: NOTHING_LEFT,
    },
  ]
}

function describeSqlite(): StoreKind {
  let folder: string | null = null
  let files = 0
  return {
    name: 'SQLite',
    hasIndex: false,
    whyNot: () => null,
    open: ({ timeZone }) => {
      folder ??= mkdtempSync(join(tmpdir(), 'stores-'))
      return openSqliteStore({ file: join(folder, `${files++}.db`), ...(timeZone !== undefined && { timeZone }) })
    },
    drop: async () => {
      if (folder !== null) rmSync(folder, { recursive: true })
      folder = null
    },
  }
}

function describePostgres(): StoreKind {
  let pool: StorePool | null = null
  return {
    name: 'PostgreSQL',
    hasIndex: false,
    whyNot: whyNoServer,
    open: ({ tenants = ['local'], ...settings }) => {
      pool ??= createStorePool()
      return pool.open({ tenants, ...settings })
    },
    drop: async () => {
      await pool?.drop()
      pool = null
    },
  }
}

/**
 * Registers a suite for every store: `define` gets what opens an empty store, which is closed after its test. Where a kind cannot run,
 * its tests are skipped and counted; with MADELEINE_REQUIRE_ALL=1 they fail. `withIndex` adds pgvector in this process, which takes
 * seconds to start: for suites in which vectors matter.
 */
export function describeStores(
  title: string,
  define: (useStore: () => Promise<MemoryStore>) => void,
  { withIndex = false, ...settings }: StoreSettings & { withIndex?: boolean } = {},
): void {
  for (const kind of listStores()) {
    if (kind.hasIndex && !withIndex) continue
    describeKind(`${title} (${kind.name})`, kind, { define, settings })
  }
}

function describeKind(
  title: string,
  kind: StoreKind,
  { define, settings }: { define: (useStore: () => Promise<MemoryStore>) => void; settings: StoreSettings },
): void {
  const reason = kind.whyNot()
  const opened: MemoryStore[] = []
  const body = (): void => {
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })
    afterAll(() => kind.drop())
    define(async () => {
      const store = await kind.open(settings)
      opened.push(store)
      return store
    })
  }
  if (reason === null) describe(title, body)
  else if (process.env.MADELEINE_REQUIRE_ALL !== '1') describe.skip(`${title}: ${reason}`, body)
  else {
    it(title, () => {
      throw new Error(reason)
    })
  }
}
