import type { MemoryContent, MemoryState, Scope } from '../model/memory.ts'
import type { MemoryFilter, Viewer } from '../model/search.ts'

/** Whether the viewer may see memories of this scope. The owner (no agent) sees the whole tenant. */
export function maySee(viewer: Viewer, scope: Scope): boolean {
  if (scope.tenant !== viewer.tenant) return false
  if (scope.visibility === 'global') return true
  if (viewer.project !== undefined && scope.project !== viewer.project) return false
  if (viewer.agent === undefined || scope.agent === viewer.agent) return true
  return scope.visibility === 'team' && viewer.team?.includes(scope.agent) === true
}

/** Whether nothing of the tenant is hidden from the viewer: an owner who asks about no single project. */
export function seesTenant({ agent, project }: Viewer): boolean {
  return agent === undefined && project === undefined
}

/** Whether one of the instants lies in the filter's half-open range. Undated memories fail a filter with a range. */
export function isInRange(times: ReadonlyArray<number | null>, filter: MemoryFilter): boolean {
  const { afterMs, beforeMs } = filter
  if (afterMs === undefined && beforeMs === undefined) return true
  return times.some(
    (ms) => ms !== null && (afterMs === undefined || ms >= afterMs) && (beforeMs === undefined || ms < beforeMs),
  )
}

/** Whether kind and state of a memory are among those asked for. An empty list lets nothing through. */
export function isOfKind(
  memory: Pick<MemoryContent, 'category' | 'tier' | 'type'> & { state: MemoryState },
  filter: MemoryFilter,
): boolean {
  return (
    (filter.category === undefined || filter.category === memory.category) &&
    (filter.tiers === undefined || filter.tiers.includes(memory.tier)) &&
    (filter.types === undefined || filter.types.includes(memory.type)) &&
    (filter.states === undefined || filter.states.includes(memory.state))
  )
}
