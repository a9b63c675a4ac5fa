import type { Memory } from '../model/memory.ts'
import type { Hit } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { When } from '../text/dates.ts'
import type { SearchAnswer, SearchRequest } from './request.ts'
import { isWithin, ZONE_SPREAD_MS } from './temporal.ts'

const WEIGHTS = { vector: 0, keyword: 0, header: 0, filepath: 0 }

/**
 * Answers a query that names a time and nothing else ("what happened on May 23"): the memories of that time in the
 * order in which they happened, notes before talk; none when there are none, never those of other days.
 */
export async function listForTime(store: MemoryStore, request: SearchRequest & { when: When }): Promise<SearchAnswer> {
  const { when } = request
  // Days of notes that were indexed in another zone begin elsewhere: what is looked at is wider than what is taken.
  const [fromMs, toMs] = [when.from.getTime() - ZONE_SPREAD_MS, when.to.getTime() + ZONE_SPREAD_MS]
  const memories = await store.listMemories({
    ...request.filter,
    afterMs: Math.max(fromMs, request.filter.afterMs ?? fromMs),
    beforeMs: Math.min(toMs, request.filter.beforeMs ?? toMs),
  })
  const dated = memories.filter((memory) => isWithin(memory, when, request.timeZone)).sort(compareInTime)
  const hits = dated.map(
    (memory): Hit => ({
      memory,
      score: 1,
      explanation: {
        signals: WEIGHTS,
        weights: WEIGHTS,
        boosts: [{ name: 'time', factor: 1, reason: `of the time asked for ("${when.text}")` }],
        matchedTerms: [],
      },
    }),
  )
  return { hits: hits.slice(0, request.limit), total: hits.length, degraded: [], dateMatch: hits.length > 0 }
}

function compareInTime(a: Memory, b: Memory): number {
  if (a.category !== b.category) return a.category === 'memory' ? -1 : 1
  const [timeA, timeB] = [Date.parse(a.place.occurredAt ?? ''), Date.parse(b.place.occurredAt ?? '')]
  if (timeA !== timeB) return timeA - timeB
  if (a.place.path !== b.place.path) return a.place.path < b.place.path ? -1 : 1
  return a.place.position - b.place.position
}
