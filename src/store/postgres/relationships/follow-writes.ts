import { findLost, followChange, forgetMemories, type MemoryChange } from '../../relationships/follow-edits.ts'
import type { Transaction } from '../postgres-connection.ts'
import { loadRows } from './load-rows.ts'
import { saveRows } from './save-rows.ts'

const HAS_ANCHORS = 'SELECT EXISTS (SELECT 1 FROM anchor WHERE tenant = $1) AS found'

/** Lets relationships and reviews follow what a write did to the memories of a tenant; at its end, in its transaction. */
export async function followWrites(tx: Transaction, tenant: string, change: MemoryChange): Promise<void> {
  const tenants = [tenant]
  const documents = [...change.documents]
  const { added, removed, changed, reworded } = change
  const touched = [...removed, ...reworded]
  const [row] =
    removed.length + changed.length + added.length > 0 || documents.length > 0
      ? await tx.query(HAS_ANCHORS, [tenant])
      : []
  const isAnchored = row?.found === true
  const rows = await loadRows(tx, tenants, {
    explicitOf: touched,
    reviewsWith: touched,
    ...(isAnchored && { anchorsIn: documents }),
  })
  rows.isAnchored = isAnchored
  if (isAnchored && rows.anchors.all().length > 0) {
    const anchors = rows.anchors.all()
    const ends = anchors.flatMap(({ id, successor }) => (successor ? [id, successor.id] : [id]))
    // Where nothing is lost nothing follows, and the new memories need not be looked at.
    await loadRows(tx, tenants, { memories: ends }, rows)
    const isLost = anchors.some(({ id }) => !rows.memory(id)) || documents.some(({ isPartial }) => isPartial)
    const followers = isLost && !change.isForgetting ? added : []
    await loadRows(
      tx,
      tenants,
      {
        memories: followers,
        explicitOf: [...ends, ...followers],
        reviewsWith: [...ends, ...followers],
        anchors: [...ends, ...followers],
      },
      rows,
    )
  }
  followChange(rows, { ...change, documents })
  await saveRows(tx, tenants, rows)
}

/** Removes all that names memories of a tenant. */
export async function forgetRelationships(tx: Transaction, tenant: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const tenants = [tenant]
  const rows = await loadRows(tx, tenants, { withEnd: ids, reviewsWith: ids, anchors: ids })
  forgetMemories(rows, ids)
  await saveRows(tx, tenants, rows)
}

/** Ids of memories that stood in a document when they were last seen, and are not there any more. */
export async function findLostMemories(
  tx: Transaction,
  tenant: string,
  document: { root: string; path: string },
): Promise<string[]> {
  const rows = await loadRows(tx, [tenant], { anchorsIn: [document] })
  await loadRows(tx, [tenant], { memories: rows.anchors.all().map(({ id }) => id) }, rows)
  return findLost(rows, document)
}
