import type { MemoryContent, Place } from '../model/memory.ts'
import type { Occurrence } from './canonical-place.ts'

const FOLDER = 'remembered/'

/** The document that stands for a memory without a file. No source has an empty root, so none can write over it. */
export function rememberedKey(id: string): { root: string; path: string } {
  return { root: '', path: FOLDER + id }
}

/** Gives a remembered memory its place. */
export function placeRemembered(content: MemoryContent, place: Pick<Place, 'occurredAt' | 'sessionId'>): Occurrence {
  const { occurredAt, sessionId } = place
  return {
    content,
    place: {
      ...rememberedKey(content.id),
      startLine: 1,
      endLine: content.text.split('\n').length,
      position: 0,
      ...(occurredAt !== undefined && { occurredAt, dateOrigin: 'timestamp' as const }),
      ...(sessionId !== undefined && { sessionId }),
    },
  }
}
