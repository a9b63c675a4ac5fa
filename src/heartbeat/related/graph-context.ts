import { formatHeader, type Memory } from '../../model/memory.ts'
import type { Relationship } from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { cleanCharacters } from '../../normalize/index.ts'
import { shorten } from '../../recall/format-context.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { redactSecrets } from '../../text/redact.ts'
import { DECISION_RELATIONSHIPS, GRAPH_CONTEXT } from './related-options.ts'

/** The relationships of a tick's memories that bear on a decision, strongest first. */
export async function listDecisionRelationships(
  store: MemoryStore,
  ids: readonly string[],
  filter: MemoryFilter,
): Promise<Relationship[]> {
  if (ids.length === 0) return []
  const limit = ids.length * GRAPH_CONTEXT.perMemory
  return store.relationships.list(ids, {
    filter,
    types: DECISION_RELATIONSHIPS,
    perMemory: GRAPH_CONTEXT.perMemory,
    limit,
  })
}

/** A line for each relationship, `A (path) -[type]-> B (path)`, at most GRAPH_CONTEXT.lines. */
export async function describeRelationships(
  store: MemoryStore,
  relationships: readonly Relationship[],
): Promise<string[]> {
  const shown = relationships.slice(0, GRAPH_CONTEXT.lines)
  const ids = [...new Set(shown.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
  const names = new Map((await store.getMemories(ids)).map((memory) => [memory.id, nameOf(memory)]))
  return shown.flatMap(({ sourceId, targetId, relationshipType }) => {
    const [source, target] = [names.get(sourceId), names.get(targetId)]
    return source && target ? [`${source} -[${relationshipType}]-> ${target}`] : []
  })
}

function nameOf({ headerPath, text, place }: Memory): string {
  const name = headerPath.length > 0 ? formatHeader(headerPath.slice(-1)) : text
  const line = (part: string): string => redactSecrets(cleanCharacters(part)).text.replace(/\s+/g, ' ').trim()
  return `${shorten(line(name), GRAPH_CONTEXT.nameChars)} (${shorten(line(place.path), GRAPH_CONTEXT.nameChars)})`
}
