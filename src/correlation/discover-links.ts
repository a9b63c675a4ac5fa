import { MadeleineError } from '../errors.ts'
import type { Correlation, DiscoveredLink, DiscoverLinksParams } from '../model/correlation.ts'
import { type Memory, TIERS } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import { cleanTurnText } from '../normalize/index.ts'
import type { Candidate, QueryTerm } from '../store/memory-store.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { type CorrelationContext, checkOneOf } from './correlation-context.ts'
import { CANDIDATES } from './correlation-options.ts'
import { findVisible } from './find-correlations.ts'
import { LinkMeanings } from './link-meanings.ts'
import { relatePair } from './relate-pair.ts'
import { listNamedIds, listSubjectKeys } from './subject-keys.ts'
import { hideCode, isRelatable, toCompared } from './to-compared.ts'
import { compareCorrelations, toComputed } from './to-correlation.ts'

/**
 * What a text would be linked to, strongest first, what it states among it whatever its score. Stores nothing; secrets are taken out
 * of the text before anything is made of it. The id need not exist; where it does, the memory is not compared with itself and what links
 * to its file is found.
 */
export async function discoverLinks(
  context: CorrelationContext,
  { memoryId, content, type, searchSpace, ...asked }: DiscoverLinksParams,
): Promise<DiscoveredLink[]> {
  const { store, settings, filterOf } = context
  checkOneOf('tier', type, TIERS)
  for (const tier of searchSpace ?? []) checkOneOf('tier', tier, TIERS)
  const text = hideCode(cleanTurnText(content, 'user'))
  if (text.trim() === '') throw emptyContent(memoryId)
  const visible = filterOf(asked)
  const filter = { ...visible, ...(searchSpace && { tiers: searchSpace }) }
  const known = await findVisible(store, memoryId, visible)
  const meanings = new LinkMeanings(store, visible)
  const subject = await meanings.read({
    id: memoryId,
    text,
    tier: type,
    headerPath: known?.headerPath ?? [],
    place: known?.place ?? { root: '', path: '', position: 0 },
  })
  const candidates = await findCandidates(context, subject, {
    filter,
    beginnings: await meanings.listBeginnings(subject),
  })
  const { minScore } = settings
  const links: Correlation[] = []
  for (const { memory, vector } of candidates) {
    if (memory.id === memoryId || !isRelatable(memory)) continue
    const question = { minScore, seeksConflict: true, ...(vector !== undefined && { cosine: vector }) }
    const found = relatePair(subject, await meanings.read(toCompared(memory)), question)
    links.push(...found.map((one) => toComputed(one, { id: memoryId, text, other: memory })))
  }
  return links
    .map(({ origin: _, ...link }) => link)
    .sort(compareCorrelations)
    .slice(0, settings.maxLinks)
}

async function findCandidates(
  { store, identity, embed }: CorrelationContext,
  subject: ComparedMemory,
  { filter, beginnings }: { filter: MemoryFilter; beginnings: readonly string[] },
): Promise<Array<Pick<Candidate, 'memory' | 'vector'>>> {
  const vectors = await embedIfPossible(embed, subject.text)
  const wanted = identity()
  const { candidates } = await store.findCandidates({
    terms: listSubjectKeys(subject).map(toQueryTerm),
    vectors: vectors ?? [],
    ...(vectors && wanted !== null && { identity: wanted }),
    filter,
    limit: CANDIDATES.nearest,
  })
  const found = new Set(candidates.map(({ memory }) => memory.id))
  const named: Memory[] = []
  for (const { id } of await store.getMemories([...new Set([...listNamedIds(subject), ...beginnings])])) {
    const memory = found.has(id) ? undefined : await findVisible(store, id, filter)
    if (memory) named.push(memory)
  }
  return [...candidates, ...named.map((memory) => ({ memory }))]
}

/** Null where the provider fails: words find candidates too, and a link must not be lost for want of a model. */
async function embedIfPossible(embed: CorrelationContext['embed'], text: string): Promise<Float32Array[] | null> {
  try {
    return await embed(text)
  } catch {
    return null
  }
}

/** A posting key taken apart again. */
function toQueryTerm(key: string): QueryTerm {
  const field = key.startsWith('#') ? 'header' : key.startsWith('/') ? 'path' : 'text'
  return { term: field === 'text' ? key : key.slice(1), field, weight: 1 }
}

function emptyContent(id: string): MadeleineError {
  return new MadeleineError(
    'INVALID_OPTION',
    `Cannot discover links of "${id}": nothing is left of its text after cleaning`,
    {
      remedy: 'Give a text that says something',
    },
  )
}
