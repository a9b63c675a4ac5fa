import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, it } from 'vitest'
import { createInMemoryStore } from '../src/store/memory/in-memory-store.ts'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { openPgliteStore } from './postgres/pglite.ts'
import { whyNoServer } from './postgres/run-server.ts'
import { useStorePool } from './postgres/store-pool.ts'

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
  /** An empty place by its location, where engines and commands open a store as often as they like; null where there is none. */
  locate: (() => Promise<StorePlace>) | null
  /** Removes what its stores left. */
  drop(): Promise<void>
}

/** Where a store may be opened by its location, until it is released. */
export interface StorePlace {
  location: string
  release(): void
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
      locate: null,
      drop: NOTHING_LEFT,
    },
    describeSqlite(),
    describePostgres(),
    {
      name: 'PostgreSQL with pgvector',
      hasIndex: true,
      whyNot: () => null,
      open: async ({ tenants = ['local'], ...settings }) => (await openPgliteStore({ tenants, ...settings })).store,
      locate: null,
      drop: NOTHING_LEFT,
    },
  ]
}

function describeSqlite(): StoreKind {
  let folder: string | null = null
  let files = 0
  const nextFile = (): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'stores-'))
    return join(folder, String(files++), 'store.db')
  }
  return {
    name: 'SQLite',
    hasIndex: false,
    whyNot: () => null,
    open: ({ timeZone }) => openSqliteStore({ file: nextFile(), ...(timeZone !== undefined && { timeZone }) }),
    locate: async () => ({ location: nextFile(), release: () => undefined }),
    drop: async () => {
      if (folder !== null) rmSync(folder, { recursive: true })
      folder = null
    },
  }
}

function describePostgres(): StoreKind {
  return {
    name: 'PostgreSQL',
    hasIndex: false,
    whyNot: whyNoServer,
    open: ({ tenants = ['local'], ...settings }) => useStorePool().open({ tenants, ...settings }),
    locate: () => useStorePool().locate(),
    drop: NOTHING_LEFT,
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
    describeKind(title, kind, () => {
      const opened: MemoryStore[] = []
      const useStore = async (): Promise<MemoryStore> => {
        const store = await kind.open(settings)
        opened.push(store)
        return store
      }
      beforeEach(() => {
        ofRunningSuite = useStore
      })
      afterEach(async () => {
        ofRunningSuite = null
        for (const store of opened.splice(0)) await store.close()
      })
      define(useStore)
    })
  }
}

let ofRunningSuite: (() => Promise<MemoryStore>) | null = null

/** An empty store of the kind that the running suite of `describeStores` is on, for what stands outside of the suite. */
export function openEmptyStore(): Promise<MemoryStore> {
  if (!ofRunningSuite) throw new Error('Cannot open an empty store: no suite of describeStores is running')
  return ofRunningSuite()
}

/**
 * The same for suites whose engines, commands or processes open the store themselves, by its location and as often as they like. `define`
 * gets what says where that is: an empty place for each test.
 */
export function describePlaces(title: string, define: (locationOf: () => string) => void): void {
  for (const kind of listStores()) {
    const { locate } = kind
    if (locate === null) continue
    describeKind(title, kind, () => {
      let place: StorePlace | null = null
      beforeEach(async () => {
        place = await locate()
      })
      afterEach(() => {
        place?.release()
      })
      define(() => place?.location ?? '')
    })
  }
}

function describeKind(title: string, kind: StoreKind, define: () => void): void {
  const named = `${title} (${kind.name})`
  const reason = kind.whyNot()
  const body = (): void => {
    afterAll(() => kind.drop())
    define()
  }
  if (reason === null) describe(named, body)
  else if (process.env.MADELEINE_REQUIRE_ALL !== '1') describe.skip(`${named}: ${reason}`, body)
  else {
    it(named, () => {
      throw new Error(reason)
    })
  }
}
