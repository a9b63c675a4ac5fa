import type { Memory } from '../model/memory.ts'
import type { Boost } from '../model/search.ts'
import { DECAY_HALF_LIFE_DAYS, DECAY_SHARE, TEMPORAL_BOOST } from '../options.ts'
import { dayRange, type When } from '../text/dates.ts'

const DAY_MS = 86_400_000
const NO_EFFECT: Boost = { name: 'none', factor: 1, reason: '' }

/** Between the first and the last place on Earth where a day begins, ms. */
export const ZONE_SPREAD_MS = 26 * 3_600_000
/** How a day that a note's name or text gives is kept: as its beginning where it was indexed. */
const DAY_BEGINS = /^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?!\d|:)/

/**
 * When a memory happened, ms; null when only a file's modification time says so, which is no evidence. The day of a note is a day
 * wherever its reader is: it begins when days do in `timeZone`, whichever zone it was indexed in.
 */
function instantOf({ place: { occurredAt, dateOrigin } }: Memory, timeZone: string): number | null {
  if (occurredAt === undefined || dateOrigin === 'mtime') return null
  const day = dateOrigin === 'timestamp' ? undefined : DAY_BEGINS.exec(occurredAt)?.[1]
  return day === undefined ? Date.parse(occurredAt) : dayRange(day, timeZone).from.getTime()
}

/** Whether a memory happened in the range that the query names. */
export function isWithin(memory: Memory, when: When, timeZone: string): boolean {
  const instant = instantOf(memory, timeZone)
  if (instant === null) return false
  return instant >= when.from.getTime() && instant < when.to.getTime()
}

/** The factor for memories of the day or range that the query names. (S4: ×3) */
export function boostForTime(memory: Memory, when: When | null, timeZone: string): Boost {
  if (!when || !isWithin(memory, when, timeZone)) return NO_EFFECT
  return { name: 'time', factor: TEMPORAL_BOOST, reason: `of the time asked for ("${when.text}")` }
}

/** The factor for the age of a dated note. Transcripts, undated and future notes keep their score. */
export function decayForAge(memory: Memory, now: Date): Boost {
  const { occurredAt, dateOrigin } = memory.place
  if (memory.category !== 'memory' || occurredAt === undefined) return NO_EFFECT
  if (dateOrigin !== 'name' && dateOrigin !== 'text') return NO_EFFECT
  const ageDays = (now.getTime() - Date.parse(occurredAt)) / DAY_MS
  if (!(ageDays > 0)) return NO_EFFECT
  const factor = 1 - DECAY_SHARE * (1 - 2 ** (-ageDays / DECAY_HALF_LIFE_DAYS))
  return { name: 'age', factor, reason: `dated note, ${Math.round(ageDays)} days old` }
}
