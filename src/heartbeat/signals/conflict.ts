import { cutGraphemes } from '../../model/cut-graphemes.ts'
import type { Signal } from '../../model/heartbeat.ts'
import type { Memory } from '../../model/memory.ts'
import type { Review } from '../../model/relationship.ts'
import { sha256 } from '../../text/hash.ts'
import { CONFLICTS, CUES_A_KIND, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { toLine } from './describe-signal.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const TOPIC_CHARS = 400

/** Contradictions that wait for a person. */
export const conflict: SignalSource = {
  kind: 'conflict',
  async detect({ store, filter, now, leaveOut }: SignalContext): Promise<Signal[]> {
    const reviews = await store.relationships.listReviews({ filter, status: 'open', limit: CUES_A_KIND })
    const all = reviews.filter(({ openedAt }) => Date.parse(openedAt) <= now.getTime())
    const waiting = all.slice(0, CONFLICTS)
    leaveOut(all.length - waiting.length)
    const ids = waiting.flatMap(({ firstId, secondId }) => [firstId, secondId])
    const byId = new Map((await store.getMemories(ids)).map((memory) => [memory.id, memory]))
    return waiting.flatMap((review) => toConflict(review, byId))
  },
}

function toConflict({ firstId, secondId, reason }: Review, byId: ReadonlyMap<string, Memory>): Signal[] {
  const [first, second] = [byId.get(firstId), byId.get(secondId)]
  if (!first || !second) return []
  const names = ({ headerPath, place }: Memory): string => {
    const heading = headerPath.at(-1)
    return heading === undefined ? place.path : `${heading} (${place.path})`
  }
  const why = reason === undefined ? '' : `${toLine(reason)} — `
  return [
    {
      kind: 'conflict',
      urgency: 'elevated',
      signature: `conflict:${sha256([firstId, secondId].sort().join('\0')).slice(0, 20)}`,
      summary: toLine(`${why}${names(first)} and ${names(second)}`),
      memoryIds: [firstId, secondId],
      weight: URGENCY_WEIGHTS.elevated,
      topic: cutGraphemes(first.text, TOPIC_CHARS),
    },
  ]
}
