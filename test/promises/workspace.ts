import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { EmbeddingProvider } from '../../src/embedding/embedding-provider.ts'
import { type Madeleine, type OpenOptions, openMadeleine } from '../../src/index.ts'
import { describePlaces } from '../stores.ts'

/** The present in these tests, unless a test says otherwise. */
export const NOW = '2026-06-10T09:00:00Z'

/** A user's folders on disk: notes, transcripts and the store, with engines over them. Made anew for each test. */
export interface Workspace {
  readonly home: string
  readonly notes: string
  readonly sessions: string
  readonly storeFolder: string
  readonly storeFile: string
  /** Where the store is that engines open: the file, or what a suite of `describeOverStores` runs on. */
  store: string
  /** Writes a note, by its path below the notes; returns its path on disk. */
  note(path: string, content: string | Uint8Array): string
  /** Writes a transcript from its records (strings stand as they are); returns its path on disk. */
  session(name: string, records: readonly unknown[]): string
  /** Opens an engine over the folders: no model, NOW and UTC unless the options say otherwise. Closed after the test. */
  open(options?: OpenOptions & { at?: string }): Promise<Madeleine>
  /** The same, with everything indexed. */
  openIndexed(options?: OpenOptions & { at?: string }): Promise<Madeleine>
}

/** Gives each test of a file its own workspace, and clears it away. */
export function useWorkspace(): Workspace {
  let home = ''
  const engines: Madeleine[] = []

  let store: string | null = null
  const write = (file: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-promises-')))
    mkdirSync(join(home, 'notes'))
    mkdirSync(join(home, 'sessions'))
  })
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close()
    store = null
    rmSync(home, { recursive: true, force: true })
  })

  const workspace: Workspace = {
    get home() {
      return home
    },
    get notes() {
      return join(home, 'notes')
    },
    get sessions() {
      return join(home, 'sessions')
    },
    get storeFolder() {
      return join(home, 'store')
    },
    get storeFile() {
      return join(home, 'store', 'memories.sqlite')
    },
    get store() {
      return store ?? workspace.storeFile
    },
    set store(location) {
      store = location
    },
    note: (path, content) => write(join(workspace.notes, path), content),
    session: (name, records) =>
      write(
        join(workspace.sessions, name),
        `${records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')}\n`,
      ),
    async open({ at = NOW, ...options } = {}) {
      const engine = await openMadeleine({
        workspaces: [workspace.notes],
        transcripts: [workspace.sessions],
        store: workspace.store,
        embedding: 'none',
        now: () => new Date(at),
        timeZone: 'UTC',
        // Not what is tested here: a busy machine must not make a recall silent.
        recall: { deadlineMs: 60_000 },
        ...options,
      })
      engines.push(engine)
      return engine
    },
    async openIndexed(options) {
      const engine = await workspace.open(options)
      await engine.index()
      return engine
    },
  }
  return workspace
}

/** Registers a suite over the folders of `here` once for every store that engines open by its location. */
export function describeOverStores(here: Workspace, title: string, define: () => void): void {
  describePlaces(title, (locationOf) => {
    beforeEach(() => {
      here.store = locationOf()
    })
    define()
  })
}

/** What a record may say beside its text. */
interface RecordFields {
  /** Entry id; default one that no other record has. */
  id?: string
  /** Default a minute after the record before it. */
  at?: string
}

let made = 0

function entry(message: object, { id, at }: RecordFields): object {
  made += 1
  const timestamp = at ?? new Date(Date.UTC(2026, 5, 8) + (made % 1000) * 60_000).toISOString()
  return { type: 'message', id: id ?? `entry-${made}`, parentId: null, timestamp, message }
}

/** A record in which the user speaks. */
export function user(text: string, fields: RecordFields = {}): object {
  return entry({ role: 'user', content: [{ type: 'text', text }] }, fields)
}

/** A record in which the agent speaks. */
export function agent(text: string, fields: RecordFields = {}): object {
  return entry({ role: 'assistant', content: [{ type: 'text', text }] }, fields)
}

/** A record with what a tool printed. */
export function printed(tool: string, text: string, fields: RecordFields = {}): object {
  return entry({ role: 'toolResult', toolName: tool, content: [{ type: 'text', text }] }, fields)
}

/** The first record of a transcript. */
export function head(sessionId: string): object {
  return { type: 'session', version: 3, id: sessionId, timestamp: '2026-06-08T00:00:00.000Z', cwd: '/no/such/folder' }
}

/** A provider in which each text has the cosine with every query that `cosineOf` gives it. */
export function providerByCosine(cosineOf: (text: string) => number): EmbeddingProvider {
  return {
    identity: 'by-cosine:2',
    dimensions: 2,
    batchSize: 50,
    async embedDocuments(texts) {
      return texts.map((text) => {
        const cosine = cosineOf(text)
        return [new Float32Array([cosine, Math.sqrt(1 - cosine ** 2)])]
      })
    },
    async embedQueries(texts) {
      return texts.map(() => new Float32Array([1, 0]))
    },
    async close() {},
  }
}
