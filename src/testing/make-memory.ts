import type { Memory, Place } from '../model/memory.ts'

/** A plausible memory for tests: every field set, the given ones overriding. */
export function makeMemory(fields: Partial<Omit<Memory, 'place'>> & { place?: Partial<Place> } = {}): Memory {
  const { place, ...rest } = fields
  const text = rest.text ?? 'The sluice opens at dawn.'
  return {
    id: 'm1',
    scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private' },
    category: 'memory',
    tier: 'semantic',
    type: 'fact',
    trust: 'owner',
    importance: 0.5,
    text,
    headerPath: [],
    embedText: text,
    placeCount: 1,
    state: 'active',
    accessCount: 0,
    ...rest,
    place: { root: '/ws', path: 'memory/note.md', startLine: 1, endLine: 1, position: 0, ...place },
  }
}
