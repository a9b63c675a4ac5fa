import type { UnresolvedLink } from '../../model/correlation.ts'
import type { Memory } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { LINK_CANDIDATES } from '../correlation-options.ts'
import { readLinks, type WrittenLink } from '../read-links.ts'
import { LinkResolver } from './resolve-link.ts'

/** A picture, a table, a program: a file that no memory is made of. */
const NO_NOTE = /\.(?!(?:md|mdx|markdown|txt)$)[a-z][a-z0-9]{1,4}$|\/$/i

/**
 * Links of the memories that name none that the asker may see, or several: each once, in the order of the memories and of their texts.
 * What a tool returned is nobody's link.
 */
export async function findUnresolvedLinks(
  store: MemoryStore,
  memories: readonly Memory[],
  filter: MemoryFilter,
): Promise<UnresolvedLink[]> {
  const resolver = new LinkResolver(store, filter)
  const unresolved: UnresolvedLink[] = []
  for (const memory of memories) {
    if (memory.role === 'tool') continue
    const seen = new Set<string>()
    for (const link of readLinks(memory.text)) {
      const target = nameOf(link)
      if (seen.has(target)) continue
      seen.add(target)
      const resolved = await resolver.resolve(link, memory)
      if ('place' in resolved || (resolved.candidates.length === 0 && NO_NOTE.test(link.target))) continue
      const candidates = [...new Set(resolved.candidates.map(({ path }) => path))].slice(0, LINK_CANDIDATES.listed)
      unresolved.push({ memoryId: memory.id, path: memory.place.path, target, candidates })
    }
  }
  return unresolved
}

function nameOf({ target, heading }: WrittenLink): string {
  return heading === undefined ? target : `${target}#${heading}`
}
