import { RECENT_TURN_IDS } from '../options.ts'
import { sha256 } from '../text/hash.ts'

/** Hex digits kept of an id's hash: two of the ids that are remembered at a time are never taken for one. */
const DIGITS = 12

/** The last ids that were met, to tell a copy of a message from a new one. Holds no more of them than RECENT_TURN_IDS. */
export interface RecentIds {
  /** Remembers the id. False when it is among the last ones already. */
  claim(id: string): boolean
  /** For `createRecentIds`. */
  save(): string
}

export function createRecentIds(saved = ''): RecentIds {
  // A set keeps the order in which ids came.
  const known = new Set(saved.match(new RegExp(`.{${DIGITS}}`, 'g')) ?? [])
  return {
    claim(id) {
      const key = sha256(id).slice(0, DIGITS)
      if (known.has(key)) return false
      known.add(key)
      if (known.size > RECENT_TURN_IDS) dropOldest(known)
      return true
    },
    save: () => [...known].join(''),
  }
}

function dropOldest(known: Set<string>): void {
  for (const oldest of known) {
    known.delete(oldest)
    return
  }
}
