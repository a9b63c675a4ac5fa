import type { Viewer } from '../model/search.ts'
import { describeFailure } from '../normalize/index.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { HeartbeatDecision } from './decide.ts'
import { type HeartbeatState, parseState, serializeState } from './heartbeat-state.ts'
import { scopeKey } from './tick-log.ts'

const PREFIX = 'heartbeat/state/'
/** Decisions that are made again because another process kept its own first: two ticks at once need one. */
const TRIES = 5

/** The state of the ticks before, and what stands in its place where it cannot be read. */
export interface KeptState {
  state?: HeartbeatState
  /** Why nothing is known of ticks that there were. */
  problem?: string
}

/** A decision that was kept, and how to change what was kept afterwards. */
export interface KeptDecision {
  decision: HeartbeatDecision
  /** Why the state could not be read or kept. */
  problem?: string
  /** Puts another state in place of the decision's own, unless somebody else decided meanwhile. */
  amend: (state: HeartbeatState) => Promise<void>
}

/**
 * Makes a decision over the state of earlier ticks and keeps what comes of it, before anybody hears of it: of several processes that
 * decide at once one keeps its own, and the others decide again over that. What cannot be kept is not done: it would be done
 * again by the next tick. With `dryRun` nothing is kept.
 */
export async function decideOnce(
  store: MemoryStore,
  viewer: Viewer,
  decide: (kept: KeptState) => HeartbeatDecision,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<KeptDecision> {
  const key = PREFIX + scopeKey(viewer)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await readState(store, key)
    const decision = decide(before)
    const problem = before.problem
    const unchanged = { decision, ...(problem !== undefined && { problem }), amend: async () => undefined }
    if (dryRun) return unchanged
    const next = serializeState(decision.state)
    if (next === before.value) return unchanged
    try {
      if (!(await store.claimState(key, before.value, next))) continue
    } catch (error) {
      const reason = `the decision cannot be kept: ${describeFailure(error)}`
      return { ...unchanged, decision: refuse(decision), problem: reason }
    }
    const amend = async (state: HeartbeatState): Promise<void> => {
      await store.claimState(key, next, serializeState(state))
    }
    return { ...unchanged, amend }
  }
  const last = decide(await readState(store, key))
  return { decision: refuse(last), amend: async () => undefined }
}

async function readState(store: MemoryStore, key: string): Promise<KeptState & { value: string | null }> {
  const value = await store.getState(key)
  if (value === null) return { value }
  const state = parseState(value)
  if (!('problem' in state)) return { value, state }
  return { value, problem: `what earlier ticks kept cannot be used, ${state.problem}: it is begun anew` }
}

/** The decision of one that may not act: what would have been told is held. */
function refuse(decision: HeartbeatDecision): HeartbeatDecision {
  if (!decision.shouldAct) return decision
  return {
    ...decision,
    shouldAct: false,
    decisionReason: 'suppress_claimed',
    signals: decision.signals.map((signal) => ({ ...signal, suppressedBy: signal.suppressedBy ?? 'suppress_claimed' })),
  }
}
