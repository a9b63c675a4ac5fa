import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { timeOfDay, toIsoWithOffset } from '../../text/dates.ts'
import { CUES_A_KIND, DEADLINE } from '../heartbeat-options.ts'
import { toSignal } from './describe-signal.ts'
import { formatWhen, whenSaid } from './format-when.ts'
import { gather } from './gather.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const HOUR_MS = 3_600_000

/** What is due soon, or was due a short time ago, and is not reported to be done. */
export const deadline: SignalSource = {
  kind: 'deadline',
  async detect({ store, filter, now, timeZone, settlement }: SignalContext): Promise<Signal[]> {
    const at = now.getTime()
    const due = { fromMs: at - DEADLINE.overdueMs - 24 * HOUR_MS, toMs: at + DEADLINE.dayAheadMs }
    const cues = await store.listCues({
      kinds: ['deadline', 'task', 'plan', 'monitor'],
      filter,
      due,
      limit: CUES_A_KIND,
    })
    const settled = await settlement()
    const open = cues.filter((cue) => wasSaid(cue, now) && !settled.find(cue))
    return gather(open, settled, (a, b) => a.dueAt === b.dueAt).flatMap(([cue, ...others]) => {
      const dueMs = dueMoment(cue, timeZone)
      const left = dueMs - at
      const isTold = left <= (cue.isAllDay ? DEADLINE.dayAheadMs : DEADLINE.aheadMs) && left >= -DEADLINE.overdueMs
      if (!isTold) return []
      const isPast = left < 0
      const urgency = !isPast && left <= DEADLINE.immediateMs ? 'immediate' : 'elevated'
      const note = `${isPast ? 'was due' : 'due'} ${formatWhen(cue, now, timeZone)}${whenSaid(cue, now, timeZone)}`
      const memoryIds = others.map(({ memoryId }) => memoryId)
      return [
        toSignal('deadline', cue, {
          ...{ urgency, note, memoryIds, dueAt: toIsoWithOffset(new Date(dueMs), timeZone) },
          ...(cue.isAllDay && { isAllDay: true }),
        }),
      ]
    })
  },
}

/** The moment by which something has to be done, ms. */
export function dueMoment({ dueAt = '', isAllDay }: Pick<NotedCue, 'dueAt' | 'isAllDay'>, timeZone: string): number {
  const at = new Date(dueAt)
  return isAllDay ? timeOfDay(at, DEADLINE.dayEndHour * 60, timeZone).getTime() : at.getTime()
}
