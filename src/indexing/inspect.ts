import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { messageOf } from '../errors.ts'
import type { StatusOptions, StatusReport } from '../model/engine.ts'
import type { MemoryState } from '../model/memory.ts'
import type { Source } from '../source/source.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { accountCharacters } from './account-characters.ts'
import { readProblems } from './kept-problems.ts'

export interface InspectedParts {
  store: MemoryStore
  sources: readonly Source[]
  embedding: EmbeddingProvider | null
}

/** What is indexed, with which model, what was skipped and why. */
export async function reportStatus(
  {
    store,
    sources,
    embedding,
    timeZone,
    viewer: { tenant },
  }: InspectedParts & { timeZone: string; viewer: { tenant: string } },
  options: StatusOptions = {},
): Promise<StatusReport> {
  const counts = await store.counts(embedding?.identity)
  const documents = await store.listDocuments()
  const roots = await Promise.all(
    sources.map(async (source) => {
      const problem = await findRootProblem(source)
      return {
        path: source.root,
        kind: source.kind,
        documents: documents.filter(({ root }) => root === source.root).length,
        ...(problem !== null && { problem }),
        ...(source.pattern !== undefined && { pattern: source.pattern }),
        ...(source.watch && { watch: source.watch }),
      }
    }),
  )
  const partial = documents.filter(({ isPartial }) => isPartial).length
  const [identity] = Object.entries(counts.embedded).sort(([, a], [, b]) => b - a)[0] ?? [null]
  return {
    roots,
    documents: counts.documents,
    ...(partial > 0 && { partial }),
    memories: counts.memories,
    states: await countStates(store, tenant),
    pending: embedding ? counts.pending : 0,
    vectors: { backend: store.vectorBackend, identity, wanted: embedding?.identity ?? null },
    skipped: (await readProblems(store)).map(({ failed: _, ...problem }) => problem),
    store: store.location,
    ...(options.ledger && { ledger: await accountCharacters(store, { sources, timeZone }) }),
  }
}

/** How many memories of the tenant are in each state. */
async function countStates(store: MemoryStore, tenant: string): Promise<Record<MemoryState, number>> {
  const count = (state: MemoryState): Promise<number> => store.countMemories({ viewer: { tenant }, states: [state] })
  return { active: await count('active'), stale: await count('stale'), archived: await count('archived') }
}

/** Why the root cannot be listed now, or null. */
async function findRootProblem(source: Source): Promise<string | null> {
  try {
    for await (const _ of source.list(() => undefined)) return null
    return null
  } catch (error) {
    return messageOf(error)
  }
}
