import type { Memory } from '../model/memory.ts'

/** What is looked at of a memory to tell how it bears on another. */
export type ComparedMemory = Pick<Memory, 'id' | 'text' | 'tier' | 'headerPath'> & {
  place: Pick<Memory['place'], 'root' | 'path' | 'occurredAt' | 'dateOrigin' | 'sessionId' | 'position'>
  role?: Memory['role']
  speaker?: Memory['speaker']
  /** The documents that its wikilinks mean, by where they begin, where that was looked up; null: none or several. */
  meant?: ReadonlyMap<number, { root: string; path: string } | null>
}

/** Whether it was said in talk; else somebody wrote it down. */
export function isTurn({ place: { sessionId } }: ComparedMemory): boolean {
  return sessionId !== undefined
}

/** Whether both are what an agent said: what it explains twice bears on nothing. */
export function areAgents(a: ComparedMemory, b: ComparedMemory): boolean {
  return a.role === 'assistant' && b.role === 'assistant'
}

/** When it happened, ms; null where nothing but the file's own time dates it. */
export function instantOf({ place: { occurredAt, dateOrigin } }: ComparedMemory): number | null {
  if (occurredAt === undefined || dateOrigin === 'mtime') return null
  const instant = Date.parse(occurredAt)
  return Number.isNaN(instant) ? null : instant
}
