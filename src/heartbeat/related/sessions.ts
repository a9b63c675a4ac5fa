import type { Memory, Place } from '../../model/memory.ts'
import type { MemoryStore } from '../../store/memory-store.ts'

/**
 * The sessions in which a memory stands. In a transcript, that is its session. A note has none: what was written down in one document
 * on one day counts as one sitting, so that the days of a running log are sessions of their own, and an undated document is one.
 */
export async function readSessions(store: MemoryStore, memory: Memory): Promise<Set<string>> {
  const places = memory.placeCount > 1 ? await store.listPlaces(memory.id) : [memory.place]
  return new Set(places.map(sessionOf))
}

function sessionOf({ sessionId, root, path, occurredAt, dateOrigin }: Place): string {
  if (sessionId !== undefined) return `session ${sessionId}`
  const day = dateOrigin === 'name' || dateOrigin === 'text' ? occurredAt?.slice(0, 10) : undefined
  return `note ${root}\0${path}\0${day ?? ''}`
}
