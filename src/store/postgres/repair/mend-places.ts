import { partOf } from '../../keyword-index/roster-part.ts'
import type { Transaction } from '../postgres-connection.ts'
import { type RosterPart, rewriteRosterParts } from '../rosters.ts'
import { raiseSequence } from '../tenant-rows.ts'
import type { WriteSession } from '../write-session.ts'

/** Parts of rosters that are made anew in one go. */
const BATCH = 4096

const DROP_PLACES = `DELETE FROM place p WHERE p.tenant = $1 AND (
  NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.ordinal = p.ordinal)
  OR NOT EXISTS (SELECT 1 FROM document d WHERE d.tenant = $1 AND d.number = p.document))`
/** What was remembered has one place, in a document of its own. */
const PLACE_REMEMBERED = `INSERT INTO place (tenant, document, position, ordinal, occurred_ms, detail, variant)
  SELECT $1, m.document, 0, m.ordinal, NULL, $2, NULL FROM memory m
  JOIN document d ON d.tenant = $1 AND d.number = m.document AND d.is_remembered
  WHERE m.tenant = $1 AND NOT EXISTS (SELECT 1 FROM place p WHERE p.tenant = $1 AND p.ordinal = m.ordinal)
  ON CONFLICT DO NOTHING`
const SELECT_MISPLACED = `SELECT m.id FROM memory m WHERE m.tenant = $1 AND (
  NOT EXISTS (SELECT 1 FROM place p WHERE p.tenant = $1 AND p.document = m.document AND p.position = m.position
    AND p.ordinal = m.ordinal)
  OR m.place_count <> (SELECT count(*) FROM place p WHERE p.tenant = $1 AND p.ordinal = m.ordinal)) ORDER BY m.id`
const COUNT_MEMORIES = `UPDATE document d SET memory_count = c.count FROM (
    SELECT d.number, count(p.ordinal) AS count FROM document d LEFT JOIN place p ON p.tenant = $1 AND p.document = d.number
    WHERE d.tenant = $1 GROUP BY d.number) c
  WHERE d.tenant = $1 AND d.number = c.number AND d.memory_count <> c.count`
/** What is left of others goes with them. */
const STRAYS = [
  `DELETE FROM cue c WHERE c.tenant = $1
   AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.ordinal = c.ordinal)`,
]
const SELECT_ROSTERS = 'SELECT document, part FROM roster WHERE tenant = $1'
const SELECT_LASTS = 'SELECT document, max(position) AS last FROM place WHERE tenant = $1 GROUP BY document'

/**
 * Makes anew, from the places, where memories stand and how many a document holds. A memory without any place is removed, unless it was
 * remembered: then it gets its place back.
 */
export async function mendPlaces(session: WriteSession): Promise<void> {
  const { tx, tenant } = session
  await tx.run(DROP_PLACES, [tenant])
  await tx.run(PLACE_REMEMBERED, [tenant, JSON.stringify({ startLine: 1, endLine: 1 })])
  const ids = (await tx.query(SELECT_MISPLACED, [tenant])).map(({ id }) => String(id))
  // A session that knows of memories writes where they belong, and removes what belongs nowhere.
  await session.drafts.load(tx, { ids })
  await session.settle()
  await tx.run(COUNT_MEMORIES, [tenant])
  for (const sql of STRAYS) await tx.run(sql, [tenant])
}

/** Makes all rosters anew from the rows of the memories; those of documents that are gone become empty, which processes learn of. */
export async function mendRosters(tx: Transaction, tenant: string): Promise<void> {
  const sequence = await raiseSequence(tx, tenant, { isStructure: true })
  const parts = new Map<string, RosterPart>()
  const note = (document: number, part: number): void => {
    parts.set(`${document} ${part}`, { document, part })
  }
  for (const { document, part } of await tx.query(SELECT_ROSTERS, [tenant])) note(Number(document), Number(part))
  for (const { document, last } of await tx.query(SELECT_LASTS, [tenant])) {
    for (let part = 0; part <= partOf(Number(last)); part++) note(Number(document), part)
  }
  const all = [...parts.values()]
  for (let at = 0; at < all.length; at += BATCH) {
    await rewriteRosterParts(tx, tenant, all.slice(at, at + BATCH), sequence)
  }
}
