import type { Signal } from '../../model/heartbeat.ts'
import { localDay } from '../../text/dates.ts'
import { DECAYING, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { signatureOf, toLine } from './describe-signal.ts'
import { dayOf, nameDay } from './format-when.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** What its source calls important, and what fades because nobody reads it. */
export const decaying: SignalSource = {
  kind: 'decaying',
  async detect({ store, filter, now, timeZone }: SignalContext): Promise<Signal[]> {
    const query = { filter, at: now, statedFrom: DECAYING.importance, limit: DECAYING.told }
    const vitals = await store.listVitals(query)
    const today = localDay(now, timeZone)
    return vitals.flatMap(({ id, path, header, occurredAt, lastAccess, strength }) => {
      const since = lastAccess ?? occurredAt
      if (strength >= DECAYING.strengthBelow || since === undefined || Date.parse(since) > now.getTime()) return []
      const day = nameDay(dayOf(since, timeZone), today)
      return [
        {
          kind: 'decaying',
          urgency: 'low',
          signature: signatureOf('decaying', { subject: [], memoryId: id }),
          summary: toLine(header === '' ? path : `${header} (${path})`, `important, not read since ${day}`),
          memoryIds: [id],
          weight: URGENCY_WEIGHTS.low,
        },
      ]
    })
  },
}
