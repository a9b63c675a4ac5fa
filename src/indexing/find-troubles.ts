import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { MadeleineError, messageOf } from '../errors.ts'
import type { Problem } from '../model/document.ts'
import type { DoctorOptions, Finding } from '../model/engine.ts'
import { type Source, UNREAD_SESSION_STORE } from '../source/source.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { findMismatch } from './find-mismatch.ts'
import type { InspectedParts } from './inspect.ts'
import { readProblems } from './kept-problems.ts'

/**
 * What is wrong and what to do about it: store, roots, vectors, what the last run could not read. With `fix` it does what needs no
 * file, no model and no decision of the user's, and says in `fixed` what that was.
 */
export async function findTroubles(
  parts: InspectedParts & { viewer: TroubleViewer },
  { fix = false }: DoctorOptions,
  now: Date,
): Promise<{ findings: Finding[] }> {
  const findings = await listFindings(parts)
  if (!fix) return { findings }
  const done = await applyFixes(parts, findings, now)
  return {
    findings: findings.map((finding) => {
      const fixed = done[finding.id]
      return fixed === undefined ? finding : { ...finding, fixed }
    }),
  }
}

async function listFindings({
  store,
  sources,
  embedding,
  viewer,
}: InspectedParts & { viewer: TroubleViewer }): Promise<Finding[]> {
  const ofStore = await store.check()
  const ofSources = await checkSources(sources)
  // Of a damaged store nothing else can be asked.
  if (ofStore.some(({ id }) => id === 'store-damaged')) return [...ofStore, ...ofSources]
  return [
    ...ofStore,
    ...ofSources,
    ...(embedding ? await checkVectors(store, embedding) : []),
    ...(embedding ? await checkModel(store, embedding) : []),
    ...(await checkPartial(store)),
    ...(await checkUnread(store)),
    ...(await checkDangling(store, viewer)),
  ]
}

async function checkPartial(store: MemoryStore): Promise<Finding[]> {
  const partial = (await store.listDocuments()).filter(({ isPartial }) => isPartial)
  if (partial.length === 0) return []
  return [
    {
      id: 'documents-partial',
      severity: 'info',
      message: `${partial.length} documents were read in part only, the first: ${partial[0]?.path}`,
      remedy: 'Run "madeleine index": it goes on where it stopped',
    },
  ]
}

/** Who is told what a finding names. */
interface TroubleViewer {
  tenant: string
  agentId?: string
}

/** Relationships that are named in a finding, the first ones. */
const NAMED_DANGLING = 3

async function checkDangling(store: MemoryStore, { tenant, agentId }: TroubleViewer): Promise<Finding[]> {
  const { dangling } = await store.relationships.totals()
  if (dangling === 0) return []
  const named = (await store.relationships.listDangling({ tenant, ...(agentId !== undefined && { agent: agentId }) }))
    .slice(0, NAMED_DANGLING)
    .map(({ relationship: { sourceId, targetId, relationshipType } }) => `${sourceId} ${relationshipType} ${targetId}`)
  return [
    {
      id: 'relationships-dangling',
      severity: 'info',
      message: `${dangling} relationships that somebody made have an end that is not there any more${named.length > 0 ? `, the first: ${named.join('; ')}` : ''}`,
      remedy:
        'They hold again when the text is back; "madeleine unlink SOURCE TARGET" takes back those that you need no more',
    },
  ]
}

async function applyFixes(
  { store, embedding }: InspectedParts,
  findings: readonly Finding[],
  now: Date,
): Promise<Record<string, string>> {
  const done = { ...(await store.repair?.(findings, now)) }
  if (embedding && findings.some(({ id }) => id === 'vector-identity')) {
    const { embedded } = await store.counts(embedding.identity)
    const others = Object.keys(embedded).filter((identity) => identity !== embedding.identity)
    let count = 0
    for (const identity of others) count += await store.removeVectors(identity)
    done['vector-identity'] = `the vectors of ${count} memories were dropped: run "madeleine index" for new ones`
  }
  return done
}

