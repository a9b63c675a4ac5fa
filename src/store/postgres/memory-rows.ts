import type { Memory, MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import { type PlaceDetail, unpackDetail, unpackEmbedText } from '../content-codec.ts'
import type { SqlRow } from './database.ts'

/** Columns for toContent. */
export const CONTENT_COLUMNS = `m.ordinal, m.id, m.tenant, m.importance, m.text, m.detail, m.embed,
  s.agent, s.project, s.visibility`

/**
 * Memories of tenant $1 with their canonical places and accesses, for toMemory. Append conditions with AND. Every table is held to the
 * tenant by itself: joined by it, the planner would take it for something that tells rows apart. LIMIT keeps it to one look by the key for each
 * memory: it takes a walk through all documents for cheaper than it is, and the more of them there are the longer that takes.
 */
export const SELECT_MEMORY = `SELECT ${CONTENT_COLUMNS}, m.state, m.position, m.place_count, p.detail AS place, d.root, d.path,
  a.count, a.last FROM memory m
  JOIN scope s ON s.tenant = $1 AND s.number = m.scope
  CROSS JOIN LATERAL (
    SELECT detail FROM place WHERE tenant = $1 AND document = m.document AND position = m.position LIMIT 1) p
  CROSS JOIN LATERAL (SELECT root, path FROM document WHERE tenant = $1 AND number = m.document LIMIT 1) d
  LEFT JOIN LATERAL (SELECT count, last FROM access WHERE tenant = $1 AND id = m.id LIMIT 1) a ON true
  WHERE m.tenant = $1`

/** `row`: CONTENT_COLUMNS. */
export function toContent(row: SqlRow): MemoryContent {
  const text = String(row.text)
  return Object.assign(unpackDetail(row.detail), {
    id: String(row.id),
    scope: {
      tenant: String(row.tenant),
      agent: String(row.agent),
      project: String(row.project),
      visibility: String(row.visibility) as MemoryContent['scope']['visibility'],
    },
    importance: Number(row.importance),
    text,
    embedText: unpackEmbedText(row.embed, text),
  })
}

/** `row`: SELECT_MEMORY. */
export function toMemory(row: SqlRow): Memory {
  const memory: Memory = Object.assign(toContent(row), {
    place: toPlace(row.place, row),
    placeCount: Number(row.place_count),
    state: String(row.state) as MemoryState,
    accessCount: Number(row.count ?? 0),
  })
  if (typeof row.last === 'string') memory.lastAccess = row.last
  return memory
}

/** `detail` is what packPlace gave; `row` has root, path and position. */
export function toPlace(detail: unknown, { root, path, position }: SqlRow): Place {
  return Object.assign(JSON.parse(String(detail)) as PlaceDetail, {
    root: String(root),
    path: String(path),
    position: Number(position),
  })
}
