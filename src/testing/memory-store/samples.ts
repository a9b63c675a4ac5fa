import type { MemoryContent, Place, Scope } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { CandidateQuery, DocumentWrite, MemoryStore } from '../../store/memory-store.ts'

export const ROOT = '/home/ada/notes'
export const OWNER: MemoryFilter = { viewer: { tenant: 'local' } }

/** What a test says about a memory; all else is plain. */
export type Sample = Partial<Omit<MemoryContent, 'scope'>> & {
  text: string
  scope?: Partial<Scope>
  place?: Partial<Omit<Place, 'root' | 'path' | 'position'>>
}

/** A memory whose id is its text unless the sample gives one. */
export function makeContent(sample: string | Sample): MemoryContent {
  const { place: _, scope, ...given } = typeof sample === 'string' ? { text: sample } : sample
  return {
    id: given.text,
    category: 'memory',
    tier: 'semantic',
    type: 'fact',
    trust: 'owner',
    importance: 0.5,
    headerPath: [],
    embedText: given.text,
    ...given,
    scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private', ...scope },
  }
}

/** A document of these memories, one a line. */
export function makeWrite(
  path: string,
  samples: ReadonlyArray<string | Sample>,
  head: Partial<DocumentWrite['head']> = {},
): DocumentWrite {
  const memories = samples.map((sample, index) => ({
    content: makeContent(sample),
    place: {
      startLine: index + 1,
      endLine: index + 1,
      ...(typeof sample === 'string' ? {} : sample.place),
    },
  }))
  return {
    head: {
      root: ROOT,
      path,
      category: memories[0]?.content.category ?? 'memory',
      scope: memories[0]?.content.scope ?? makeContent('').scope,
      contentHash: `hash of ${path}`,
      ...head,
    },
    fingerprint: `fingerprint of ${path}`,
    chunkerVersion: 1,
    memories,
  }
}

/** A query for these words in the body of a memory. */
export function askFor(words: string, query: Partial<CandidateQuery> = {}): CandidateQuery {
  const terms = words
    .split(' ')
    .filter(Boolean)
    .map((term) => ({ term, field: 'text' as const, weight: 1 }))
  return { terms, vectors: [], filter: OWNER, limit: 50, ...query }
}

/** Ids of the memories found, best first. */
export async function findIds(store: MemoryStore, query: CandidateQuery): Promise<string[]> {
  return (await store.findCandidates(query)).candidates.map(({ memory }) => memory.id)
}

/** A vector that points along these numbers. */
export function vectorOf(...values: number[]): Float32Array {
  return Float32Array.from({ length: 16 }, (_, index) => values[index] ?? 0)
}
