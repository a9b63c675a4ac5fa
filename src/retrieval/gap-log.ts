import type { SearchOptions, Viewer } from '../model/search.ts'
import { maskCodes } from '../normalize/index.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { sha256 } from '../text/hash.ts'
import { tokenize } from '../text/tokenize.ts'
import { GAP_LOG } from './gap-options.ts'
import { findOldest, timedKey } from './timed-keys.ts'

const PREFIX = 'search/gaps/'
/** When something was last forgotten, ms. */
const FORGOTTEN = 'search/forgotten-at'

/** A search that the store could not answer. */
export interface QueryGap {
  /** ISO 8601, UTC. */
  at: string
  /** Cleaned, without what may be a secret, its beginning. */
  query: string
  /** Calibrated score of the best result; 0 where there was none. */
  topScore: number
  agent?: string
  project?: string
}

/** Keeps the last GAP_LOG.entries searches that found nothing, or nothing that answers. */
export interface GapLog {
  /**
   * Keeps nothing of a search whose best score answers it, nor for a while after something was forgotten. Rejects with whatever stands
   * against it.
   */
  note(search: { text: string; topScore: number; at: Date; viewer: Viewer }): Promise<void>
  /** Newest first. An agent sees its own searches; a call without an agent all of them. */
  list(viewer: Viewer): Promise<QueryGap[]>
  /** Something of these texts was forgotten: searches of which they hold half the words go with it. */
  noteForgetting(texts: readonly string[], at: Date): Promise<void>
}

/** A log in a store's named values. */
export function createGapLog(store: MemoryStore): GapLog {
  return {
    async note({ text, topScore, at, viewer }) {
      const query = maskCodes(text, GAP_LOG.queryChars)
      if (topScore >= GAP_LOG.below || !/\p{L}{2}/u.test(query)) return
      const forgottenMs = Number((await store.getState(FORGOTTEN)) ?? Number.NEGATIVE_INFINITY)
      if (Math.abs(at.getTime() - forgottenMs) < GAP_LOG.afterForgetMs) return
      const { tenant, agent, project } = viewer
      const gap: QueryGap = {
        ...{ at: at.toISOString(), query, topScore },
        ...(agent !== undefined && { agent }),
        ...(project !== undefined && { project }),
      }
      const value = JSON.stringify({ ...gap, tenant })
      // Told apart by what they say: other processes may note at the same time.
      const key = `${timedKey(PREFIX, at)}-${sha256(value).slice(0, 12)}`
      await store.setState(key, value)
      const keys = (await store.listStates(PREFIX)).map((state) => state.key)
      const kept = { prefix: PREFIX, now: at, count: GAP_LOG.entries }
      for (const old of findOldest(keys, kept)) await store.setState(old, null)
    },
    async list({ tenant, agent, project }) {
      const gaps = (await store.listStates(PREFIX)).flatMap(({ value }) => parseGap(value))
      return gaps
        .filter((gap) => gap.tenant === tenant)
        .filter((gap) => agent === undefined || gap.agent === agent)
        .filter((gap) => project === undefined || gap.project === project)
        .reverse()
        .map(({ tenant: _, ...gap }) => gap)
    },
    async noteForgetting(texts, at) {
      await store.setState(FORGOTTEN, String(at.getTime()))
      const gone = new Set(texts.flatMap((text) => tokenize(text).map(({ term }) => term)))
      for (const { key, value } of await store.listStates(PREFIX)) {
        const terms = parseGap(value).flatMap(({ query }) => tokenize(query).map(({ term }) => term))
        if (terms.length > 0 && 2 * terms.filter((term) => gone.has(term)).length >= terms.length) {
          await store.setState(key, null)
        }
      }
    },
  }
}

/** A gap as it is kept: with whose it was. */
type KeptGap = QueryGap & { tenant: string }

/** Nothing for what cannot be read: history is worth less than an answer. */
function parseGap(value: string): KeptGap[] {
  try {
    const gap = JSON.parse(value) as KeptGap
    return typeof gap.at === 'string' && typeof gap.query === 'string' ? [gap] : []
  } catch {
    return []
  }
}

/** Whether nothing was kept out of sight: what a narrower search misses may be known all the same. */
export function isWholeSearch({
  mode = 'hybrid',
  source = 'all',
  tier,
  after,
  before,
  minScore = 0,
}: SearchOptions): boolean {
  return mode === 'hybrid' && source === 'all' && minScore === 0 && !(tier ?? after ?? before)
}
