import type { Signal } from '../../model/heartbeat.ts'
import { CUES_A_KIND, MONITOR, PENDING } from '../heartbeat-options.ts'
import { toSignal } from './describe-signal.ts'
import { formatSaid } from './format-when.ts'
import { gather } from './gather.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** What somebody wanted to be watched, and of which nothing was noted for a day. */
export const staleMonitor: SignalSource = {
  kind: 'stale_monitor',
  async detect({ store, filter, now, timeZone, settlement }: SignalContext): Promise<Signal[]> {
    const saidFromMs = now.getTime() - MONITOR.untilMs
    const watched = await store.listCues({ kinds: ['monitor'], filter, saidFromMs, limit: CUES_A_KIND })
    const told = await store.listCues({
      kinds: ['problem', 'question', 'decision'],
      filter,
      saidFromMs,
      limit: CUES_A_KIND,
    })
    const settled = await settlement()
    const open = watched.filter((cue) => wasSaid(cue, now) && !settled.find(cue))
    return gather(open, settled).flatMap(([cue, ...others]) => {
      const news = told.find(
        (one) => wasSaid(one, now) && isNewer(one, cue) && settled.share(cue, one) >= PENDING.share,
      )
      const { occurredAt } = news ?? cue
      if (occurredAt === undefined || now.getTime() - Date.parse(occurredAt) < MONITOR.afterMs) return []
      const memoryIds = others.map(({ memoryId }) => memoryId)
      const note = `nothing new since ${formatSaid(occurredAt, now, timeZone)}`
      return [toSignal('stale_monitor', cue, { urgency: 'elevated', memoryIds, note })]
    })
  },
}

function isNewer(a: { occurredAt?: string }, b: { occurredAt?: string }): boolean {
  return Date.parse(a.occurredAt ?? '') > Date.parse(b.occurredAt ?? '')
}
