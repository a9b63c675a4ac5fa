import type { Cue } from '../../model/cue.ts'
import type { Place } from '../../model/memory.ts'
import { type CuedContent, findCues } from './find-cues.ts'

/** What a memory says that matters between turns, read as it stands at a place; days are those of the zone. Pure. */
export function readCues(
  content: CuedContent,
  { path, occurredAt, dateOrigin }: Pick<Place, 'path' | 'occurredAt' | 'dateOrigin'>,
  timeZone: string,
): Cue[] {
  const ms = occurredAt === undefined ? Number.NaN : Date.parse(occurredAt)
  return findCues(content, {
    timeZone,
    path,
    ...(!Number.isNaN(ms) && { at: new Date(ms) }),
    ...(dateOrigin === 'mtime' && { isByFileTime: true }),
  })
}
