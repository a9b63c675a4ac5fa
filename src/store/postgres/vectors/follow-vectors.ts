import type { Transaction } from '../postgres-connection.ts'
import { NO_IDENTITY } from './identities.ts'
import { hashEmbedText } from './stored-vectors.ts'

/** What a write makes of the texts of a tenant's memories. */
export interface TextChanges {
  tenant: string
  /** The change sequence of the write. */
  sequence: number
  /** New ordinals with their texts; `from` is the memory's former ordinal where its text is the same. */
  inherits: ReadonlyArray<{ ordinal: number; embedText: string; from: number | null }>
  /** Ordinals that cease to be. */
  dropped: readonly number[]
}

const FIND_SOURCES = `SELECT t.ordinal, s.ordinal AS source FROM unnest($2::integer[], $3::bytea[]) AS t (ordinal, text_hash)
  CROSS JOIN LATERAL (
    SELECT e.ordinal FROM embedding e WHERE e.tenant = $1 AND e.text_hash = t.text_hash AND e.identity <> $4
    ORDER BY e.changed DESC, e.ordinal DESC LIMIT 1
  ) s`
const PAIRS = 'unnest($2::integer[], $3::integer[]) AS p (ordinal, source)'
const COPIES = [
  `INSERT INTO vector_window (tenant, ordinal, number, identity, dimensions, exact)
   SELECT $1, p.ordinal, w.number, w.identity, w.dimensions, w.exact FROM ${PAIRS}
   JOIN vector_window w ON w.tenant = $1 AND w.ordinal = p.source`,
  `INSERT INTO token_vectors (tenant, ordinal, data)
   SELECT $1, p.ordinal, t.data FROM ${PAIRS} JOIN token_vectors t ON t.tenant = $1 AND t.ordinal = p.source`,
]
const COPY_STATUS = `INSERT INTO embedding (tenant, ordinal, identity, windows, text_hash, changed, codes)
   SELECT $1, p.ordinal, e.identity, e.windows, e.text_hash, $4, e.codes FROM ${PAIRS}
   JOIN embedding e ON e.tenant = $1 AND e.ordinal = p.source`

/** Lets vectors follow their texts during a write: to a memory's new ordinal, and to other memories of equal text. */
export async function followVectors(
  tx: Transaction,
  { tenant, sequence, inherits, dropped }: TextChanges,
): Promise<void> {
  const sources = await findSources(tx, tenant, inherits)
  if (sources.length > 0) {
    const pairs = [tenant, sources.map(({ ordinal }) => ordinal), sources.map(({ source }) => source)]
    for (const copy of COPIES) await tx.run(copy, pairs)
    await tx.run(COPY_STATUS, [...pairs, sequence])
  }
  // Last: a text may come back under another id in the same write.
  if (dropped.length === 0) return
  for (const table of ['vector_window', 'token_vectors', 'embedding']) {
    await tx.run(`DELETE FROM ${table} WHERE tenant = $1 AND ordinal = ANY($2::integer[])`, [tenant, dropped])
  }
}

/** For each new ordinal the one whose text is equal; the vectors of a memory's former ordinal are of the same text too. */
async function findSources(
  tx: Transaction,
  tenant: string,
  inherits: TextChanges['inherits'],
): Promise<Array<{ ordinal: number; source: number }>> {
  if (inherits.length === 0) return []
  const rows = await tx.query(FIND_SOURCES, [
    tenant,
    inherits.map(({ ordinal }) => ordinal),
    inherits.map(({ embedText }) => hashEmbedText(embedText)),
    NO_IDENTITY,
  ])
  return rows.map(({ ordinal, source }) => ({ ordinal: Number(ordinal), source: Number(source) }))
}
