/** Enough digits for any count of ms, so that keys sort by time. */
const TIME_DIGITS = 15
/** Another process may have noted something a moment later than our now: only what lies further ahead, ms, is of a clock that ran ahead. */
const MOMENT_MS = 60_000
/** More than any time: what is moved back by it is older than all else. */
const EVER_MS = 8.64e15

/** The beginning of a key for what was noted at a time: keys of one prefix sort by it. */
export function timedKey(prefix: string, at: Date): string {
  return prefix + String(at.getTime()).padStart(TIME_DIGITS, '0')
}

/**
 * Which keys to drop so that `count` are left, oldest first. What seems to be noted later than now was noted by a clock that ran ahead,
 * before it was set back: it is the oldest.
 */
export function findOldest(keys: readonly string[], { prefix, now, count }: TimedKeys): string[] {
  const timeOf = (key: string): number => seenFrom(now, Number(key.slice(prefix.length, prefix.length + TIME_DIGITS)))
  return keys.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(0, Math.max(0, keys.length - count))
}

export interface TimedKeys {
  prefix: string
  now: Date
  count: number
}

/** Orders what was noted, newest first; what a clock that ran ahead has noted comes last. */
export function newestFirst(now: Date): (a: { at: string }, b: { at: string }) => number {
  const timeOf = ({ at }: { at: string }): number => seenFrom(now, Date.parse(at))
  return (a, b) => timeOf(b) - timeOf(a)
}

function seenFrom(now: Date, ms: number): number {
  return ms > now.getTime() + MOMENT_MS ? ms - EVER_MS : ms
}
