import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { EmbeddingProvider, TokenEmbedder } from '../src/embedding/embedding-provider.ts'
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
    ...(inner.reads && { reads: inner.reads }),
    counts,
    listUnknown: (texts) => [...new Set(texts)].filter((text) => find('document', text) === undefined),
    embedDocuments: (texts, options) => embed('document', texts, (missing) => inner.embedDocuments(missing, options)),
    async embedQueries(texts, options) {
      const lists = await embed('query', texts, async (missing) =>
        (await inner.embedQueries(missing, options)).map((vector) => [vector]),
      )
      return lists.map((windows) => windows[0] ?? new Float32Array(0))
    },
    ...(inner.tokens && { tokens: cacheTokens(inner, inner.tokens, database, counts) }),
    async close() {
      if (database.isOpen) database.close()
      await inner.close()
    },
  }
}

/** The same for texts with the vectors of their words, keyed by where their own words begin as well. */
function cacheTokens(
  inner: EmbeddingProvider,
  embedder: TokenEmbedder,
  database: InstanceType<typeof DatabaseSync>,
  counts: { known: number; embedded: number },
): TokenEmbedder {
  database.exec(`CREATE TABLE IF NOT EXISTS token_vectors (
    identity TEXT NOT NULL, kind TEXT NOT NULL, hash TEXT NOT NULL, windows BLOB NOT NULL, tokens BLOB NOT NULL, weights BLOB NOT NULL,
    PRIMARY KEY (identity, kind, hash)) WITHOUT ROWID`)
  const select = database.prepare(
    'SELECT windows, tokens, weights FROM token_vectors WHERE identity = ? AND kind = ? AND hash = ?',
  )
  const insert = database.prepare('INSERT OR REPLACE INTO token_vectors VALUES (?, ?, ?, ?, ?, ?)')
  interface Entry {
    windows: Float32Array[]
    tokens: Int8Array
    weights: Float32Array
  }
  const lookUp = async (kind: Kind, keys: readonly string[], ask: (missing: number[]) => Promise<Entry[]>) => {
    const found = new Map<string, Entry>()
    for (const key of new Set(keys)) {
      const row = select.get(inner.identity, kind, sha256(key)) as Record<keyof Entry, Uint8Array> | undefined
      if (row) {
        found.set(key, {
          windows: unpack(row.windows, inner.dimensions),
          tokens: new Int8Array(Uint8Array.from(row.tokens).buffer),
          weights: new Float32Array(Uint8Array.from(row.weights).buffer),
        })
      }
    }
    const missing = [...new Set(keys)].filter((key) => !found.has(key)).map((key) => keys.indexOf(key))
    counts.known += keys.length - missing.length
    counts.embedded += missing.length
    if (missing.length > 0) {
      const fresh = await ask(missing)
      database.exec('BEGIN IMMEDIATE')
      missing.forEach((at, index) => {
        const [key = '', entry] = [keys[at], fresh[index]]
        if (!entry) return
        const { windows, tokens, weights } = entry
        const weightBytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength)
        const tokenBytes = new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength)
        insert.run(inner.identity, kind, sha256(key), pack(windows, inner.dimensions), tokenBytes, weightBytes)
        found.set(key, entry)
      })
      database.exec('COMMIT')
    }
    return keys.map((key) => found.get(key) ?? { windows: [], tokens: new Int8Array(0), weights: new Float32Array(0) })
  }
  return {
    dimensions: embedder.dimensions,
    embedDocuments: (texts, options) =>
      lookUp(
        'document',
        texts.map(({ text, ownFrom }) => `${ownFrom}\0${text}`),
        async (missing) => {
          const wanted = missing.flatMap((at) => texts[at] ?? [])
          const fresh = await embedder.embedDocuments(wanted, options)
          return fresh.map((entry) => ({ ...entry, weights: new Float32Array(0) }))
        },
      ),
    async embedQueries(texts, options) {
      const entries = await lookUp('query', texts, async (missing) => {
        const wanted = missing.map((at) => texts[at] ?? '')
        const fresh = await embedder.embedQueries(wanted, options)
        return fresh.map(({ vector, tokens, weights }) => ({ windows: [vector], tokens, weights }))
      })
      return entries.map(({ windows, tokens, weights }) => ({
        vector: windows[0] ?? new Float32Array(0),
        tokens,
        weights,
      }))
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
