import { compareText } from '../canonical-place.ts'
import { parseState } from '../parse-state.ts'
import type { Connection } from './connection.ts'

/*
 * Values are kept as JSON texts, which carry every string of JavaScript through the driver unchanged. A value that does not parse
 * is none: `check` reports it, and nothing that depends on it fails.
 */

export function getState(connection: Connection, key: string): string | null {
  return parseState(connection.sql('SELECT value FROM state WHERE key = ?').get(key)?.value)
}

export function setState(connection: Connection, key: string, value: string | null): void {
  if (value === null) connection.sql('DELETE FROM state WHERE key = ?').run(key)
  else connection.sql('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)').run(key, JSON.stringify(value))
}

/** Inside a write: nobody else writes between the look and the change. */
export function claimState(
  connection: Connection,
  key: string,
  { expected, next }: { expected: string | null; next: string },
): boolean {
  if (getState(connection, key) !== expected) return false
  setState(connection, key, next)
  return true
}

/** By key, in the order of UTF-16 code units. */
export function listStates(connection: Connection, prefix: string): Array<{ key: string; value: string }> {
  return connection
    .sql('SELECT key, value FROM state WHERE substr(key, 1, length(?1)) = ?1')
    .all(prefix)
    .flatMap(({ key, value: stored }) => {
      const value = parseState(stored)
      return value === null ? [] : [{ key: String(key), value }]
    })
    .sort((a, b) => compareText(a.key, b.key))
}

/** Keys whose values cannot be read. */
export function findUnreadableStates(connection: Connection): string[] {
  return connection
    .sql('SELECT key, value FROM state ORDER BY key')
    .all()
    .flatMap(({ key, value }) => (parseState(value) === null ? [String(key)] : []))
}
