import type { MemoryContent, Place, Scope } from '../../model/memory.ts'
import { packDetail, packEmbedText, packPlace } from '../content-codec.ts'
import { type SettledDraft, stateAt } from '../write-plan/draft.ts'
import type { PlaceRange } from './drafts.ts'
import type { Transaction } from './postgres-connection.ts'

/** Rows that go in one statement: what it takes as parameters stays of a bounded size. */
const BATCH_ROWS = 2000
const MAX_POSITION = 2 ** 31 - 1

/** Makes room for what is written; says how many places went, by document. */
export async function deletePlaces(
  tx: Transaction,
  tenant: string,
  ranges: Iterable<PlaceRange>,
): Promise<Array<{ document: number; count: number }>> {
  const all = [...ranges]
  if (all.length === 0) return []
  const rows = await tx.query(
    `WITH gone AS (
       DELETE FROM place p USING unnest($2::integer[], $3::integer[], $4::integer[]) AS r (document, start, stop)
       WHERE p.tenant = $1 AND p.document = r.document AND p.position >= r.start AND p.position < r.stop RETURNING p.document
     ) SELECT document, count(*) AS count FROM gone GROUP BY document`,
    [
      tenant,
      all.map(({ document }) => document),
      all.map(({ from }) => from),
      all.map(({ to }) => Math.min(to, MAX_POSITION)),
    ],
  )
  return rows.map(({ document, count }) => ({ document: Number(document), count: Number(count) }))
}

/** Deletes memories and what places of them are left. */
export async function deleteMemories(tx: Transaction, tenant: string, ordinals: readonly number[]): Promise<void> {
  if (ordinals.length === 0) return
  for (const table of ['place', 'memory']) {
    await tx.run(`DELETE FROM ${table} WHERE tenant = $1 AND ordinal = ANY($2::integer[])`, [tenant, ordinals])
  }
}

/** Adds the rows of memories that are new, or have a new ordinal. */
export async function insertMemories(
  tx: Transaction,
  tenant: string,
  drafts: readonly SettledDraft[],
  numberOf: (scope: Scope) => number,
): Promise<void> {
  const rows = drafts.flatMap((draft) => (draft.canonical ? [{ ...draft, ...draft.canonical }] : []))
  for (const batch of batches(rows)) {
    await tx.run(
      `INSERT INTO memory (tenant, ordinal, id, scope, importance, text, detail, embed, length, term_count, document, position,
         place_count, state)
       SELECT $1, u.* FROM unnest($2::integer[], $3::text[], $4::integer[], $5::float8[], $6::text[], $7::text[], $8::text[],
         $9::integer[], $10::integer[], $11::integer[], $12::integer[], $13::integer[], $14::text[]) AS u`,
      [
        tenant,
        batch.map(({ ordinal }) => ordinal),
        batch.map(({ id }) => id),
        batch.map(({ content }) => numberOf(content.scope)),
        batch.map(({ content }) => content.importance),
        batch.map(({ content }) => content.text),
        batch.map(({ content }) => packDetail(content)),
        batch.map(({ content }) => packEmbedText(content)),
        batch.map(({ length }) => length),
        batch.map(({ termCount }) => termCount),
        batch.map(({ document }) => document),
        batch.map(({ place }) => place.position),
        batch.map(({ places }) => places.length),
        batch.map(stateAt),
      ],
    )
  }
}

/** Changes what may change of a memory without a new ordinal. */
export async function updateMemories(
  tx: Transaction,
  tenant: string,
  updated: ReadonlyArray<{ ordinal: number; content: MemoryContent }>,
  numberOf: (scope: Scope) => number,
): Promise<void> {
  for (const batch of batches(updated)) {
    await tx.run(
      `UPDATE memory m SET scope = u.scope, importance = u.importance, detail = u.detail
       FROM unnest($2::integer[], $3::integer[], $4::float8[], $5::text[]) AS u (ordinal, scope, importance, detail)
       WHERE m.tenant = $1 AND m.ordinal = u.ordinal`,
      [
        tenant,
        batch.map(({ ordinal }) => ordinal),
        batch.map(({ content }) => numberOf(content.scope)),
        batch.map(({ content }) => content.importance),
        batch.map(({ content }) => packDetail(content)),
      ],
    )
  }
}

/** Notes where memories stand now, and how often. */
export async function moveMemories(tx: Transaction, tenant: string, drafts: readonly SettledDraft[]): Promise<void> {
  for (const batch of batches(drafts)) {
    await tx.run(
      `UPDATE memory m SET document = u.document, position = u.position, place_count = u.count
       FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::integer[]) AS u (ordinal, document, position, count)
       WHERE m.tenant = $1 AND m.ordinal = u.ordinal`,
      [
        tenant,
        batch.map(({ ordinal }) => ordinal),
        batch.map(({ canonical }) => canonical?.document ?? 0),
        batch.map(({ canonical }) => canonical?.place.position ?? 0),
        batch.map(({ places }) => places.length),
      ],
    )
  }
}

/** A row of the places. */
export interface PlaceRow {
  document: number
  ordinal: number
  place: Place
  occurredMs: number | null
  /** The content as this place gives it, where it differs from the memory's. */
  variant: string | null
}

export async function writePlaces(tx: Transaction, tenant: string, rows: readonly PlaceRow[]): Promise<void> {
  for (const batch of batches(rows)) {
    await tx.run(
      `INSERT INTO place (tenant, document, position, ordinal, occurred_ms, detail, variant)
       SELECT $1, u.* FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::float8[], $6::text[], $7::text[]) AS u
       ON CONFLICT (tenant, document, position) DO UPDATE SET ordinal = excluded.ordinal, occurred_ms = excluded.occurred_ms,
         detail = excluded.detail, variant = excluded.variant`,
      [
        tenant,
        batch.map(({ document }) => document),
        batch.map(({ place }) => place.position),
        batch.map(({ ordinal }) => ordinal),
        batch.map((row) => row.occurredMs),
        batch.map(({ place }) => packPlace(place)),
        batch.map(({ variant }) => variant),
      ],
    )
  }
}

function* batches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS)
}
