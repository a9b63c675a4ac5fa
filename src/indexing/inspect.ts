import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { messageOf } from '../errors.ts'
import type { StatusOptions, StatusReport } from '../model/engine.ts'
import type { MemoryState } from '../model/memory.ts'
import type { Viewer } from '../model/search.ts'
import type { Source } from '../source/source.ts'
import type { MemoryStore, StoredDocument } from '../store/memory-store.ts'
import { accountCharacters } from './account-characters.ts'
import { readProblems } from './kept-problems.ts'

export interface InspectedParts {
  store: MemoryStore
  sources: readonly Source[]
  embedding: EmbeddingProvider | null
}

/**
 * What is indexed, with which model, what was skipped and why. Counts are of what the viewer may see; from whom something is hidden is told
 * of those files alone that hold what they may see.
 */
export async function reportStatus(
  { store, sources, embedding, timeZone, viewer }: InspectedParts & { timeZone: string; viewer: Viewer },
  options: Pick<StatusOptions, 'ledger'> = {},
): Promise<StatusReport> {
  const counts = await store.counts(embedding?.identity, viewer)
  const documents = await store.listDocuments(viewer)
  const isShown = await chooseShown(store, documents, viewer)
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
    states: await countStates(store, viewer),
    pending: embedding ? counts.pending : 0,
    vectors: { backend: store.vectorBackend, identity, wanted: embedding?.identity ?? null },
    skipped: (await readProblems(store))
      .filter(({ path }) => isShown(path))
      .map(({ failed: _, ...problem }) => problem),
    store: store.location,
    ...(options.ledger && {
      ledger: (await accountCharacters(store, { sources, timeZone })).filter(({ path, root }) => isShown(path, root)),
    }),
  }
}

/** Which files may be named: all where nothing is hidden from the viewer, else the documents that they see. */
async function chooseShown(
  store: MemoryStore,
  visible: readonly StoredDocument[],
  viewer: Viewer,
): Promise<(path: string, root?: string) => boolean> {
  const [all, seen] = [await store.counts(), await store.counts(undefined, viewer)]
  if (seen.memories === all.memories) return () => true
  const paths = new Set(visible.flatMap(({ root, path }) => [path, `${root}\0${path}`]))
  return (path, root) => paths.has(root === undefined ? path : `${root}\0${path}`)
}

/** How many of the memories that the viewer may see are in each state. */
async function countStates(store: MemoryStore, viewer: Viewer): Promise<Record<MemoryState, number>> {
  const count = (state: MemoryState): Promise<number> => store.countMemories({ viewer, states: [state] })
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
