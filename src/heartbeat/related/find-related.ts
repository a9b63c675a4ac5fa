import { formatHeader, type Memory } from '../../model/memory.ts'
import type { Explanation, Hit, MemoryFilter } from '../../model/search.ts'
import { LONE_WORD } from '../../options.ts'
import { analyzeQuery, type QueryAnalysis, type QueryWord } from '../../retrieval/analyze-query.ts'
import { answerability } from '../../retrieval/calibrate.ts'
import type { SearchRequest } from '../../retrieval/request.ts'
import { searchMemories } from '../../retrieval/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { isWordOfTime } from '../../text/cues/subject.ts'
import { blankDates } from '../../text/dates.ts'
import {
  RELATED_CANDIDATES,
  RELATED_EVIDENCE,
  RELATED_LOOKED,
  RELATED_MIN_SCORE,
  RELATED_SPREAD,
  RELATED_WORD_MEMORIES,
  RELATED_WORD_SHARE,
  RELATED_WORDS,
} from './related-options.ts'
import { readSessions } from './sessions.ts'

export interface RelatedSearch {
  store: MemoryStore
  now: Date
  timeZone: string
  /** What may be found at all: whose, of which types and states. */
  filter: MemoryFilter
  /** Identity of the vectors that are compared; null where there is no model. */
  identity: string | null
}

/** A memory for which others are looked for. */
export interface RelatedSubject {
  memory: Memory
  /** Which of its words; default the memory's own text. */
  topic?: string
}

/** What a subject is looked for by. */
type RelatedRequest = Omit<SearchRequest, 'limit'> & { analysis: QueryAnalysis }

/** What is looked for. */
export interface RelatedQuestion {
  memory: Memory
  request: RelatedRequest
  /** Memories that are not wanted. */
  excluded: ReadonlySet<string>
  limit: number
}

/** A memory that bears on another. */
export interface RelatedMemory {
  memory: Memory
  /** The chance that it bears on it, [0,1]. */
  score: number
  /** Words that both hold. */
  matchedTerms: string[]
}

/**
 * Memories of other sessions that bear on a memory, best first, as retrieval ranks them for its rarest words and its stored vectors:
 * no model is asked. Rejects as the store does.
 */
export async function findRelated(search: RelatedSearch, question: RelatedQuestion): Promise<RelatedMemory[]> {
  const { memory, request, excluded, limit } = question
  const wanted = Math.max(limit, RELATED_SPREAD)
  const own = await readSessions(search.store, memory)
  for (let looked: number = RELATED_LOOKED.first; ; looked *= 4) {
    const { hits } = await searchMemories(search.store, { ...request, limit: looked })
    const first: RelatedMemory[] = []
    for (const hit of hits) {
      if (first.length >= wanted) break
      if (hit.memory.id === memory.id || excluded.has(hit.memory.id)) continue
      if (await isOfSession(search.store, hit.memory, own)) continue
      const score = bearing(hit, request.analysis.words)
      first.push({ memory: hit.memory, score, matchedTerms: hit.explanation.matchedTerms })
    }
    const isAll = first.length >= wanted || hits.length < looked || looked >= RELATED_LOOKED.most
    // Both count, the rank and the evidence: what passes far down the list does so by chance.
    if (isAll) return spread(first.filter(({ score }) => score >= RELATED_MIN_SCORE)).slice(0, limit)
  }
}

/** The best of each session, or section of a note, first: several pieces of one tell the same. */
function spread(ranked: readonly RelatedMemory[]): RelatedMemory[] {
  const known = new Set<string>()
  const isFirst = ranked.map(({ memory: { headerPath, place } }) => {
    const own = place.sessionId ?? `${place.root}\0${place.path}\0${formatHeader(headerPath)}`
    return !known.has(own) && known.add(own).size > 0
  })
  return [...ranked.filter((_, index) => isFirst[index]), ...ranked.filter((_, index) => !isFirst[index])]
}

