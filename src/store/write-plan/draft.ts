import type { MemoryContent, MemoryState } from '../../model/memory.ts'
import { comparePlaces, occurredMs } from '../canonical-place.ts'
import { packKind, type RosterMember } from '../keyword-index/roster.ts'
import type { CuedOccurrence } from '../noted-cues.ts'

/** A place of a memory in the document of this number. */
export interface DraftPlace extends CuedOccurrence {
  document: number
  /** That of a memory that is new here; absent: active. */
  state?: MemoryState
}

/** A memory as it is stored. */
export interface StoredMemory {
  ordinal: number
  content: MemoryContent
  /** The canonical place: its document by number and path, and its position. */
  document: number
  path: string
  position: number
  /** Words, for BM25. */
  length: number
  /** Different terms that the index has of it. */
  termCount: number
  placeCount: number
  state: MemoryState
}

/** A memory during a write: what is stored of it, and where it is to stand. */
export interface Draft {
  id: string
  stored: StoredMemory | null
  places: DraftPlace[]
}

/** A draft whose outcome is decided: removed when it has no canonical place. */
export interface SettledDraft extends Draft {
  canonical: DraftPlace | undefined
  ordinal: number
  /** Words, for BM25. */
  length: number
  termCount: number
}

/** The place that stands for a memory, or undefined when it has none. */
export function findCanonical(places: readonly DraftPlace[]): DraftPlace | undefined {
  return places.length > 1 ? places.toSorted(comparePlaces)[0] : places[0]
}

/** Whether a memory keeps its ordinal at this place: its terms and its embed text are those that are stored. */
export function keepsOrdinal({ content: stored, path }: StoredMemory, { content, place }: DraftPlace): boolean {
  return (
    path === place.path &&
    stored.text === content.text &&
    stored.embedText === content.embedText &&
    stored.speaker === content.speaker &&
    stored.headerPath.join('\0') === content.headerPath.join('\0')
  )
}

/** The state that it has after the write: what keeps its ordinal keeps its state. */
export function stateAt({
  ordinal,
  stored,
  canonical,
}: Pick<SettledDraft, 'ordinal' | 'stored' | 'canonical'>): MemoryState {
  return stored?.ordinal === ordinal ? stored.state : (canonical?.state ?? 'active')
}

/** Its entry in the roster of its document. `numberOf` gives the number of a scope. */
export function toRosterMember(
  { ordinal, length, stored, canonical, places }: SettledDraft,
  numberOf: (scope: MemoryContent['scope']) => number,
): RosterMember {
  const content = canonical?.content
  const state = stateAt({ ordinal, stored, canonical })
  const times = places.flatMap(({ place }) => occurredMs(place) ?? [])
  return {
    ordinal,
    length,
    kind: content ? packKind({ ...content, state }) : 0,
    scope: content ? numberOf(content.scope) : 0,
    times: times.length > 1 ? [...new Set(times)].sort((a, b) => a - b) : times,
  }
}

/** Orders drafts of one document by their places in it. */
export function compareInDocument(a: SettledDraft, b: SettledDraft): number {
  return (a.canonical?.place.position ?? 0) - (b.canonical?.place.position ?? 0)
}
