import type { Memory } from '../model/memory.ts'

/** What is looked at of a memory to tell how it bears on another. */
export type ComparedMemory = Pick<Memory, 'id' | 'text' | 'tier' | 'headerPath'> & {
  place: Pick<Memory['place'], 'root' | 'path' | 'occurredAt' | 'dateOrigin' | 'sessionId' | 'position'>
  role?: Memory['role']
  speaker?: Memory['speaker']
}

/** When it happened, ms; null where nothing but the file's own time dates it. */
export function instantOf({ place: { occurredAt, dateOrigin } }: ComparedMemory): number | null {
  if (occurredAt === undefined || dateOrigin === 'mtime') return null
  const instant = Date.parse(occurredAt)
  return Number.isNaN(instant) ? null : instant
}
