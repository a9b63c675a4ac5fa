import { openConfigured } from '../cli/open-configured.ts'
import type { Clock, Madeleine } from '../index.ts'

interface DefaultEngine {
  engine: Madeleine
  now: Clock
}

let opened: Promise<DefaultEngine> | undefined

/**
 * The engine of the functions that take none: over the configured store, opened when it is first needed and shared in the process.
 * Rejects as opening does, and opens again with the next call then.
 */
export function openDefaultEngine(): Promise<DefaultEngine> {
  if (!opened) {
    opened = openConfigured()
    opened.then(
      () => process.once('beforeExit', closeDefaultEngine),
      () => {
        opened = undefined
      },
    )
  }
  return opened
}

/** Closes it, where it is open; the next call opens it again. A process that ends without it closes by itself. */
export async function closeDefaultEngine(): Promise<void> {
  const closing = opened
  opened = undefined
  process.off('beforeExit', closeDefaultEngine)
  if (closing) await (await closing).engine.close()
}
