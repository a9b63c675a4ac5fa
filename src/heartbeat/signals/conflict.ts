import type { Signal } from '../../model/heartbeat.ts'
import type { Memory } from '../../model/memory.ts'
import type { Review } from '../../model/relationship.ts'
import { sha256 } from '../../text/hash.ts'
import { SIGNALS_A_KIND, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { toLine } from './describe-signal.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const EXCERPT_CHARS = 80

/** Contradictions that wait for a person. */
export const conflict: SignalSource = {
  kind: 'conflict',
  async detect({ store, filter, now }: SignalContext): Promise<Signal[]> {
    const reviews = await store.relationships.listReviews({ filter, status: 'open', limit: SIGNALS_A_KIND })
    const waiting = reviews.filter(({ openedAt }) => Date.parse(openedAt) <= now.getTime())
    const ids = waiting.flatMap(({ firstId, secondId }) => [firstId, secondId])
    const byId = new Map((await store.getMemories(ids)).map((memory) => [memory.id, memory]))
    return waiting.flatMap((review) => toConflict(review, byId))
  },
}

function toConflict({ firstId, secondId, reason }: Review, byId: ReadonlyMap<string, Memory>): Signal[] {
  const [first, second] = [byId.get(firstId), byId.get(secondId)]
  if (!first || !second) return []
  const says = ({ text, place }: Memory): string => {
    const line = toLine(text)
    return `“${line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS).toWellFormed()}…` : line}” (${place.path})`
  }
  const why = reason === undefined ? '' : `${reason}: `
  return [
    {
      kind: 'conflict',
      urgency: 'elevated',
      signature: `conflict:${sha256([firstId, secondId].sort().join('\0')).slice(0, 20)}`,
      summary: toLine(`${why}${says(first)} against ${says(second)}`),
      memoryIds: [firstId, secondId],
      weight: URGENCY_WEIGHTS.elevated,
      topic: first.text,
    },
  ]
}
