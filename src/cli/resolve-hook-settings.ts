import type { HookSettings } from '../host/claude-code/hook-settings.ts'
import { beginInvocation, dropUndefined } from './invocation.ts'
import { processSurroundings } from './surroundings.ts'

/**
 * What a hook needs of the settings that these variables and the configuration give, MADELEINE_WARM aside: that is of the one run, and
 * these may be kept for others. Throws INVALID_OPTION for what is wrong.
 */
export function resolveHookSettings({ MADELEINE_WARM: _, ...env }: NodeJS.ProcessEnv): HookSettings {
  const { settings, timeZone } = beginInvocation({}, { ...processSurroundings(), env })
  const { values } = settings
  return {
    store: values.store,
    tenant: values.tenant,
    team: values.team,
    timeZone,
    warm: values.warm,
    recall: dropUndefined({
      threshold: values['recall.threshold'],
      tokenBudget: values['recall.tokenBudget'],
      deadlineMs: values['recall.deadlineMs'],
    }),
    ...dropUndefined({ agent: values.agent }),
  }
}
