import { INJECTED_MEMORY_CAP, INJECTED_SESSIONS } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'

const PREFIX = 'recall/injected/'
const DAY_MS = 86_400_000

/** What was injected in one session, and when the last of it. */
interface InjectedState {
  at: number
  ids: string[]
}

const keyOf = (sessionId: string): string => PREFIX + sessionId

/** Ids that were injected in this session and that the host still shows. */
export async function readInjected(store: MemoryStore, sessionId: string): Promise<Set<string>> {
  return new Set(parseInjected(await store.getState(keyOf(sessionId))).ids)
}

/**
 * Remembers that these ids stand in the session now; the oldest are forgotten beyond INJECTED_MEMORY_CAP. With the first ids of
 * a session, sessions beyond INJECTED_SESSIONS are forgotten.
 */
export async function noteInjected(
  store: MemoryStore,
  sessionId: string,
  injection: { before: ReadonlySet<string>; ids: readonly string[]; now: Date },
): Promise<void> {
  const { before, ids, now } = injection
  const state: InjectedState = { at: now.getTime(), ids: [...before, ...ids].slice(-INJECTED_MEMORY_CAP) }
  await store.setState(keyOf(sessionId), JSON.stringify(state))
  if (before.size === 0) await forgetOldSessions(store, now)
}

async function forgetOldSessions(store: MemoryStore, now: Date): Promise<void> {
  const oldestMs = now.getTime() - INJECTED_SESSIONS.days * DAY_MS
  const sessions = (await store.listStates(PREFIX))
    .map(({ key, value }) => ({ key, at: parseInjected(value).at }))
    .sort((a, b) => b.at - a.at)
  for (const [rank, { key, at }] of sessions.entries()) {
    if (rank >= INJECTED_SESSIONS.count || at < oldestMs) await store.setState(key, null)
  }
}

/** Nothing, of no time, for what cannot be read: then a memory may be shown once more, and the value goes first. */
function parseInjected(value: string | null): InjectedState {
  const none = { at: 0, ids: [] }
  if (value === null) return none
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return none
  }
  const { at, ids } = (parsed ?? none) as Partial<InjectedState>
  return {
    at: typeof at === 'number' && Number.isFinite(at) ? at : 0,
    ids: Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [],
  }
}
