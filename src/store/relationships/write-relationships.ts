import { MadeleineError } from '../../errors.ts'
import {
  CORRELATION_PARTS,
  type CorrelationParts,
  type RelationshipKey,
  type RelationshipOrigin,
  type RelationshipWrite,
} from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { LinkingResult } from '../relationship-store.ts'
import { anchorEnds } from './anchors.ts'
import { keyOf, toCanonical, toCanonicalKey } from './canonical.ts'
import { assertWritable, findFault } from './check-writes.ts'
import { FOUND_BY_SOURCE, FOUND_BY_TARGET, type KeptRelationship, type RelationshipRows } from './kept.ts'
import { succeed } from './succeed.ts'

/** RelationshipStore.put over the rows of a store; returns what is stored of each now. */
export function putRelationships(
  rows: RelationshipRows,
  writes: readonly RelationshipWrite[],
  { now, filter }: { now: Date; filter?: MemoryFilter },
): KeptRelationship[] {
  const ends = [...new Set(writes.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
  assertWritable(writes, rows.tenantsOf(ends, filter))
  return writes.map((write) => {
    const given = toKept(write, write.origin, now.getTime())
    const known = rows.find(given)
    if (known?.origin === 'explicit' && given.origin === 'discovered') return known
    const next = succeed(known, given)
    if (next !== known) rows.write(next)
    if (next.origin === 'explicit') anchorEnds(rows, [next.sourceId, next.targetId])
    return next
  })
}

/** RelationshipStore.remove. */
export function removeRelationships(
  rows: RelationshipRows,
  keys: readonly RelationshipKey[],
  filter?: MemoryFilter,
): number {
  let removed = 0
  for (const key of keys.map(toCanonicalKey)) {
    const { sourceId, targetId } = key
    if (rows.find(key)?.origin !== 'explicit') continue
    if (filter && rows.tenantsOf([sourceId, targetId], filter).size < 2) continue
    rows.drop(key)
    removed += 1
    for (const id of [sourceId, targetId]) letGo(rows, id)
  }
  return removed
}

/** Forgets where a memory stood when nothing is left that would have to be found again. */
function letGo(rows: RelationshipRows, id: string): void {
  const isNamed = rows.withEnd(id).some(({ origin }) => origin === 'explicit') || rows.reviewsWith(id).length > 0
  if (isNamed) return
  rows.dropAnchor(id)
  if (!rows.memory(id)) rows.release([id])
}

/** RelationshipStore.replaceDiscovered. */
export function replaceDiscovered(
  rows: RelationshipRows,
  given: { linked: ReadonlyArray<{ id: string; mark?: number }>; found: readonly RelationshipWrite[]; now: Date },
): LinkingResult {
  const { linked, found, now } = given
  const asked = new Set(linked.map(({ id }) => id))
  assertOfLinked(found, asked)
  const stale = linked.filter(({ id, mark }) => mark !== undefined && rows.markOf(id) !== mark).map(({ id }) => id)
  for (const id of stale) asked.delete(id)
  const { fresh, skipped } = collectFresh(rows, { found, linked: asked, nowMs: now.getTime() })
  const result: LinkingResult = { written: 0, removed: 0, skipped, stale }
  for (const id of asked) result.removed += takeBack(rows, id, fresh)
  for (const one of fresh.values()) {
    const outcome = rows.writeDiscovered(one)
    if (outcome === 'written') result.written += 1
    if (outcome === 'explicit') result.skipped += 1
  }
  rows.dropAwaiting(linked.filter(({ id, mark }) => mark !== undefined && asked.has(id)).map(({ id }) => id))
  return result
}

/** Takes back what a memory found before and does not find now. Returns how many nobody else found either. */
function takeBack(rows: RelationshipRows, id: string, fresh: ReadonlyMap<string, KeptRelationship>): number {
  let removed = 0
  for (const one of rows.foundBy(id)) {
    if (fresh.has(keyOf(one))) continue
    const finders = one.finders & ~findersAmong(one, new Set([id]))
    if (finders === 0) {
      rows.drop(one)
      removed += 1
    } else rows.write({ ...one, finders })
  }
  return removed
}

function assertOfLinked(found: readonly RelationshipWrite[], linked: ReadonlySet<string>): void {
  for (const write of found) {
    const isOfLinked = linked.has(write.sourceId) || linked.has(write.targetId)
    const fault = isOfLinked ? findFault(write) : 'neither end is one of the memories that were linked'
    if (fault === undefined) continue
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot keep what was discovered from "${write.sourceId}" to "${write.targetId}": ${fault}`,
      { remedy: 'Give relationships of the linked memories with a known type and a score from 0 to 1' },
    )
  }
}

/** What was found, in canonical form, each once, the last of equal ones; without those whose ends are not both there. */
function collectFresh(
  rows: RelationshipRows,
  { found, linked, nowMs }: { found: readonly RelationshipWrite[]; linked: ReadonlySet<string>; nowMs: number },
): { fresh: Map<string, KeptRelationship>; skipped: number } {
  const tenants = rows.tenantsOf([...new Set(found.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))])
  const fresh = new Map<string, KeptRelationship>()
  let skipped = 0
  for (const write of found) {
    const tenant = tenants.get(write.sourceId)
    const isOfLinked = linked.has(write.sourceId) || linked.has(write.targetId)
    if (!isOfLinked || tenant === undefined || tenant !== tenants.get(write.targetId)) {
      skipped += 1
      continue
    }
    const one = toKept(write, 'discovered', nowMs)
    one.finders = findersAmong(one, linked)
    fresh.set(keyOf(one), one)
  }
  return { fresh, skipped }
}

/** Which of its ends are among these, as bits. */
function findersAmong({ sourceId, targetId }: RelationshipKey, ids: ReadonlySet<string>): number {
  return (ids.has(sourceId) ? FOUND_BY_SOURCE : 0) | (ids.has(targetId) ? FOUND_BY_TARGET : 0)
}

function toKept(write: RelationshipWrite, origin: RelationshipOrigin, nowMs: number): KeptRelationship {
  const { sourceId, targetId, relationshipType, score, reason = '', parts, evidence, metadata } = write
  const kept: KeptRelationship = {
    sourceId,
    targetId,
    relationshipType,
    score,
    origin,
    // Whoever writes a discovered one by hand says it of both ends.
    finders: origin === 'explicit' ? 0 : FOUND_BY_SOURCE | FOUND_BY_TARGET,
    reason,
    evidence: evidence ? evidence.map(({ side, start, end }) => ({ side, start, end })) : [],
    // As JSON has it, so that all stores give back the same.
    metadata: metadata ? (JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>) : {},
    createdMs: nowMs,
    updatedMs: nowMs,
  }
  if (parts) kept.parts = orderParts(parts)
  return toCanonical(kept)
}

/** A copy of the parts in one order, whatever order they were given in. */
function orderParts(parts: CorrelationParts): CorrelationParts {
  const ordered: CorrelationParts = {}
  for (const name of CORRELATION_PARTS) {
    const part = parts[name]
    if (part) ordered[name] = { value: part.value, weight: part.weight }
  }
  return ordered
}
