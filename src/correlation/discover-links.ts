import { MadeleineError } from '../errors.ts'
import type { DiscoveredLink, DiscoverLinksParams } from '../model/correlation.ts'
import { type Memory, TIERS } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import { cleanTurnText } from '../normalize/index.ts'
import type { Candidate, QueryTerm } from '../store/memory-store.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { type CorrelationContext, checkOneOf } from './correlation-context.ts'
import { CANDIDATES } from './correlation-options.ts'
import { findVisible } from './find-correlations.ts'
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
  const subject: ComparedMemory = {
    id: memoryId,
    text,
    tier: type,
    headerPath: known?.headerPath ?? [],
    place: known?.place ?? { root: '', path: '', position: 0 },
  }
  const candidates = await findCandidates(context, subject, filter)
  const { minScore } = settings
  return candidates
    .filter(({ memory }) => memory.id !== memoryId && isRelatable(memory))
    .flatMap(({ memory, vector }) =>
      relatePair(subject, toCompared(memory), {
        minScore,
        seeksConflict: true,
        ...(vector !== undefined && { cosine: vector }),
      }).map((found) => toComputed(found, { id: memoryId, text, other: memory })),
    )
    .map(({ origin: _, ...link }) => link)
    .sort(compareCorrelations)
    .slice(0, settings.maxLinks)
}

async function findCandidates(
  { store, identity, embed }: CorrelationContext,
  subject: ComparedMemory,
  filter: MemoryFilter,
): Promise<Array<Pick<Candidate, 'memory' | 'vector'>>> {
  const vectors = await embed(subject.text)
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
  for (const { id } of await store.getMemories(listNamedIds(subject))) {
    const memory = found.has(id) ? undefined : await findVisible(store, id, filter)
    if (memory) named.push(memory)
  }
  return [...candidates, ...named.map((memory) => ({ memory }))]
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
