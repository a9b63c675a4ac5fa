import type { LanguageModel } from '../language-model/language-model.ts'
import type { Heart } from '../model/heartbeat.ts'
import { analyzeHeartbeat } from './analyze.ts'
import { createHeart, type HeartParts } from './heartbeat.ts'
import { enrichWithRelatedContext } from './related-context.ts'
import { reportSalience } from './salience.ts'
import { collectSignals } from './signals/collect-signals.ts'

/** What the engine gives a heart. */
export interface HeartSetup
  extends Pick<HeartParts, 'store' | 'clock' | 'timeZone' | 'toViewer' | 'listTurns' | 'settings'> {
  /** Identity of the vectors that are compared; null where there is no model. */
  identity: () => string | null
  /** Asked once in a tick that acts, where analysis is wanted. */
  languageModel?: LanguageModel
}

/** Puts a heart together from its parts. */
export function composeHeart(setup: HeartSetup): Heart {
  const { store, timeZone, identity, languageModel } = setup
  return createHeart({
    ...setup,
    collectSignals: (context) => collectSignals({ store, timeZone, ...context }),
    enrich: (result, context) =>
      enrichWithRelatedContext(result, { store, timeZone, identity: identity(), related: true, ...context }),
    ...(languageModel && {
      analyze: (result, context) => analyzeHeartbeat(languageModel, result, { timeZone, ...context }),
    }),
    reportSalience: (options, context) => reportSalience({ store, timeZone, ...context }, options),
  })
}
