import type { Memory, MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import { type PlaceDetail, unpackDetail, unpackEmbedText } from '../content-codec.ts'
import type { SqlRow } from './database.ts'

/** Columns for toContent. */
export const CONTENT_COLUMNS = `m.ordinal, m.id, m.tenant, m.importance, m.text, m.detail, m.embed,
  s.agent, s.project, s.visibility`

/**
 * Memories of tenant $1 with their canonical places and accesses, for toMemory. Append conditions with AND. Every table is held to the
 * tenant by itself: joined by it, the planner would take it for something that tells rows apart.
 */
export const SELECT_MEMORY = `SELECT ${CONTENT_COLUMNS}, m.state, m.position, m.place_count, p.detail AS place, d.root, d.path,
  a.count, a.last FROM memory m
  JOIN scope s ON s.tenant = $1 AND s.number = m.scope
  JOIN place p ON p.tenant = $1 AND p.document = m.document AND p.position = m.position
  JOIN document d ON d.tenant = $1 AND d.number = m.document
  LEFT JOIN access a ON a.tenant = $1 AND a.id = m.id
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
