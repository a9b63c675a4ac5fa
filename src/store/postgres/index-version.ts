import { indexVersion } from '../keyword-index/index-version.ts'
import { partOf } from '../keyword-index/roster-part.ts'
import { toContent } from './memory-rows.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { PostingSegments } from './posting-segments.ts'
import { prepareTenants } from './prepare-tenants.ts'
import { rewriteRosterParts } from './rosters.ts'

/** Memories of one segment of a rebuilt index. */
const REBUILD_BATCH = 8192

const SELECT_STALE = 'SELECT tenant FROM tenant WHERE tenant = ANY($1::text[]) AND index_version <> $2 ORDER BY tenant'
const SELECT_TEXTS = `SELECT m.ordinal, m.id, m.tenant, m.importance, m.text, m.detail, m.embed, d.path FROM memory m
  JOIN document d ON d.tenant = $1 AND d.number = m.document
  WHERE m.tenant = $1 AND m.ordinal > $2 ORDER BY m.ordinal LIMIT $3`
const SET_LENGTHS = `UPDATE memory m SET length = u.length, term_count = u.count
  FROM unnest($2::integer[], $3::integer[], $4::integer[]) AS u (ordinal, length, count)
  WHERE m.tenant = $1 AND m.ordinal = u.ordinal`

/** Makes the keyword indexes anew that another way of making terms made: what it holds and a query does not ask for would be lost silently. */
export async function prepareIndexes(connection: PostgresConnection): Promise<void> {
  await prepareTenants(connection, {
    selectStale: SELECT_STALE,
    version: indexVersion(),
    prepare: rebuildIndex,
    isRepeatable: true,
  })
}

/** Makes the keyword index of a tenant anew from the texts; within a write. */
export async function rebuildIndex(tx: Transaction, tenant: string): Promise<void> {
  const [row] = await tx.query('SELECT sequence, next_segment FROM tenant WHERE tenant = $1', [tenant])
  const sequence = Number(row?.sequence) + 1
  let nextSegment = Number(row?.next_segment)
  const postings = new PostingSegments(tx, tenant, () => nextSegment++)
  await postings.clear()
  await addAll(tx, tenant, postings)
  while (await postings.mergeNext());
  const last = await tx.query('SELECT document, max(position) AS last FROM place WHERE tenant = $1 GROUP BY document', [
    tenant,
  ])
  const parts = last.flatMap((one) =>
    Array.from({ length: partOf(Number(one.last)) + 1 }, (_, part) => ({ document: Number(one.document), part })),
  )
  for (let at = 0; at < parts.length; at += REBUILD_BATCH) {
    await rewriteRosterParts(tx, tenant, parts.slice(at, at + REBUILD_BATCH), sequence)
  }
  await tx.run(
    'UPDATE tenant SET sequence = $2, structure = $2, next_segment = $3, index_version = $4 WHERE tenant = $1',
    [tenant, sequence, nextSegment, indexVersion()],
  )
}

async function addAll(tx: Transaction, tenant: string, postings: PostingSegments): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await tx.query(SELECT_TEXTS, [tenant, after, REBUILD_BATCH])
    if (rows.length === 0) return
    const segment = postings.createDraft()
    const lengths = rows.map((row) => {
      after = Number(row.ordinal)
      return { ordinal: after, ...segment.add(after, toContent(row), String(row.path)) }
    })
    await tx.run(SET_LENGTHS, [
      tenant,
      lengths.map(({ ordinal }) => ordinal),
      lengths.map(({ length }) => length),
      lengths.map(({ termCount }) => termCount),
    ])
    await postings.add(segment)
  }
}