async function checkSources(sources: readonly Source[]): Promise<Finding[]> {
  if (sources.length === 0) {
    return [
      {
        id: 'no-sources',
        severity: 'warning',
        message: 'No workspace and no transcripts are configured',
        remedy: 'Run "madeleine init"',
      },
    ]
  }
  const findings = await Promise.all(
    sources.map(async (source): Promise<Finding[]> => {
      const { problem, stores } = await lookAt(source)
      const unread = stores.map(
        ({ path, reason }): Finding => ({
          id: 'sessions-store-unsupported',
          severity: 'error',
          message: `${path}: ${reason}`,
          remedy: 'Export the sessions as JSONL, or let the host capture them live; what was indexed of them is kept',
        }),
      )
      if (problem === null) return unread
      const remedy =
        'Create it, mend its permissions, or take it out of the configuration ("madeleine config" shows it); ' +
        'what was indexed from it is kept'
      return [
        ...unread,
        { id: 'root-missing', severity: 'error', message: `Root ${source.root} cannot be read: ${problem}`, remedy },
      ]
    }),
  )
  return findings.flat()
}

/** Whether the model answers, and with vectors that can be compared with those of the store. */
async function checkModel(store: MemoryStore, provider: EmbeddingProvider): Promise<Finding[]> {
  try {
    const mismatch = await findMismatch(store, provider)
    if (mismatch === null) return []
    return [
      {
        id: 'vector-dimensions',
        severity: 'error',
        message: `${provider.identity} gives other vectors than those in the store: ${mismatch}`,
        remedy: 'Check the model behind that name, or run "madeleine index --full" to embed everything anew',
      },
    ]
  } catch (error) {
    const remedy = error instanceof MadeleineError ? error.remedy : 'Check the embedding; keywords serve meanwhile'
    return [{ id: 'embedding-unavailable', severity: 'warning', message: messageOf(error), remedy }]
  }
}

async function checkVectors(store: MemoryStore, { identity: wanted }: EmbeddingProvider): Promise<Finding[]> {
  const { embedded, pending, memories } = await store.counts(wanted)
  const others = Object.keys(embedded).filter((identity) => identity !== wanted)
  const findings: Finding[] = []
  if (others.length > 0) {
    findings.push({
      id: 'vector-identity',
      severity: 'warning',
      message: `Some vectors are of ${others.join(', ')}, wanted are ${wanted}: those memories are found by keyword only`,
      remedy: 'Run "madeleine index" to embed them anew; "madeleine doctor --fix" drops the old ones',
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
  const empty = memories - pending - (embedded[wanted] ?? 0)
  if (empty > 0) {
    findings.push({
      id: 'vectors-impossible',
      severity: 'info',
      message: `${empty} memories hold nothing that ${wanted} can represent: they are found by keyword only`,
      remedy: 'Nothing to do, unless they are many: then choose a model that knows their language',
    })
  }
  return findings
}

/** As read-writes.ts says it of what sources count as 'hidden characters'. */
const HIDDEN = 'left out: hidden characters'

async function checkUnread(store: MemoryStore): Promise<Finding[]> {
  const problems = await readProblems(store)
  const failed = problems.filter((problem) => problem.failed)
  const findings: Finding[] = []
  const [first] = failed
  if (first) {
    const place = first.line ? `${first.path}:${first.line}` : first.path
    findings.push({
      id: 'unread-parts',
      severity: 'warning',
      message: `${failed.length} files or lines could not be read, the first: ${place}: ${first.reason}`,
      remedy: 'See "madeleine status" for all of them; mend the files and run "madeleine index"',
    })
  }
  const hidden = problems.filter(({ reason }) => reason === HIDDEN)
  const count = hidden.reduce((sum, { count = 1 }) => sum + count, 0)
  if (count > 0) {
    findings.push({
      id: 'hidden-characters',
      severity: 'info',
      message: `${count} characters that nobody sees stand in ${hidden.length} files, the first: ${hidden[0]?.path}; they were left out`,
      remedy: 'Look at the files: orders for a model can be hidden that way',
    })
  }
  return findings
}

/** Why the root cannot be listed now, or null; and the stores of sessions below it that cannot be read now. */
async function lookAt(source: Source): Promise<{ problem: string | null; stores: Problem[] }> {
  const stores: Problem[] = []
  try {
    const entries = source.list((problem) => {
      if (problem.reason.startsWith(UNREAD_SESSION_STORE)) stores.push(problem)
    })
    for await (const _ of entries);
    return { problem: null, stores }
  } catch (error) {
    return { problem: messageOf(error), stores }
  }
}
