import type { Memory, MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import type { SqlRow } from './database.ts'
import type { DocumentNames } from './document-names.ts'
import type { Scopes } from './scopes.ts'

/** What the rows name by number. */
export interface Names {
  scopes: Scopes
  documents: DocumentNames
}

/** Append a WHERE. For toContent. */
export const SELECT_CONTENT = 'SELECT m.ordinal, m.id, m.scope, m.importance, m.text, m.detail'

/** A memory with its canonical place and its accesses, for toMemory. Append a WHERE. */
const SELECT_MEMORY = `${SELECT_CONTENT}, m.state, m.document, m.position, m.place_count,
  p.detail AS place, a.count AS access_count, a.last AS last_access
  FROM memory m
  JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN access a ON a.id = m.id`
/** Of ordinals, or of ids, in a JSON list: one statement for many rows is several times faster than one for each. */
export const SELECT_MEMORIES_BY_ORDINAL = `${SELECT_MEMORY} WHERE m.ordinal IN (SELECT value FROM json_each(?))`
export const SELECT_MEMORIES_BY_ID = `${SELECT_MEMORY} WHERE m.id IN (SELECT value FROM json_each(?))`

/** The part of a content that is kept as JSON. */
type ContentDetail = Omit<MemoryContent, 'id' | 'scope' | 'importance' | 'text' | 'embedText'> & {
  /** The embed text; where it is the text with something around it (it mostly is), only what is around it. */
  embed: string | [before: string, after: string]
}

export function packDetail(content: MemoryContent): string {
  const { category, tier, type, trust, headerPath, embedText, text, role, speaker, tool } = content
  const at = embedText.indexOf(text)
  const embed: ContentDetail['embed'] =
    at === -1 ? embedText : [embedText.slice(0, at), embedText.slice(at + text.length)]
  return JSON.stringify({ category, tier, type, trust, headerPath, embed, role, speaker, tool })
}

export function unpackDetail(detail: string, text: string): Omit<MemoryContent, 'id' | 'scope' | 'importance'> {
  const { embed, ...rest } = JSON.parse(detail) as ContentDetail
  return { ...rest, text, embedText: typeof embed === 'string' ? embed : embed[0] + text + embed[1] }
}

/** The embed text of a row with `text` and `detail`. */
export function embedTextOf(row: SqlRow): string {
  return unpackDetail(String(row.detail), String(row.text)).embedText
}

export function toContent(row: SqlRow, { scopes }: Names): MemoryContent {
  return {
    id: String(row.id),
    scope: { ...scopes.get(Number(row.scope)) },
    importance: Number(row.importance),
    ...unpackDetail(String(row.detail), String(row.text)),
  }
}

type PlaceDetail = Omit<Place, 'root' | 'path' | 'position'>

export function packPlace({ startLine, endLine, occurredAt, dateOrigin, sessionId, turnId }: Place): string {
  return JSON.stringify({ startLine, endLine, occurredAt, dateOrigin, sessionId, turnId })
}

/** `detail` is what packPlace gave. */
export function toPlace(detail: string, at: { document: number; position: number }, { documents }: Names): Place {
  const { root, path } = documents.get(at.document)
  return { root, path, position: at.position, ...(JSON.parse(detail) as PlaceDetail) }
}

export function toMemory(row: SqlRow, names: Names): Memory {
  const { last_access: lastAccess } = row
  return {
    ...toContent(row, names),
    place: toPlace(String(row.place), { document: Number(row.document), position: Number(row.position) }, names),
    placeCount: Number(row.place_count),
    state: String(row.state) as MemoryState,
    accessCount: Number(row.access_count ?? 0),
    ...(typeof lastAccess === 'string' && { lastAccess }),
  }
}
