import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { occurrencesAround } from '../../text/cues/recurrence.ts'
import { dayRange, localDay, toIsoWithOffset } from '../../text/dates.ts'
import { CUES_A_KIND, SCHEDULED } from '../heartbeat-options.ts'
import { toSignal } from './describe-signal.ts'
import { formatWhen, whenSaid } from './format-when.ts'
import { gather } from './gather.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What takes place about now: appointments, and what comes again at its time. */
export const scheduled: SignalSource = {
  kind: 'scheduled',
  async detect(context: SignalContext): Promise<Signal[]> {
    const { store, filter, now, settlement } = context
    const at = now.getTime()
    const due = { fromMs: at - DAY_MS, toMs: at + 2 * DAY_MS }
    const appointments = await store.listCues({ kinds: ['appointment'], filter, due, limit: CUES_A_KIND })
    const schedules = await store.listCues({ kinds: ['schedule'], filter, limit: CUES_A_KIND })
    const said = (cue: NotedCue): boolean => wasSaid(cue, now)
    return [
      ...gather(appointments.filter(said), await settlement(), (a, b) => a.dueAt === b.dueAt).flatMap((group) =>
        readAppointment(group, context),
      ),
      ...schedules.filter(said).flatMap((cue) => readSchedule(cue, context)),
    ]
  },
}

function readAppointment(
  [cue, ...others]: readonly [NotedCue, ...NotedCue[]],
  { now, timeZone }: SignalContext,
): Signal[] {
  const { dueAt = '', isAllDay } = cue
  const left = Date.parse(dueAt) - now.getTime()
  const isNear = isAllDay
    ? left <= (24 - SCHEDULED.dayAheadHour) * HOUR_MS && left > -DAY_MS
    : left <= SCHEDULED.aheadMs && left > -SCHEDULED.lateMs
  if (!isNear) return []
  const isSoon = !isAllDay && left <= SCHEDULED.soonMs
  const urgency = isSoon ? 'immediate' : 'elevated'
  const note = formatWhen(cue, now, timeZone) + whenSaid(cue, now, timeZone)
  const memoryIds = others.map(({ memoryId }) => memoryId)
  const more = { urgency, note, memoryIds, occasion: dueAt, dueAt, ...(isAllDay && { isAllDay }) } as const
  return [toSignal('scheduled', cue, more)]
}

/** From its time on for a while; what has no time of its own, for its whole day. */
function readSchedule(cue: NotedCue, { now, timeZone }: SignalContext): Signal[] {
  const { cron = '' } = cue
  const zone = cue.timeZone ?? timeZone
  const { last, next } = occurrencesAround({ cron, timeZone: zone }, now, timeZone)
  const isWholeDay = /^0 0 /.test(cron)
  const at = next && !isWholeDay && next.getTime() - now.getTime() <= SCHEDULED.soonMs ? next : last
  if (!at) return []
  const until = isWholeDay ? dayRange(localDay(at, zone), zone).to.getTime() : at.getTime() + SCHEDULED.lateMs
  if (now.getTime() >= until) return []
  const dueAt = toIsoWithOffset(at, timeZone)
  const due = { dueAt, ...(isWholeDay && { isAllDay: true as const }) }
  const note = formatWhen(due, now, timeZone)
  return [toSignal('scheduled', cue, { urgency: isWholeDay ? 'elevated' : 'immediate', note, occasion: dueAt, ...due })]
}
