import { MadeleineError } from '../errors.ts'
import type { Clock } from '../model/clock.ts'
import type { AskedBy, CorrelatorSettings } from '../model/correlation.ts'
import type { MemoryFilter, Viewer } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { CORRELATOR_DEFAULTS } from './correlation-options.ts'

/** What every part of the correlator works with. */
export interface CorrelationContext {
  store: MemoryStore
  clock: Clock
  /** Identity of the vectors that are compared; null where there is no model. */
  identity: () => string | null
  /** Vectors of a text that is no memory; null where there is no model, or it cannot represent it. Rejects as the provider does. */
  embed: (text: string) => Promise<Float32Array[] | null>
  settings: Required<CorrelatorSettings>
  /** Agents that share their `team` memories. */
  team: readonly string[]
  /** What the asker may see, in every state: archiving takes no relationship away. */
  filterOf: (asked: AskedBy) => MemoryFilter
}

/** What the correlator is told from outside. */
export interface CorrelatorParts {
  store: MemoryStore
  clock: Clock
  identity: () => string | null
  embed: (text: string) => Promise<Float32Array[] | null>
  team?: readonly string[]
  toViewer: (asked: AskedBy) => Viewer
  settings?: CorrelatorSettings
}

/** Rejects settings that are out of range with INVALID_OPTION. */
export function createCorrelationContext(parts: CorrelatorParts): CorrelationContext {
  const { store, clock, identity, embed, team = [], toViewer } = parts
  const settings = { ...CORRELATOR_DEFAULTS, ...parts.settings }
  checkSettings(settings)
  return { store, clock, identity, embed, team, settings, filterOf: (asked) => ({ viewer: toViewer(asked) }) }
}

function checkSettings({ minScore, maxLinks, consensus }: Required<CorrelatorSettings>): void {
  checkNumber('correlation.minScore', minScore, { from: 0, to: 1 })
  checkNumber('correlation.maxLinks', maxLinks, { from: 1, to: 10_000, isWhole: true })
  checkNumber('correlation.consensus', consensus, { from: 1, to: 100, isWhole: true })
}

/** Throws INVALID_OPTION for a number that is out of its range. */
export function checkNumber(
  name: string,
  value: number,
  { from, to, isWhole = false }: { from: number; to: number; isWhole?: boolean },
): void {
  if (value >= from && value <= to && (!isWhole || Number.isInteger(value))) return
  throw new MadeleineError('INVALID_OPTION', `Cannot use ${name} ${value}: it is out of range`, {
    remedy: `Give a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}`,
  })
}

/** Throws INVALID_OPTION for a value that is none of those that are known. */
export function checkOneOf(name: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  throw new MadeleineError('INVALID_OPTION', `Cannot use the ${name} "${value}": it is unknown`, {
    remedy: `Use ${known.join(', ')}`,
  })
}
