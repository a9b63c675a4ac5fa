import { createHash } from 'node:crypto'
import { unpackEmbedText } from '../../content-codec.ts'
import type { GivenVectors } from '../../memory-store.ts'
import { toUnitVector } from '../../vector-scan/unit-vector.ts'
import { deleteRows, describeTable, upsertRows } from '../bulk-rows.ts'
import type { Transaction } from '../postgres-connection.ts'
import { raiseSequence } from '../tenant-rows.ts'
import { ensureIdentity, findIdentity, holdsVectors, NO_IDENTITY, type StoredIdentity } from './identities.ts'
import { formatReals, packCodes, unpackReals } from './pack-windows.ts'
import { ensureVectorIndex } from './vector-indexes.ts'

const EMBEDDING = describeTable(
  'embedding',
  'tenant text, ordinal integer, identity integer, windows integer, text_hash bytea, changed bigint, codes bytea',
)
const TOKENS = describeTable('token_vectors', 'tenant text, ordinal integer, data bytea')
const WINDOW_KEYS = describeTable('vector_window', 'tenant text, ordinal integer')
const TOKEN_KEYS = describeTable('token_vectors', 'tenant text, ordinal integer')
const INSERT_WINDOWS = `INSERT INTO vector_window (tenant, ordinal, number, identity, dimensions, exact)
  SELECT $1, ordinal, number, $2, $3, exact::real[] FROM unnest($4::integer[], $5::integer[], $6::text[])
    AS w (ordinal, number, exact)`
/** Windows that go in one statement: some megabytes as text. */
const BATCH_WINDOWS = 500

/** By what equal texts are found. */
export function hashEmbedText(text: string): Uint8Array {
  return createHash('sha256').update(text).digest().subarray(0, 16)
}

/** Stores vectors for texts that are still the memories' texts, in place of any that they had. */
export async function putVectors(
  tx: Transaction,
  tenants: readonly string[],
  name: string,
  vectors: readonly GivenVectors[],
): Promise<void> {
  let units: GivenVectors[] = vectors.map((given) => ({
    ...given,
    windows: given.windows.map((window) => toUnitVector(window)),
  }))
  for (const tenant of tenants) {
    const matching = await findMatching(tx, tenant, units)
    if (matching.length === 0 && tenants.length > 1) continue
    const identity = await ensureIdentity(tx, tenant, name)
    const dimensions = await settleDimensions(tx, tenant, identity, units)
    units = checkDimensions(units, dimensions)
    await writeVectors(tx, tenant, { ...identity, dimensions: dimensions ?? 0 }, matching)
  }
}

/** The vectors whose text is that of a memory, with the memory's ordinal; of several for one memory the last. */
async function findMatching(
  tx: Transaction,
  tenant: string,
  vectors: readonly GivenVectors[],
): Promise<Array<GivenVectors & { ordinal: number }>> {
  const rows = await tx.query(
    'SELECT ordinal, id, text, embed FROM memory WHERE tenant = $1 AND id = ANY($2::text[])',
    [tenant, vectors.map(({ id }) => id)],
  )
  const stored = new Map(
    rows.map(({ ordinal, id, text, embed }) => [
      String(id),
      { ordinal: Number(ordinal), embedText: unpackEmbedText(embed, String(text)) },
    ]),
  )
  const matching = new Map<number, GivenVectors & { ordinal: number }>()
  for (const given of vectors) {
    const memory = stored.get(given.id)
    if (memory?.embedText === given.embedText) matching.set(memory.ordinal, { ...given, ordinal: memory.ordinal })
  }
  return [...matching.values()]
}

/** How many numbers vectors of the identity have: another length is no contradiction where none of the old one is left. */
async function settleDimensions(
  tx: Transaction,
  tenant: string,
  identity: StoredIdentity,
  vectors: readonly GivenVectors[],
): Promise<number | undefined> {
  const length = vectors.find(({ windows }) => windows.length > 0)?.windows[0]?.length
  if (length === undefined || length === identity.dimensions) return identity.dimensions || undefined
  if (identity.dimensions > 0 && (await holdsVectors(tx, tenant, identity))) return identity.dimensions
  await tx.run('UPDATE embedding_identity SET dimensions = $3 WHERE tenant = $1 AND number = $2', [
    tenant,
    identity.number,
    length,
  ])
  await ensureVectorIndex(tx, length)
  return length
}

