import { describe, it } from 'vitest'
import { whyNoServer } from './run-server.ts'

/**
 * As `describe`, of tests that need a real PostgreSQL server: where there is none they are skipped, and counted as such; with
 * MADELEINE_REQUIRE_ALL=1 they fail.
 */
export function describeWithServer(title: string, define: () => void): void {
  const reason = whyNoServer()
  if (reason === null) describe(title, define)
  else describe(title, () => refuse(reason, define))
}

function refuse(reason: string, define: () => void): void {
  if (process.env.MADELEINE_REQUIRE_ALL !== '1') {
    describe.skip(reason, define)
    return
  }
  it('has a server', () => {
    throw new Error(reason)
  })
}
