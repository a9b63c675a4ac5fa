import type { DateOrigin, Memory, MemoryContent, MemoryState, Place, Role } from '../../model/memory.ts'
import type { SqlRow } from './database.ts'
import type { Scopes } from './scopes.ts'

/** Columns of a place, of its document, and of nothing else. */
export const PLACE_COLUMNS =
  'p.start_line, p.end_line, p.position, p.occurred_at, p.date_origin, p.session_id, p.turn_id, d.root, d.path'

const MEMORY_COLUMNS =
  'm.ordinal, m.id, m.scope, m.category, m.tier, m.type, m.trust, m.importance, m.state, m.role, m.speaker, m.tool, ' +
  'm.header_path, m.text, m.embed_text'

/** A memory with its canonical place, its number of places and its accesses. Append a WHERE. */
export const SELECT_MEMORY = `SELECT ${MEMORY_COLUMNS}, ${PLACE_COLUMNS}, a.count AS access_count, a.last AS last_access,
  (SELECT count(*) FROM place WHERE ordinal = m.ordinal) AS place_count
  FROM memory m
  JOIN place p ON p.document = m.document AND p.position = m.position
  JOIN document d ON d.id = m.document
  LEFT JOIN access a ON a.id = m.id`

/** An embed text is mostly the text with something around it: then only what is around it is kept, as a JSON pair. */
export function packEmbedText(embedText: string, text: string): string {
  const at = embedText.indexOf(text)
  if (at === -1) return JSON.stringify(embedText)
  return JSON.stringify([embedText.slice(0, at), embedText.slice(at + text.length)])
}

export function unpackEmbedText(packed: string, text: string): string {
  const given = JSON.parse(packed) as string | [string, string]
  return typeof given === 'string' ? given : given[0] + text + given[1]
}

export function toContent(row: SqlRow, scopes: Scopes): MemoryContent {
  const { role, speaker, tool } = row
  // Safe because the columns hold what was a MemoryContent when it was written.
  return {
    id: row.id,
    scope: { ...scopes.get(Number(row.scope)) },
    category: row.category,
    tier: row.tier,
    type: row.type,
    trust: row.trust,
    importance: row.importance,
    text: row.text,
    headerPath: JSON.parse(String(row.header_path)),
    embedText: unpackEmbedText(String(row.embed_text), String(row.text)),
    ...(role !== null && { role: role as Role }),
    ...(speaker !== null && { speaker }),
    ...(tool !== null && { tool }),
  } as MemoryContent
}

export function toPlace(row: SqlRow): Place {
  const { occurred_at: occurredAt, date_origin: dateOrigin, session_id: sessionId, turn_id: turnId } = row
  return {
    root: String(row.root),
    path: String(row.path),
    startLine: Number(row.start_line),
    endLine: Number(row.end_line),
    position: Number(row.position),
    ...(typeof occurredAt === 'string' && { occurredAt }),
    ...(typeof dateOrigin === 'string' && { dateOrigin: dateOrigin as DateOrigin }),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof turnId === 'string' && { turnId }),
  }
}

export function toMemory(row: SqlRow, scopes: Scopes): Memory {
  const { last_access: lastAccess } = row
  return {
    ...toContent(row, scopes),
    place: toPlace(row),
    placeCount: Number(row.place_count),
    state: String(row.state) as MemoryState,
    accessCount: Number(row.access_count ?? 0),
    ...(typeof lastAccess === 'string' && { lastAccess }),
  }
}
