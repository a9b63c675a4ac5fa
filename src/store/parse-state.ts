/** A named value as it is stored. Null also for what does not parse: `check` reports it, and nothing that depends on it fails. */
export function parseState(stored: unknown): string | null {
  if (typeof stored !== 'string') return null
  try {
    const value: unknown = JSON.parse(stored)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
