import { MadeleineError } from '../errors.ts'
import { TIERS } from '../model/memory.ts'
import type { SearchOptions } from '../model/search.ts'

const MAX_LIMIT = 1000

/** Refuses search options that are out of range or unknown, with INVALID_OPTION. */
export function checkSearchOptions({ limit, minScore, mode, source, tier, profile }: SearchOptions): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw invalid('limit', limit, `a whole number from 1 to ${MAX_LIMIT}`)
  }
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 1))
    throw invalid('minScore', minScore, 'a number from 0 to 1')
  checkOneOf('mode', mode, ['hybrid', 'keyword', 'vector'])
  checkOneOf('source', source, ['memory', 'sessions', 'all'])
  checkOneOf('tier', tier, TIERS)
  checkOneOf('profile', profile, ['default', 'seed'])
}

function checkOneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value)) throw invalid(name, value, `one of ${allowed.join(', ')}`)
}

function invalid(name: string, value: unknown, allowed: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot search with ${name} "${String(value)}": it must be ${allowed}`, {
    remedy: `Give ${name} as ${allowed}`,
  })
}
