import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { localDay } from '../../text/dates.ts'
import { CUES_A_KIND, PATTERN, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { signatureOf, toLine } from './describe-signal.ts'
import { dayOf } from './format-when.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

/** What was done on most of the last weeks' days of this weekday, and not yet today. */
export const pattern: SignalSource = {
  kind: 'pattern',
  async detect({ store, filter, now, timeZone }: SignalContext): Promise<Signal[]> {
    const saidFromMs = now.getTime() - PATTERN.windowMs
    const kinds = ['outcome', 'decision', 'appointment', 'task'] as const
    const cues = (await store.listCues({ kinds, filter, saidFromMs, limit: 2 * CUES_A_KIND })).filter((cue) =>
      wasSaid(cue, now),
    )
    const today = localDay(now, timeZone)
    const weekday = weekdayOf(today)
    const groups = new Map<string, NotedCue[]>()
    for (const cue of cues) {
      if (cue.occurredAt === undefined || cue.subject.length < 2) continue
      const about = cue.subject.join(' ')
      groups.set(about, [...(groups.get(about) ?? []), cue])
    }
    const frequent = [...groups.values()].filter(({ length }) => length >= PATTERN.times)
    return frequent.flatMap((group): Signal[] => {
      const days = new Map(group.map((cue) => [dayOf(cue.occurredAt ?? now.toISOString(), timeZone), cue]))
      const [first] = days.values()
      const times = [...days.keys()].filter((day) => weekdayOf(day) === weekday && day !== today).length
      if (!first || days.has(today) || times < PATTERN.times || times / days.size < PATTERN.share) return []
      return [
        {
          kind: 'pattern',
          urgency: 'low',
          signature: signatureOf('pattern', first, today),
          summary: toLine(
            `Usual on ${WEEKDAYS[weekday]}: ${first.text}`,
            `${times} times in the last weeks, not yet today`,
          ),
          memoryIds: [...new Set([...days.values()].map(({ memoryId }) => memoryId))].slice(0, PATTERN.times),
          weight: URGENCY_WEIGHTS.low,
          topic: first.text,
        },
      ]
    })
  },
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}
