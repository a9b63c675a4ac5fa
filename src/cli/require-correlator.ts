import { MadeleineError } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { shortenPath } from './paths.ts'

/** Throws DISABLED where the correlator is switched off: then nothing is opened, and it does not matter what was asked. */
export function requireCorrelator({ settings, surroundings }: Invocation): void {
  if (settings.values['correlation.enabled'] !== false) return
  const { layer, name } = settings.origins['correlation.enabled']
  const where = layer === 'file' ? `correlation.enabled in ${shortenPath(name, surroundings.home)}` : name
  throw new MadeleineError('DISABLED', `Relationships between memories are switched off by ${where}`, {
    remedy: `Set ${where} to true to have them.`,
  })
}
