import type { RecalledTurn, RecallRequest, RecallResponse, RecallTraceEntry } from '../model/recall.ts'
import type { Viewer } from '../model/search.ts'
import { shortSha256 } from '../model/short-sha256.ts'
import { cleanId, cleanQueryText, maskCodes } from '../normalize/index.ts'
import { TURN_LOG } from '../options.ts'
import { findOldest, newestFirst, timedKey } from '../retrieval/timed-keys.ts'
import type { MemoryStore } from '../store/memory-store.ts'

const PREFIX = 'recall/turns/'
/** Turns between two prunings. */
const PRUNE_EVERY = 10

/** A recall to be noted: what was asked, and what came of it. */
export interface RecallToNote {
  request: RecallRequest
  response: RecallResponse
  at: Date
  viewer: Viewer
  /** The candidates of its trace. */
  considered: readonly RecallTraceEntry[]
}

/** Keeps what came of the last TURN_LOG.turns recalls: which memories were in, which out, and why. */
export interface TurnLog {
  /** Nothing where the request wants no history. Rejects with whatever stands against it, a request that is none included. */
  note(recall: RecallToNote): Promise<void>
  /** Newest first, as seen from now. An agent sees its own turns; a call without an agent all of them. */
  list(viewer: Viewer, limit: number, now: Date): Promise<RecalledTurn[]>
}

/** A log in a store's named values. */
export function createTurnLog(store: MemoryStore): TurnLog {
  let noted = 0
  return {
    async note(recall) {
      if (recall.request.noHistory) return
      const turn = toRecalledTurn(recall)
      const value = JSON.stringify({ ...turn, tenant: recall.viewer.tenant })
      noted += 1
      const number = noted
      // Told apart by what was asked, and how often here: other processes may note at the same time.
      const what = `${number}\0${turn.sessionId}\0${turn.agent}\0${turn.prompt}`
      await store.setState(`${timedKey(PREFIX, recall.at)}-${shortSha256(what).slice(0, 12)}`, value)
      if (number % PRUNE_EVERY !== 1) return
      const keys = (await store.listStates(PREFIX)).map(({ key }) => key)
      const kept = { prefix: PREFIX, now: recall.at, count: TURN_LOG.turns }
      for (const key of findOldest(keys, kept)) await store.setState(key, null)
    },
    async list(viewer, limit, now) {
      const turns = (await store.listStates(PREFIX)).flatMap(({ value }) => parseTurn(value))
      return turns
        .filter((turn) => isVisible(turn, viewer))
        .sort(newestFirst(now))
        .slice(0, limit)
        .map(({ tenant: _, ...turn }) => turn)
    },
  }
}

/** A turn as it is kept: with whose it was. */
type KeptTurn = RecalledTurn & { tenant: string }

function isVisible({ tenant, agent, project }: KeptTurn, viewer: Viewer): boolean {
  return (
    tenant === viewer.tenant &&
    (viewer.agent === undefined || viewer.agent === agent) &&
    (viewer.project === undefined || viewer.project === project)
  )
}

/** What is kept of a recall. */
export function toRecalledTurn({ request, response, at, viewer, considered }: RecallToNote): RecalledTurn {
  const { items, skipped, reason, degraded, elapsedMs } = response
  const given = new Set(items.map(({ id }) => id))
  const { sessionId } = request
  return {
    at: at.toISOString(),
    prompt: maskCodes(cleanQueryText(request.prompt), TURN_LOG.promptChars),
    ...(sessionId !== undefined && { sessionId: cleanId(sessionId) }),
    ...(viewer.agent !== undefined && { agent: viewer.agent }),
    ...(viewer.project !== undefined && { project: viewer.project }),
    skipped,
    ...(reason !== undefined && { reason }),
    degraded,
    elapsedMs,
    considered: considered.slice(0, TURN_LOG.considered).map(({ id, path, startLine, score, outcome }) => ({
      ...{ id, path, startLine, score },
      outcome: outcome === 'injected' && !given.has(id) ? 'too-late' : outcome,
    })),
  }
}

/** Nothing for what cannot be read: history is worth less than an answer. */
function parseTurn(value: string): KeptTurn[] {
  try {
    const turn = JSON.parse(value) as KeptTurn
    return typeof turn.at === 'string' && Array.isArray(turn.considered) ? [turn] : []
  } catch {
    return []
  }
}
