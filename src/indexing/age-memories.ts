import type { MemoryStore } from '../store/memory-store.ts'
import { AGING_ADDED, AGING_EVERY_MS } from './aging-options.ts'

const AGED_AT = 'memory-states/set-at'

/** Sets the states of memories anew, where that was not done for a while or many memories came. Returns how many changed. */
export async function ageWhenDue(store: MemoryStore, { now, added }: { now: Date; added: number }): Promise<number> {
  const before = Date.parse((await store.getState(AGED_AT)) ?? '')
  // A clock that was put back must not put it off.
  const isRecent = Math.abs(now.getTime() - before) < AGING_EVERY_MS
  if (isRecent && added < AGING_ADDED) return 0
  const changed = await store.ageMemories(now)
  await store.setState(AGED_AT, now.toISOString())
  return changed
}
