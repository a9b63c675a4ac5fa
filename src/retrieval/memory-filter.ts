import { MadeleineError } from '../errors.ts'
import type { Memory } from '../model/memory.ts'
import type { MemoryFilter, SearchOptions, Viewer } from '../model/search.ts'
import { parseInstant } from '../text/dates.ts'

/** Who asks unless a call says otherwise. */
export interface ViewerDefaults {
  tenant: string
  agentId?: string
  team?: readonly string[]
  project?: string
  /** The project that a folder belongs to: a caller may name any folder in it. */
  findProject: (folder: string) => string
}

/** The viewer of one call. The one place where scope is decided: every public read passes its result to the store. */
export function toViewer(
  defaults: ViewerDefaults,
  call: { agentId?: string; project?: string; allProjects?: boolean } = {},
): Viewer {
  const agent = call.agentId ?? defaults.agentId
  const folder = call.allProjects ? undefined : (call.project ?? defaults.project)
  return {
    tenant: defaults.tenant,
    ...(agent !== undefined && { agent }),
    ...(agent !== undefined && defaults.team?.includes(agent) && { team: defaults.team }),
    ...(folder !== undefined && { project: defaults.findProject(folder) }),
  }
}

/** The exact conditions of a search. Bad dates are refused with INVALID_OPTION. */
export function toMemoryFilter(viewer: Viewer, options: SearchOptions, timeZone: string): MemoryFilter {
  const { source, tier, after, before } = options
  const afterMs = after === undefined ? undefined : parseInstant(after, timeZone).getTime()
  const beforeMs = before === undefined ? undefined : parseInstant(before, timeZone).getTime()
  if (afterMs !== undefined && beforeMs !== undefined && afterMs >= beforeMs) {
    throw new MadeleineError('INVALID_OPTION', `Cannot search from ${after} to ${before}: no time lies between them`, {
      remedy: 'Give an after that is earlier than before; a day ends where the next one begins',
    })
  }
  return {
    viewer,
    ...(source !== undefined && source !== 'all' && { category: source }),
    ...(tier !== undefined && { tiers: [tier] }),
    ...(afterMs !== undefined && { afterMs }),
    ...(beforeMs !== undefined && { beforeMs }),
  }
}

/** What may be read may still be another's to delete: an agent forgets its own, the owner (a call without an agent) everything. */
export function assertOwner(idOrPath: string, memories: readonly Memory[], { agent }: Viewer): void {
  const other = memories.find(({ scope }) => agent !== undefined && scope.agent !== agent)
  if (!other) return
  const found = `Cannot forget "${idOrPath}": it belongs to agent "${other.scope.agent}"`
  throw new MadeleineError('INVALID_OPTION', found, { remedy: 'Forget it as that agent, or without naming an agent' })
}