function checkDimensions(vectors: readonly GivenVectors[], dimensions: number | undefined): GivenVectors[] {
  return vectors.map((given) => ({
    ...given,
    windows: given.windows.map((window) => toUnitVector(window, dimensions)),
  }))
}

async function writeVectors(
  tx: Transaction,
  tenant: string,
  identity: StoredIdentity,
  entries: ReadonlyArray<GivenVectors & { ordinal: number }>,
): Promise<void> {
  // In any case: the identity, or its dimensions, may be new, and others have to learn of it.
  const sequence = await raiseSequence(tx, tenant)
  if (entries.length === 0) return
  const keys = entries.map(({ ordinal }) => [tenant, ordinal])
  await deleteRows(tx, WINDOW_KEYS, keys)
  await deleteRows(tx, TOKEN_KEYS, keys)
  const rows = entries.map(({ ordinal, embedText, windows }) => [
    ...[tenant, ordinal, identity.number, windows.length],
    ...[hashEmbedText(embedText), sequence, packCodes(windows)],
  ])
  await upsertRows(tx, EMBEDDING, ['tenant', 'ordinal'], rows)
  await insertWindows(tx, tenant, identity, entries)
  const withTokens = entries.flatMap(({ ordinal, tokens }) =>
    tokens && tokens.length > 0
      ? [[tenant, ordinal, new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength)]]
      : [],
  )
  await upsertRows(tx, TOKENS, ['tenant', 'ordinal'], withTokens)
}

async function insertWindows(
  tx: Transaction,
  tenant: string,
  { number: identity, dimensions }: StoredIdentity,
  entries: ReadonlyArray<GivenVectors & { ordinal: number }>,
): Promise<void> {
  const rows = entries.flatMap(({ ordinal, windows }) =>
    windows.map((window, number) => ({ ordinal, number, exact: window })),
  )
  for (let at = 0; at < rows.length; at += BATCH_WINDOWS) {
    const batch = rows.slice(at, at + BATCH_WINDOWS)
    await tx.run(INSERT_WINDOWS, [
      ...[tenant, identity, dimensions],
      batch.map(({ ordinal }) => ordinal),
      batch.map(({ number }) => number),
      batch.map(({ exact }) => formatReals(exact)),
    ])
  }
}

const SELECT_VECTORS = `SELECT m.id, w.ordinal, array_send(w.exact) AS exact FROM memory m
  JOIN vector_window w ON w.tenant = m.tenant AND w.ordinal = m.ordinal
  WHERE m.tenant = $1 AND w.identity = $2 AND m.id = ANY($3::text[]) ORDER BY w.ordinal, w.number`

/** The vectors that memories have of an identity, by id. */
export async function getVectors(
  tx: Transaction,
  tenants: readonly string[],
  name: string,
  ids: readonly string[],
): Promise<Map<string, Float32Array[]>> {
  const found = new Map<string, Float32Array[]>()
  for (const tenant of tenants) {
    const identity = await findIdentity(tx, tenant, name)
    if (!identity) continue
    const own = new Map<string, Float32Array[]>()
    for (const { id, exact } of await tx.query(SELECT_VECTORS, [tenant, identity.number, ids])) {
      const windows = own.get(String(id)) ?? []
      windows.push(unpackReals(exact as Uint8Array))
      own.set(String(id), windows)
    }
    for (const [id, windows] of own) if (!found.has(id)) found.set(id, windows)
  }
  return found
}

/** Drops the vectors of an identity, whose memories then wait for new ones. Returns how many memories had any. */
export async function removeVectors(tx: Transaction, tenants: readonly string[], name: string): Promise<number> {
  let removed = 0
  for (const tenant of tenants) {
    const identity = await findIdentity(tx, tenant, name)
    if (!identity) continue
    const sequence = await raiseSequence(tx, tenant)
    const gone = [tenant, identity.number]
    await tx.run(
      `DELETE FROM token_vectors t USING embedding e
       WHERE t.tenant = $1 AND e.tenant = t.tenant AND e.ordinal = t.ordinal AND e.identity = $2`,
      gone,
    )
    await tx.run('DELETE FROM vector_window WHERE tenant = $1 AND identity = $2', gone)
    // What is marked as taken away others learn of, as of any change; what is deleted they would not.
    removed += await tx.run(
      `UPDATE embedding SET identity = $3, windows = 0, codes = '', text_hash = '', changed = $4
       WHERE tenant = $1 AND identity = $2`,
      [...gone, NO_IDENTITY, sequence],
    )
  }
  return removed
}
