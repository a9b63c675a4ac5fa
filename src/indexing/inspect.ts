import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { messageOf } from '../errors.ts'
import type { Finding, StatusOptions, StatusReport } from '../model/engine.ts'
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
  { store, sources, embedding, timeZone }: InspectedParts & { timeZone: string },
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
      }
    }),
  )
  const [identity] = Object.entries(counts.embedded).sort(([, a], [, b]) => b - a)[0] ?? [null]
  return {
    roots,
    documents: counts.documents,
    memories: counts.memories,
    pending: embedding ? counts.pending : 0,
    vectors: { backend: store.vectorBackend, identity, wanted: embedding?.identity ?? null },
    skipped: (await readProblems(store)).map(({ failed: _, ...problem }) => problem),
    store: store.location,
    ...(options.ledger && { ledger: await accountCharacters(store, { sources, timeZone }) }),
  }
}

/** What is wrong and what to do about it: store, roots, vectors, what the last run could not read. */
export async function findTroubles(parts: InspectedParts): Promise<{ findings: Finding[] }> {
  const { store, sources, embedding } = parts
  const findings: Finding[] = [...(await store.check())]
  for (const source of sources) {
    const problem = await findRootProblem(source)
    if (problem === null) continue
    findings.push({
      id: 'root-missing',
      severity: 'error',
      message: `Root ${source.root} cannot be read: ${problem}`,
      remedy: 'Create it, mend its permissions, or take it out of the configuration; what was indexed from it is kept',
    })
  }
  if (sources.length === 0) {
    findings.push({
      id: 'no-sources',
      severity: 'warning',
      message: 'No workspace and no transcripts are configured',
      remedy: 'Run "madeleine init"',
    })
  }
  if (embedding) {
    const { embedded, pending, memories } = await store.counts(embedding.identity)
    const others = Object.keys(embedded).filter((identity) => identity !== embedding.identity)
    if (others.length > 0) {
      findings.push({
        id: 'vector-identity',
        severity: 'warning',
        message: `Some vectors are of ${others.join(', ')}, wanted are ${embedding.identity}: those memories are found by keyword only`,
        remedy: 'Run "madeleine index" to embed them anew',
      })
    }
    if (pending > 0) {
      findings.push({
        id: 'vectors-pending',
        severity: 'info',
        message: `${pending} memories wait for their vectors`,
        remedy: 'Run "madeleine index"',
      })
    }
    const empty = memories - pending - (embedded[embedding.identity] ?? 0)
    if (empty > 0) {
      findings.push({
        id: 'vectors-impossible',
        severity: 'info',
        message: `${empty} memories hold nothing that ${embedding.identity} can represent: they are found by keyword only`,
        remedy: 'Nothing to do, unless they are many: then choose a model that knows their language',
      })
    }
  }
  const failed = (await readProblems(store)).filter((problem) => problem.failed)
  if (failed.length > 0) {
    const [first] = failed
    findings.push({
      id: 'unread-parts',
      severity: 'warning',
      message: `${failed.length} files or lines could not be read, the first: ${first?.path}${first?.line ? `:${first.line}` : ''}: ${first?.reason}`,
      remedy: 'See "madeleine status" for all of them; mend the files and run "madeleine index"',
    })
  }
  const newer = (await readProblems(store)).filter(({ reason }) => reason.includes('newer session store'))
  for (const { path, reason } of newer) {
    findings.push({
      id: 'sessions-store-unsupported',
      severity: 'error',
      message: `${path}: ${reason}`,
      remedy: 'Export the sessions as JSONL, or let the host capture them live',
    })
  }
  return { findings }
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
