import { INJECTED_MEMORY_CAP } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'

const keyOf = (sessionId: string): string => `recall/injected/${sessionId}`

/** Ids that were injected in this session and that the host still shows. */
export async function readInjected(store: MemoryStore, sessionId: string): Promise<Set<string>> {
  const value = await store.getState(keyOf(sessionId))
  if (value === null) return new Set()
  const ids: unknown = JSON.parse(value)
  return new Set(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [])
}

/** Remembers that these ids stand in the session now; the oldest are forgotten beyond INJECTED_MEMORY_CAP. */
export async function noteInjected(
  store: MemoryStore,
  sessionId: string,
  before: ReadonlySet<string>,
  ids: readonly string[],
): Promise<void> {
  const all = [...before, ...ids].slice(-INJECTED_MEMORY_CAP)
  await store.setState(keyOf(sessionId), JSON.stringify(all))
}
