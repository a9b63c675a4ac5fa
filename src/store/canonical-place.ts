import type { Memory, MemoryContent, Place } from '../model/memory.ts'

/** A place together with the content as that place gives it: equal text may have other headings or another tier elsewhere. */
export interface Occurrence {
  content: MemoryContent
  place: Place
}

/** The memory as one of its places words it: all that follows from the content is that place's, the rest stays. */
export function withContent(memory: Memory, content: MemoryContent): Memory {
  const { place, placeCount, state, accessCount, lastAccess } = memory
  return { ...content, place, placeCount, state, accessCount, ...(lastAccess !== undefined && { lastAccess }) }
}

/** The instant of a place in ms; null when nothing (or nothing readable) dates it. */
export function occurredMs(place: Pick<Place, 'occurredAt'>): number | null {
  const ms = place.occurredAt === undefined ? Number.NaN : Date.parse(place.occurredAt)
  return Number.isNaN(ms) ? null : ms
}

/** Orders strings by UTF-16 code units, as all orders by id and path are, whatever the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Orders instants latest first, undated last. */
export function compareNewestFirst(a: number | null, b: number | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return b - a
}

/**
 * Orders the places of one memory; the first is its canonical one. The order depends on nothing but the places, so
 * that the same files give the same answer in whatever order they were indexed: curated notes before talk about
 * them, then where it was said first, then by name.
 */
export function comparePlaces(a: Occurrence, b: Occurrence): number {
  if (a.content.category !== b.content.category) return a.content.category === 'memory' ? -1 : 1
  const [timeA, timeB] = [occurredMs(a.place), occurredMs(b.place)]
  if (timeA !== timeB) {
    if (timeA === null) return 1
    if (timeB === null) return -1
    return timeA - timeB
  }
  return (
    compareText(a.place.root, b.place.root) ||
    compareText(a.place.path, b.place.path) ||
    a.place.startLine - b.place.startLine ||
    a.place.position - b.place.position
  )
}
