import type { Hit } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'

/**
 * Ids of those hits that the running session holds itself, in any of their places: what a resumed session took over is its
 * own, whichever copy came first. Empty without a session.
 */
export async function findOwn(
  store: MemoryStore,
  hits: readonly Hit[],
  sessionId: string | undefined,
): Promise<Set<string>> {
  const own = new Set<string>()
  if (sessionId === undefined) return own
  for (const { memory } of hits) {
    const places = memory.placeCount > 1 ? await store.listPlaces(memory.id) : [memory.place]
    if (places.some((place) => place.sessionId === sessionId)) own.add(memory.id)
  }
  return own
}
