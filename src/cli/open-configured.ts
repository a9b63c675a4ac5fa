import { type Clock, type Madeleine, openMadeleine } from '../index.ts'
import { beginInvocation, openOptions } from './invocation.ts'
import { processSurroundings } from './surroundings.ts'

/** Opens the engine that the user's configuration and environment describe, as every command does. Throws INVALID_OPTION for what is wrong in them. */
export async function openConfigured(): Promise<{ engine: Madeleine; now: Clock }> {
  const invocation = beginInvocation({}, processSurroundings())
  return { engine: await openMadeleine(openOptions(invocation)), now: invocation.now }
}
