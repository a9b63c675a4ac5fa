import type { Signal } from '../../model/heartbeat.ts'
import { CUES_A_KIND, POSITIVE } from '../heartbeat-options.ts'
import { toSignal } from './describe-signal.ts'
import { wasSaid } from './said.ts'
import { createSettlement } from './settlement.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** Good news, and open work of before that was done: each once. */
export const positiveDelta: SignalSource = {
  kind: 'positive_delta',
  async detect({ store, filter, now }: SignalContext): Promise<Signal[]> {
    const saidFromMs = now.getTime() - POSITIVE.ageMs
    const news = (
      await store.listCues({ kinds: ['good_news', 'outcome'], filter, saidFromMs, limit: CUES_A_KIND })
    ).filter((cue) => wasSaid(cue, now) && cue.subject.length > 1)
    if (news.length === 0) return []
    const open = await store.listCues({ kinds: ['task', 'problem', 'goal'], filter, limit: CUES_A_KIND })
    const done = createSettlement(news)
    const settling = new Map<string, string[]>()
    for (const cue of open) {
      if (cue.occurredAt === undefined || !wasSaid(cue, now) || Date.parse(cue.occurredAt) >= saidFromMs) continue
      const outcome = done.find(cue)
      if (outcome) settling.set(outcome.text, [...(settling.get(outcome.text) ?? []), cue.memoryId])
    }
    return news.flatMap((cue) => {
      const earlier = settling.get(cue.text)
      if (cue.kind !== 'good_news' && !earlier) return []
      return [toSignal('positive_delta', cue, { urgency: 'low', memoryIds: earlier ?? [], occasion: cue.memoryId })]
    })
  },
}
