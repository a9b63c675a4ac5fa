import type { Heart } from '../model/heartbeat.ts'
import { createHeart, type HeartParts } from './heartbeat.ts'
import { enrichWithRelatedContext } from './related-context.ts'
import { collectSignals } from './signals/collect-signals.ts'

/** What the engine gives a heart. */
export interface HeartSetup
  extends Pick<HeartParts, 'store' | 'clock' | 'timeZone' | 'toViewer' | 'listTurns' | 'settings'> {
  /** Identity of the vectors that are compared; null where there is no model. */
  identity: () => string | null
}

/** Puts a heart together from its parts. */
export function composeHeart(setup: HeartSetup): Heart {
  const { store, timeZone, identity } = setup
  return createHeart({
    ...setup,
    collectSignals: (context) => collectSignals({ store, timeZone, ...context }),
    enrich: (result, context) =>
      enrichWithRelatedContext(result, { store, timeZone, identity: identity(), related: true, ...context }),
    reportSalience: async (_, { now }) => ({ timestamp: now.toISOString(), items: [], prompts: [], totalItems: 0 }),
  })
}
