import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { toIsoWithOffset } from '../../text/dates.ts'
import { CUES_A_KIND, GOAL, PENDING } from '../heartbeat-options.ts'
import { dueMoment } from './deadline.ts'
import { signatureOf, toLine, toSignal } from './describe-signal.ts'
import { formatSaid } from './format-when.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const DAY_MS = 86_400_000
/** A goal so near its day with so much open is at risk. */
const RISK = { withinMs: 14 * DAY_MS, below: 0.7 }

/** Lists of steps that are begun and not done: how far they are, and whether something comes of them. */
export const goalProgress: SignalSource = {
  kind: 'goal_progress',
  async detect({ store, filter, now, timeZone, settlement }: SignalContext): Promise<Signal[]> {
    const tasks = await store.listCues({ kinds: ['task'], filter, limit: CUES_A_KIND })
    const settled = await settlement()
    const lists = new Map<string, NotedCue[]>()
    for (const cue of tasks) {
      if (!wasSaid(cue, now) || !cue.progress || cue.progress.total < GOAL.items) continue
      lists.set(cue.memoryId, [...(lists.get(cue.memoryId) ?? []), cue])
    }
    return [...lists.values()].flatMap((list) => readList(list, { now, timeZone }, (cue) => settled.find(cue)))
  },
}

function readList(
  list: readonly NotedCue[],
  { now, timeZone }: Pick<SignalContext, 'now' | 'timeZone'>,
  find: (cue: NotedCue) => NotedCue | undefined,
): Signal[] {
  const [first] = list
  if (!first?.progress || PENDING.standing.test(first.path)) return []
  const settledNow = list.flatMap((cue) => find(cue) ?? [])
  const done = first.progress.done + settledNow.length
  const progress = done / first.progress.total
  const said = [first, ...settledNow].flatMap(({ occurredAt }) => occurredAt ?? [])
  const last = said.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1)
  const age = last === undefined ? null : now.getTime() - Date.parse(last)
  if (progress >= 1 || (age !== null && age > GOAL.keptMs)) return []
  const due = Math.min(...list.flatMap((cue) => (cue.dueAt === undefined ? [] : dueMoment(cue, timeZone))))
  const isAtRisk = due - now.getTime() <= RISK.withinMs && due >= now.getTime() && progress < RISK.below
  const isStalled = last !== undefined && age !== null && age > GOAL.stalledMs
  if (!isAtRisk && !isStalled) return []
  const count = `${done} of ${first.progress.total} done`
  const note = isStalled ? `${count}, nothing since ${formatSaid(last, now, timeZone)}` : count
  const title = first.heading ?? first.path
  const signal = toSignal('goal_progress', first, { urgency: isAtRisk ? 'normal' : 'low', progress })
  return [
    {
      ...signal,
      signature: signatureOf('goal_progress', { subject: [], memoryId: `${first.path} ${title}` }),
      summary: toLine(`${title}: ${list[0]?.text ?? ''}`, note),
      ...(Number.isFinite(due) && { dueAt: toIsoWithOffset(new Date(due), timeZone) }),
    },
  ]
}
