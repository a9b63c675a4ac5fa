import type { Signal } from '../../model/heartbeat.ts'
import { localDay } from '../../text/dates.ts'
import { URGENCY_WEIGHTS, VELOCITY } from '../heartbeat-options.ts'
import { signatureOf, toLine } from './describe-signal.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

const DAY_MS = 86_400_000

/** Many more memories in a day than usual. */
export const velocity: SignalSource = {
  kind: 'velocity',
  async detect({ store, filter, now, timeZone }: SignalContext): Promise<Signal[]> {
    const at = now.getTime() + 1
    // What is dated by its file only was not all written on that day.
    const told = { ...filter, tiers: ['episodic' as const] }
    const fresh = await store.countMemories({ ...told, afterMs: at - DAY_MS, beforeMs: at })
    if (fresh < VELOCITY.least) return []
    const before = { afterMs: at - (VELOCITY.days + 1) * DAY_MS, beforeMs: at - DAY_MS }
    const usual = (await store.countMemories({ ...told, ...before })) / VELOCITY.days
    if (usual < 1 || fresh < VELOCITY.times * usual) return []
    const newest = await store.listMemories({ ...told, afterMs: at - DAY_MS, beforeMs: at }, { limit: 1 })
    return [
      {
        kind: 'velocity',
        urgency: 'low',
        signature: signatureOf('velocity', { subject: [], memoryId: localDay(now, timeZone) }),
        summary: toLine(`${fresh} memories in a day, usual are ${Math.round(usual)}`),
        memoryIds: newest.map(({ id }) => id),
        weight: URGENCY_WEIGHTS.low,
      },
    ]
  },
}
