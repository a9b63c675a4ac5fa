import { MAX_TURN_PIECES } from '../../options.ts'
import { findQuoting, withoutContext } from '../context-in-embed-text.ts'
import type { Draft } from '../write-plan/draft.ts'
import {
  buryDocuments,
  type DocumentKey,
  dropDocuments,
  leaveDocument,
  leaveExcess,
  loadDocuments,
} from './documents.ts'
import type { PlaceRange } from './drafts.ts'
import { findLostMemories, forgetRelationships } from './relationships/follow-writes.ts'
import { type Buried, bury } from './tombstones.ts'
import type { WriteSession } from './write-session.ts'

export interface ForgetTarget {
  ids?: readonly string[]
  documents?: readonly DocumentKey[]
}

/**
 * Removes memories and documents of the session's tenant from every index and buries them. Of a document, what stands in another one
 * too stays there; what does not is buried by its id as well, so that the file's next name does not bring it back.
 */
export async function forget(
  session: WriteSession,
  { target, now }: { target: ForgetTarget; now: Date },
): Promise<string[]> {
  const { ids = [], documents = [] } = target
  const emptied = await loadDocuments(session, documents)
  await buryDocuments(session, emptied, now)
  for (const { number } of emptied) leaveDocument(session, number)
  await leaveMemories(session, ids)
  const removed = await settleForgotten(session, now)
  await forgetGone(session, target)
  await dropDocuments(session, emptied)
  await dropEmptied(session)
  return removed
}

/** Does the same to the last memories of a document that has too many for one write. It is buried with the first of them. */
export async function forgetLast(
  session: WriteSession,
  { key, now }: { key: DocumentKey; now: Date },
): Promise<string[]> {
  await session.documents.load(session.tx, [key])
  const record = session.documents.find(key)
  if (record) await buryDocuments(session, [record], now)
  await leaveExcess(session, { key, end: 0 })
  return settleForgotten(session, now)
}

async function settleForgotten(session: WriteSession, now: Date): Promise<string[]> {
  const { tx, tenant } = session
  const { removed } = await session.settle({ isForgetting: true })
  const buried = removed.map((id): Buried => ({ kind: 'memory', root: '', key: id }))
  await bury(tx, tenant, buried, now)
  await tx.run('DELETE FROM access WHERE tenant = $1 AND id = ANY($2::text[])', [tenant, removed])
  await forgetRelationships(tx, tenant, removed)
  return removed
}

/** Removes what is kept of memories that were gone before they were forgotten: relationships that dangle, and reviews. */
async function forgetGone(session: WriteSession, { ids = [], documents = [] }: ForgetTarget): Promise<void> {
  const { tx, tenant } = session
  const rows = await tx.query('SELECT id FROM memory WHERE tenant = $1 AND id = ANY($2::text[])', [tenant, ids])
  const found = new Set(rows.map(({ id }) => id))
  const lost: string[] = []
  for (const document of documents) lost.push(...(await findLostMemories(tx, tenant, document)))
  await forgetRelationships(tx, tenant, [...ids.filter((id) => !found.has(id)), ...lost])
}

/** Takes memories out of every document, and their words out of what the turns after them are embedded with. */
async function leaveMemories(session: WriteSession, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await session.drafts.load(session.tx, { ids })
  const drafts = ids.map((id) => session.drafts.byId(id))
  await forgetCursors(session, drafts)
  const ranges = await loadQuoting(session, drafts)
  for (const draft of drafts) {
    for (const { document, place } of [...draft.places]) {
      const range = ranges.get(rangeKey({ document, from: place.position }))
      if (range) dropQuotes(session, ids, range)
    }
    session.leaveEverywhere(draft)
  }
}

/** Documents that hold a memory lose the cursor: it may repeat words of what is about to be forgotten. */
async function forgetCursors({ tx, tenant }: WriteSession, drafts: readonly Draft[]): Promise<void> {
  const numbers = [...new Set(drafts.flatMap(({ places }) => places.map(({ document }) => document)))]
  await tx.run(
    `UPDATE document SET cursor = '', settled = 0
     WHERE tenant = $1 AND number = ANY($2::integer[]) AND cursor IS NOT NULL`,
    [tenant, numbers],
  )
}

/** A memory at a position of a document, and the turn of talk that it belongs to, if any. */
interface Following {
  position: number
  turn: string | null
}

