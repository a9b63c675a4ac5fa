import { join } from 'node:path'
import { type Madeleine, openMadeleine, type SearchProfile } from '../src/index.ts'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { type Contender, RANK_DEPTH, toRanking, type Workbench } from './contender.ts'

interface IndexedEngine {
  engine: Madeleine
  memories: number
  buildMs: number
  /** Sets the clock by which the engine understands "last week". */
  setNow(iso: string): void
  users: number
}

/**
 * The engine through its public API, once a profile. The profiles share a haystack's store, which is filled once; it is where `storeOf` says,
 * by default a file.
 */
export function engineContenders(
  profiles: readonly SearchProfile[],
  storeOf: (workbench: Workbench) => string | Promise<MemoryStore> = ({ directory }) => join(directory, 'store.db'),
): Contender[] {
  const engines = new Map<string, Promise<IndexedEngine>>()
  return profiles.map(
    (profile): Contender => ({
      name: profile,
      needsVectors: false,
      async open(workbench) {
        const { haystack, files, directory } = workbench
        const pending = engines.get(directory) ?? indexHaystack(workbench, storeOf(workbench))
        engines.set(directory, pending)
        const indexed = await pending
        indexed.users += 1
        return {
          memories: indexed.memories,
          buildMs: indexed.buildMs,
          async rank({ text, askedAt }) {
            indexed.setNow(askedAt)
            const { results } = await indexed.engine.search(text, { limit: RANK_DEPTH, profile })
            return toRanking(
              haystack,
              results.map(({ path, startLine }) => files.messageAt(path, startLine).id),
            )
          },
          async close() {
            indexed.users -= 1
            if (indexed.users > 0) return
            engines.delete(directory)
            await indexed.engine.close()
          },
        }
      },
    }),
  )
}

async function indexHaystack(
  { haystack, files, provider }: Workbench,
  store: string | Promise<MemoryStore>,
): Promise<IndexedEngine> {
  let now = haystack.messages.at(-1)?.occurredAt ?? ''
  const engine = await openMadeleine({
    workspaces: files.form === 'notes' ? [files.directory] : [],
    transcripts: files.form === 'notes' ? [] : [files.directory],
    store: await store,
    // The cache outlives the engine, which closes its provider.
    embedding: provider ? { ...provider, close: async () => {} } : 'none',
    // A search without expansion follows no relationship.
    correlation: { autoDiscover: false },
    now: () => new Date(now),
    timeZone: 'UTC',
  })
  const started = performance.now()
  const report = await engine.index()
  const buildMs = performance.now() - started
  const problem = report.problems.find(({ failed }) => failed)
  if (problem) throw new Error(`Cannot index ${haystack.id}: ${problem.path}: ${problem.reason}`)
  if (provider && report.pending > 0) throw new Error(`${report.pending} memories of ${haystack.id} have no vector`)
  return {
    engine,
    memories: report.memories.total,
    buildMs,
    setNow: (iso) => {
      now = iso
    },
    users: 0,
  }
}
