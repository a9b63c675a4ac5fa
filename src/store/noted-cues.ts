import type { Cue, CueKind, NotedCue } from '../model/cue.ts'
import type { MemoryContent, Place } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import { readCues } from '../text/cues/read-cues.ts'
import { compareNewestFirst, compareText, type Occurrence, occurredMs } from './canonical-place.ts'

/** Which cues are asked for. */
export interface CueQuery {
  kinds: readonly CueKind[]
  filter: MemoryFilter
  /** Only what is due in this half-open range, ms, soonest first. Without it: newest memory first, undated ones last. */
  due?: { fromMs: number; toMs: number }
  /** Only of memories of this time or later, ms. */
  saidFromMs?: number
  limit: number
}

/** A place of a memory, and what it says there where whoever read it has told so. */
export interface CuedOccurrence extends Occurrence {
  read?: { timeZone: string; cues: readonly Cue[] }
}

/** What a memory says at its canonical place that matters between turns. */
export function noteCues({ content, place, read }: CuedOccurrence, timeZone: string): NotedCue[] {
  const cues = read?.timeZone === timeZone ? read.cues : readCues(content, place, timeZone)
  if (cues.length === 0) return []
  const owner = describeOwner(content, place)
  return cues.map((cue) => ({ ...cue, ...owner }))
}

function describeOwner(
  { id, category, tier, role, headerPath }: MemoryContent,
  { path, occurredAt, sessionId }: Place,
): Omit<NotedCue, 'kind' | 'text' | 'subject'> {
  const heading = headerPath.at(-1)
  return {
    memoryId: id,
    path,
    category,
    tier,
    ...(occurredAt !== undefined && { occurredAt }),
    ...(sessionId !== undefined && { sessionId }),
    ...(role !== undefined && { role }),
    ...(heading !== undefined && { heading }),
  }
}

/** When a cue is due, in ms; null where it names no time. */
export function dueMs({ dueAt }: Pick<NotedCue, 'dueAt'>): number | null {
  return dueAt === undefined ? null : Date.parse(dueAt)
}

/** The order of an answer: by due time or newest first, then by id; cues of one memory stay in its order. */
export function compareCues(a: NotedCue, b: NotedCue, byDue: boolean): number {
  const times = byDue ? (dueMs(a) ?? 0) - (dueMs(b) ?? 0) : compareNewestFirst(occurredMs(a), occurredMs(b))
  return times || compareText(a.memoryId, b.memoryId)
}
