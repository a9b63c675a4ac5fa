import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { EmbeddingProvider } from '../src/embedding/embedding-provider.ts'
import { sha256 } from '../src/text/hash.ts'

export interface CachedProvider extends EmbeddingProvider {
  /** Texts answered from the file and texts that the model had to read, since opening. */
  readonly counts: { known: number; embedded: number }
  /** Those of the texts that are not in the file yet, each once, in order. */
  listUnknown(texts: readonly string[]): string[]
}

type Kind = 'document' | 'query'

/**
 * Keeps the vectors of `inner` in a SQLite file, keyed by provider identity, kind and sha256 of the text. Every call is written
 * before it returns, so that a stopped run loses at most one batch. Several processes may share the file.
 */
export function cacheVectors(inner: EmbeddingProvider, file: string): CachedProvider {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 60000')
  database.exec(`CREATE TABLE IF NOT EXISTS vectors (
    identity TEXT NOT NULL, kind TEXT NOT NULL, hash TEXT NOT NULL, windows BLOB NOT NULL,
    PRIMARY KEY (identity, kind, hash)) WITHOUT ROWID`)
  const select = database.prepare('SELECT windows FROM vectors WHERE identity = ? AND kind = ? AND hash = ?')
  const insert = database.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)')
  const counts = { known: 0, embedded: 0 }

  const find = (kind: Kind, text: string): Float32Array[] | undefined => {
    const row = select.get(inner.identity, kind, sha256(text)) as { windows: Uint8Array } | undefined
    return row && unpack(row.windows, inner.dimensions)
  }
  const keep = (kind: Kind, texts: readonly string[], windows: readonly Float32Array[][]): void => {
    database.exec('BEGIN IMMEDIATE')
    texts.forEach((text, index) => {
      insert.run(inner.identity, kind, sha256(text), pack(windows[index] ?? [], inner.dimensions))
    })
    database.exec('COMMIT')
  }
  const embed = async (
    kind: Kind,
    texts: readonly string[],
    ask: (missing: string[]) => Promise<Float32Array[][]>,
  ): Promise<Float32Array[][]> => {
    const found = new Map<string, Float32Array[]>()
    for (const text of new Set(texts)) {
      const windows = find(kind, text)
      if (windows) found.set(text, windows)
    }
    const missing = [...new Set(texts)].filter((text) => !found.has(text))
    counts.known += texts.length - missing.length
    counts.embedded += missing.length
    if (missing.length > 0) {
      const fresh = await ask(missing)
      keep(kind, missing, fresh)
      missing.forEach((text, index) => {
        found.set(text, fresh[index] ?? [])
      })
    }
    return texts.map((text) => found.get(text) ?? [])
  }

  return {
    identity: inner.identity,
    dimensions: inner.dimensions,
    batchSize: inner.batchSize,
    ...(inner.emptyIsFinal !== undefined && { emptyIsFinal: inner.emptyIsFinal }),
    counts,
    listUnknown: (texts) => [...new Set(texts)].filter((text) => find('document', text) === undefined),
    embedDocuments: (texts, options) => embed('document', texts, (missing) => inner.embedDocuments(missing, options)),
    async embedQueries(texts, options) {
      const lists = await embed('query', texts, async (missing) =>
        (await inner.embedQueries(missing, options)).map((vector) => [vector]),
      )
      return lists.map((windows) => windows[0] ?? new Float32Array(0))
    },
    async close() {
      if (database.isOpen) database.close()
      await inner.close()
    },
  }
}

function pack(windows: readonly Float32Array[], dimensions: number): Uint8Array {
  const numbers = new Float32Array(windows.length * dimensions)
  windows.forEach((window, index) => {
    numbers.set(window, index * dimensions)
  })
  return new Uint8Array(numbers.buffer)
}

function unpack(bytes: Uint8Array, dimensions: number): Float32Array[] {
  // A copy: the bytes of a row need not lie on a four-byte border.
  const numbers = new Float32Array(Uint8Array.from(bytes).buffer)
  const windows: Float32Array[] = []
  for (let from = 0; from < numbers.length; from += dimensions) windows.push(numbers.subarray(from, from + dimensions))
  return windows
}
