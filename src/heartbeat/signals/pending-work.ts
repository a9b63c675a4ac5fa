import type { NotedCue } from '../../model/cue.ts'
import type { Signal, Urgency } from '../../model/heartbeat.ts'
import { toIsoWithOffset } from '../../text/dates.ts'
import { CUES_A_KIND, PENDING } from '../heartbeat-options.ts'
import { dueMoment } from './deadline.ts'
import { toSignal } from './describe-signal.ts'
import { formatSaid, formatWhen } from './format-when.ts'
import { gather } from './gather.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** Open items, what somebody meant to do by now, and what is wrong: all that nothing is known to have come of. */
export const pendingWork: SignalSource = {
  kind: 'pending_work',
  async detect(context: SignalContext): Promise<Signal[]> {
    const { store, filter, now, timeZone } = context
    const list = (kinds: NotedCue['kind'][], ageMs: number): Promise<NotedCue[]> =>
      store.listCues({ kinds, filter, saidFromMs: now.getTime() - ageMs, limit: CUES_A_KIND })
    const recent = [...(await list(['problem'], PENDING.problemMs)), ...(await list(['task', 'plan'], PENDING.ageMs))]
    const listed = await store.listCues({ kinds: ['task'], filter, limit: CUES_A_KIND })
    const standing = listed.filter(({ path, occurredAt }) => PENDING.standing.test(path) || occurredAt === undefined)
    const settled = await context.settlement()
    const open = [
      ...new Map([...recent, ...standing].map((cue) => [`${cue.memoryId}\0${cue.text}`, cue])).values(),
    ].filter((cue) => wasSaid(cue, now) && isOpenWork(cue) && isDueByNow(cue, now, timeZone) && !settled.find(cue))
    return gather(open, settled).map(([cue, ...others]) => toPending(cue, others, context))
  },
}

/** The items of a note that holds for long (a roadmap, a roll-out) are steps of it, unless they have their day. */
function isOpenWork({ tier, path, dueAt, kind }: NotedCue): boolean {
  const isTimely = tier === 'episodic' || path.startsWith('remembered/') || PENDING.standing.test(path)
  return isTimely || kind === 'problem' || dueAt !== undefined
}

/** What is due far ahead can wait; what somebody only means to do is asked for when its day is over, or it has no day and a day has passed. */
function isDueByNow(cue: NotedCue, now: Date, timeZone: string): boolean {
  const at = now.getTime()
  if (cue.kind === 'plan') {
    if (cue.dueAt !== undefined) return dueMoment(cue, timeZone) < at
    return false
  }
  return cue.dueAt === undefined || dueMoment(cue, timeZone) - at <= PENDING.dueMs
}

function toPending(cue: NotedCue, others: readonly NotedCue[], { now, timeZone }: SignalContext): Signal {
  const isOverdue = cue.dueAt !== undefined && dueMoment(cue, timeZone) < now.getTime()
  const urgency: Urgency = cue.kind === 'problem' ? 'elevated' : isOverdue ? 'elevated' : 'normal'
  const when =
    cue.dueAt === undefined
      ? cue.occurredAt && `noted ${formatSaid(cue.occurredAt, now, timeZone)}`
      : `${isOverdue ? 'was due' : 'due'} ${formatWhen(cue, now, timeZone)}`
  const memoryIds = others.map(({ memoryId }) => memoryId)
  return toSignal('pending_work', cue, {
    urgency,
    memoryIds,
    ...(when !== undefined && { note: when }),
    ...(cue.dueAt !== undefined && { dueAt: toIsoWithOffset(new Date(dueMoment(cue, timeZone)), timeZone) }),
  })
}
