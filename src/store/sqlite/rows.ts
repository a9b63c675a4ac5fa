import type { Memory, MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import { type PlaceDetail, unpackDetail, unpackEmbedText } from '../content-codec.ts'
import type { SqlRow, SqlValue } from './database.ts'
import type { DocumentNames } from './document-names.ts'
import type { Scopes } from './scopes.ts'

/** What the rows name by number. */
export interface Names {
  scopes: Scopes
  documents: DocumentNames
  /** IANA zone in which days that texts name are counted; default UTC. */
  timeZone?: string
}

/** Append a WHERE. For toContent. */
export const SELECT_CONTENT = 'SELECT m.ordinal, m.id, m.scope, m.importance, m.text, m.detail, m.embed'

/** A memory with its canonical place and its accesses, its columns as toMemory takes them. Append a WHERE. */
const SELECT_MEMORY = `${SELECT_CONTENT}, m.state, m.document, m.position, m.place_count, p.detail AS place, a.count, a.last
  FROM memory m
  JOIN place p ON p.document = m.document AND p.position = m.position
  LEFT JOIN access a ON a.id = m.id`
/** Of ordinals, or of ids, in a JSON list: one statement for many rows is several times faster than one for each. */
export const SELECT_MEMORIES_BY_ORDINAL = `${SELECT_MEMORY} WHERE m.ordinal IN (SELECT value FROM json_each(?))`
export const SELECT_MEMORIES_BY_ID = `${SELECT_MEMORY} WHERE m.id IN (SELECT value FROM json_each(?))`

/** The embed text of a row with `text` and `embed`. */
export function embedTextOf(row: SqlRow): string {
  return unpackEmbedText(row.embed, String(row.text))
}

/** The columns of SELECT_CONTENT without the first. */
function makeContent(
  [id, scope, importance, text, detail, embed]: readonly SqlValue[],
  { scopes }: Names,
): MemoryContent {
  // Assigned to the parsed object, not spread into a new one: this is done for hundreds of rows a search.
  return Object.assign(unpackDetail(detail), {
    id: String(id),
    scope: { ...scopes.get(Number(scope)) },
    importance: Number(importance),
    text: String(text),
    embedText: unpackEmbedText(embed, String(text)),
  })
}

export function toContent(row: SqlRow, names: Names): MemoryContent {
  const { id, scope, importance, text, detail, embed } = row
  return makeContent(
    [id ?? null, scope ?? null, importance ?? null, text ?? null, detail ?? null, embed ?? null],
    names,
  )
}

/** `detail` is what packPlace gave. */
export function toPlace(detail: string, at: { document: number; position: number }, { documents }: Names): Place {
  const { root, path } = documents.get(at.document)
  return Object.assign(JSON.parse(detail) as PlaceDetail, { root, path, position: at.position })
}

/** `row`: the columns of SELECT_MEMORIES_BY_…. */
export function toMemory(row: readonly SqlValue[], names: Names): Memory {
  const [state, document, position, placeCount, place, accessCount, lastAccess] = row.slice(7)
  const at = { document: Number(document), position: Number(position) }
  const memory: Memory = Object.assign(makeContent(row.slice(1), names), {
    place: toPlace(String(place), at, names),
    placeCount: Number(placeCount),
    state: String(state) as MemoryState,
    accessCount: Number(accessCount ?? 0),
  })
  if (typeof lastAccess === 'string') memory.lastAccess = lastAccess
  return memory
}