const SELECT_FOLLOWING = `SELECT u.document, u.start, p.position,
    CASE WHEN m.detail::json ->> 'role' IN ('user', 'assistant') THEN coalesce(p.detail::json ->> 'turnId', m.id) END AS turn
  FROM unnest($2::integer[], $3::integer[]) AS u (document, start)
  CROSS JOIN LATERAL (
    SELECT ordinal, position, detail FROM place WHERE tenant = $1 AND document = u.document AND position >= u.start
    ORDER BY position LIMIT $4
  ) p JOIN memory m ON m.tenant = $1 AND m.ordinal = p.ordinal ORDER BY u.document, u.start, p.position`

/** Memories that are looked at first after a place: more than most turns have. */
const FEW_PIECES = 64

/** What has to be left after places of memories: to the end of the next turn. By document and position; loaded as drafts. */
async function loadQuoting(session: WriteSession, drafts: readonly Draft[]): Promise<Map<string, PlaceRange>> {
  const places = drafts
    .flatMap((draft) => draft.places)
    .map(({ document, place }) => ({ document, from: place.position }))
  const few = await readFollowing(session, places, FEW_PIECES)
  const long = places.filter((place) => {
    const rows = few.get(rangeKey(place)) ?? []
    return rows.length >= FEW_PIECES && findTurnEnd(place.from, rows).isOpen
  })
  const many = await readFollowing(session, long, MAX_TURN_PIECES)
  const ranges = new Map<string, PlaceRange>()
  for (const place of places) {
    const key = rangeKey(place)
    ranges.set(key, { ...place, to: findTurnEnd(place.from, many.get(key) ?? few.get(key) ?? []).end })
  }
  await session.drafts.load(session.tx, { ranges: [...ranges.values()] })
  return ranges
}

async function readFollowing(
  { tx, tenant }: WriteSession,
  places: ReadonlyArray<{ document: number; from: number }>,
  limit: number,
): Promise<Map<string, Following[]>> {
  const groups = new Map<string, Following[]>()
  if (places.length === 0) return groups
  const rows = await tx.query(SELECT_FOLLOWING, [
    tenant,
    places.map(({ document }) => document),
    places.map(({ from }) => from),
    limit,
  ])
  for (const { document, start, position, turn } of rows) {
    const key = rangeKey({ document: Number(document), from: Number(start) })
    const one = { position: Number(position), turn: typeof turn === 'string' ? turn : null }
    const known = groups.get(key)
    if (known) known.push(one)
    else groups.set(key, [one])
  }
  return groups
}

function rangeKey({ document, from }: { document: number; from: number }): string {
  return `${document}:${from}`
}

/**
 * The position after the first turn of talk that follows the turn at `from`; what lies between are results of tools. `isOpen`: it may
 * end after what was looked at.
 */
function findTurnEnd(from: number, rows: readonly Following[]): { end: number; isOpen: boolean } {
  const turns = new Set<string>()
  let end = from + 1
  for (const { position, turn } of rows) {
    if (turn !== null) turns.add(turn)
    if (turns.size > 2) return { end, isOpen: false }
    end = position + 1
  }
  return { end, isOpen: true }
}

/** Takes the words of what is forgotten out of what the turn after it is embedded with; it waits for new vectors then. */
function dropQuotes(session: WriteSession, ids: readonly string[], range: PlaceRange): void {
  const left = session.leavePlaces(range)
  left.sort((a, b) => a.place.position - b.place.position)
  const quoting = findQuoting(left, (id) => ids.includes(id))
  left.forEach((one, index) => {
    session.stand(quoting.has(index) ? { ...one, content: withoutContext(one.content) } : one)
  })
}

/** Corrects the counts of documents that lost memories; drops remembered ones that are empty, and scopes of nobody. */
async function dropEmptied(session: WriteSession): Promise<void> {
  const { tx, tenant } = session
  const numbers = session.touchedDocuments()
  await tx.run(
    `UPDATE document d SET memory_count = (SELECT count(*) FROM place p WHERE p.tenant = d.tenant AND p.document = d.number)
     WHERE tenant = $1 AND number = ANY($2::integer[])`,
    [tenant, numbers],
  )
  await tx.run(
    'DELETE FROM document WHERE tenant = $1 AND number = ANY($2::integer[]) AND is_remembered AND memory_count = 0',
    [tenant, numbers],
  )
  await tx.run(
    `DELETE FROM scope s WHERE tenant = $1
     AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = s.tenant AND m.scope = s.number)`,
    [tenant],
  )
}