async function isOfSession(store: MemoryStore, memory: Memory, own: ReadonlySet<string>): Promise<boolean> {
  return [...(await readSessions(store, memory))].some((session) => own.has(session))
}

/** What each subject is looked for by, in the order of the subjects; what the store has to be asked for is asked for all of them at once. */
export async function makeRequests(
  search: RelatedSearch,
  subjects: readonly RelatedSubject[],
): Promise<RelatedRequest[]> {
  const { store, now, timeZone, filter, identity } = search
  // When it was noted or is due is not what it is about.
  const texts = subjects.map(({ memory, topic }) => blankDates(topic ?? memory.text))
  const analyses = await takeRareWords(
    search,
    texts.map((text) => analyzeQuery(text, null)),
  )
  const ids = subjects.map(({ memory }) => memory.id)
  const windows = identity === null ? new Map<string, Float32Array[]>() : await store.getVectors(identity, ids)
  if (identity !== null) await store.expectVectors?.(identity, [...windows.values()])
  return analyses.map((analysis, index) => {
    const list = windows.get(ids[index] ?? '')
    const vectors = identity !== null && list !== undefined ? { identity, list } : undefined
    return {
      text: texts[index] ?? '',
      now,
      timeZone,
      filter,
      mode: 'hybrid' as const,
      minScore: 0,
      candidates: RELATED_CANDIDATES,
      hitsOnly: true,
      skipFeedback: true,
      tells: true,
      analysis,
      ...(vectors && { vectors }),
    }
  })
}

/** Each with those of its words that other memories hold too, the rarest, without those of time. */
async function takeRareWords(
  { store, filter }: RelatedSearch,
  analyses: readonly QueryAnalysis[],
): Promise<QueryAnalysis[]> {
  const terms = new Set(
    analyses.flatMap(({ words }) => words.map(({ term }) => term)).filter((term) => !isWordOfTime(term)),
  )
  const keys = [...terms].map((term) => ({ term, field: 'text' as const }))
  const { documentFrequencies, memoryCount } = await store.countHolders(keys, filter.viewer.tenant)
  const holders = new Map([...terms].map((term, index) => [term, documentFrequencies[index] ?? 0]))
  const most = Math.max(RELATED_WORD_MEMORIES, memoryCount * RELATED_WORD_SHARE)
  return analyses.map((analysis) => {
    const shared = analysis.words
      // The memory itself is one of those that hold it.
      .map((word) => ({ word, others: (holders.get(word.term) ?? 0) - 1 }))
      .filter(({ others }) => others > 0)
      .sort((a, b) => a.others - b.others)
    const rare = shared.filter(({ others }) => others <= most).length
    const rarest = shared.slice(0, Math.min(RELATED_WORDS.most, Math.max(RELATED_WORDS.least, rare)))
    return { ...analysis, words: rarest.map(({ word }) => word) }
  })
}

/**
 * How likely a memory bears on what was looked for, on the calibrated scale of retrieval: its own evidence, not its rank, makes the chance
 * that it answers; RELATED_EVIDENCE is added to that as log-odds.
 */
function bearing({ explanation }: Hit, words: readonly QueryWord[]): number {
  const { calibration, signals, matchedTerms } = explanation
  if (!calibration) return 0
  const hasVectors = signals.vector > 0
  if (!hasVectors && isLoneWord(matchedTerms, words)) return 0
  const { coverage, window, cosine } = calibration
  const chance = answerability({ coverage, window, cosine, dated: false, hasVectors, isLoneWord: false })
  const odds = (chance / (1 - chance)) * Math.exp(hasVectors ? RELATED_EVIDENCE.hybrid : RELATED_EVIDENCE.keyword)
  return odds / (1 + odds)
}

function isLoneWord(matched: Explanation['matchedTerms'], words: readonly QueryWord[]): boolean {
  return words.length >= LONE_WORD.asked && matched.length <= 1 && matched.every((term) => !/\d/.test(term))
}
