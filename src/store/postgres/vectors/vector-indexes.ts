import type { Transaction } from '../postgres-connection.ts'
import { POSTGRES_HNSW } from '../postgres-options.ts'

/** pgvector indexes vectors of up to so many dimensions. */
export const INDEXED_DIMENSIONS = 2000

/** What the server can do with vectors. */
export interface VectorSupport {
  /** Version of the extension; null where the database has none, or one that stops searching before a filter is met. */
  version: string | null
  /** For how many dimensions there are indexes. */
  dimensions: ReadonlySet<number>
}

/** Looks what pgvector and which of its indexes the store has. */
export async function readVectorSupport(tx: Transaction): Promise<VectorSupport> {
  const [extension] = await tx.query(`SELECT extversion AS version FROM pg_extension
    WHERE extname = 'vector' AND to_regtype('vector') IS NOT NULL`)
  if (!extension) return { version: null, dimensions: new Set() }
  const indexes = await tx.query(`SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
    WHERE i.indrelid = to_regclass('vector_window') AND i.indisvalid`)
  const dimensions = indexes.flatMap(({ name }) => /^vector_window_hnsw_(\d+)$/.exec(String(name))?.[1] ?? [])
  return {
    version: searchesOn(String(extension.version)) ? String(extension.version) : null,
    dimensions: new Set(dimensions.map(Number)),
  }
}

/** From 0.8 on a search goes on until it has found as many as it was asked for that a filter lets through. */
function searchesOn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 0 || minor >= 8
}

/** The statement that makes the index of vectors of so many dimensions. */
export function vectorIndexStatement(dimensions: number): string {
  const { m, efConstruction } = POSTGRES_HNSW
  return `CREATE INDEX IF NOT EXISTS vector_window_hnsw_${dimensions} ON vector_window
    USING hnsw ((exact::vector(${dimensions})) vector_cosine_ops) WITH (m = ${m}, ef_construction = ${efConstruction})
    WHERE dimensions = ${dimensions}`
}

/**
 * Makes the index of vectors of so many dimensions where the database has pgvector and the role owns the table. Without it vectors are
 * scanned in the process; `check` then says how to make it.
 */
export async function ensureVectorIndex(tx: Transaction, dimensions: number): Promise<void> {
  const support = await readVectorSupport(tx)
  if (support.version === null || support.dimensions.has(dimensions) || dimensions > INDEXED_DIMENSIONS) return
  const [owner] = await tx.query(`SELECT pg_has_role(relowner, 'USAGE') AS may FROM pg_class
    WHERE oid = to_regclass('vector_window')`)
  if (owner?.may === true) await tx.run(vectorIndexStatement(dimensions))
}
