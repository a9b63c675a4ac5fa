import type { Memory } from '../model/memory.ts'
import type { Boost } from '../model/search.ts'
import { DECAY_HALF_LIFE_DAYS, DECAY_SHARE, TEMPORAL_BOOST } from '../options.ts'
import type { When } from '../text/dates.ts'

const DAY_MS = 86_400_000
const NO_EFFECT: Boost = { name: 'none', factor: 1, reason: '' }

/** Whether a memory happened in the range that the query names. A file's modification time is no evidence of that. */
export function isWithin(memory: Memory, when: When): boolean {
  const { occurredAt, dateOrigin } = memory.place
  if (occurredAt === undefined || dateOrigin === 'mtime') return false
  const instant = Date.parse(occurredAt)
  return instant >= when.from.getTime() && instant < when.to.getTime()
}

/** The factor for memories of the day or range that the query names. (S4: ×3) */
export function boostForTime(memory: Memory, when: When | null): Boost {
  if (!when || !isWithin(memory, when)) return NO_EFFECT
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
