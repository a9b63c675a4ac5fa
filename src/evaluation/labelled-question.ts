/**
 * Where an answer stands: a document, a passage of it by its words or by its lines, or a memory. Paths are as in search results, or
 * whole; `contains` is compared with white space taken as one space.
 */
export type GoldPlace =
  | { path: string; contains?: string }
  | { path: string; startLine: number; endLine: number }
  | { id: string }

/** A question with the places that answer it, labelled by somebody who knows. */
export interface LabelledQuestion {
  query: string
  /** Any memory of a place answers for it; empty where the memory knows nothing and recall should stay silent. */
  gold: readonly GoldPlace[]
  /** Older statements, above which the gold should stand. */
  stale?: readonly GoldPlace[]
  /** A group of questions, of the author's choice. */
  kind?: string
  note?: string
  /** Where in its file the question stands, 1-based. */
  line?: number
}

/** A place as a person would write it. */
export function describeGoldPlace(place: GoldPlace): string {
  if ('id' in place) return place.id
  if ('startLine' in place) return `${place.path}:${place.startLine}-${place.endLine}`
  return place.contains === undefined ? place.path : `${place.path} ${JSON.stringify(place.contains)}`
}
