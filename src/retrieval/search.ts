import type { Calibration, Degraded, Hit } from '../model/search.ts'
import {
  AGENT_FACTOR,
  CANDIDATE_LIMIT,
  FEEDBACK_BELOW,
  PHRASE_BOOST,
  QUESTION_LOSS,
  SPEAKER_BOOST,
  TOOL_FACTOR,
} from '../options.ts'
import type { CandidateSet, MemoryStore } from '../store/memory-store.ts'
import { foldText, tokenize } from '../text/tokenize.ts'
import { analyzeQuery, type QueryAnalysis, type QueryWord, toQueryTerms } from './analyze-query.ts'
import { readAskedValue } from './asked-value.ts'
import { calibrate, calibrateScores } from './calibrate.ts'
import { createMemoryFilter } from './clean.ts'
import { diversify, isSettled } from './diversify.ts'
import { findFeedbackWords } from './feedback.ts'
import { findCandidates } from './find-candidates.ts'
import { adaptWeights, applyBoosts, type FusedCandidate, fuseSignals, rankFused } from './fuse.ts'
import { rerankByTokens } from './late-interaction.ts'
import { listForTime } from './list-for-time.ts'
import { NEWER_LOOKED_AT } from './newer-options.ts'
import { preferNewer } from './prefer-newer.ts'
import { questionShare } from './question-share.ts'
import type { SearchAnswer, SearchRequest } from './request.ts'
import { scoreSignals } from './signals.ts'
import { boostForTime, decayForAge } from './temporal.ts'

/** The read pass. */
export async function searchMemories(store: MemoryStore, request: SearchRequest): Promise<SearchAnswer> {
  // 1 analyze
  const analysis = request.analysis ?? analyzeQuery(request.text, request)
  if (analysis.isDateOnly && analysis.when) return listForTime(store, { ...request, when: analysis.when })
  const words = [...analysis.words, ...(request.contextWords ?? [])]
  // 2 candidates · 3 signals · 4 weights · 5 fuse · 6 time · words of the first ones
  let { ranked, set, degraded } = await rankCandidates(store, request, { analysis, words })
  // 7 feedback if weak
  if (
    !request.skipFeedback &&
    request.mode !== 'vector' &&
    (calibrateScores(ranked.slice(0, 3), words)[0] ?? 0) < FEEDBACK_BELOW
  ) {
    const extra = findFeedbackWords(ranked, words)
    if (extra.length > 0)
      ranked = mergeFeedback(ranked, await rankCandidates(store, request, { analysis, words: [...words, ...extra] }))
  }
  // 8 clean
  const clean = cleanRanked(ranked, request)
  // 9 diversify and cut · 10 calibrate
  const ordered = diversify(preferNewer(clean, request.tells ? null : readAskedValue(analysis)))
  const scores = calibrate(ordered, analysis.words)
  const passing = ordered
    .map((one, index) => ({ one, calibration: scores[index] }))
    .filter(({ calibration }) => (calibration?.score ?? 0) >= request.minScore)
  return {
    hits: passing.slice(0, request.limit).map(({ one, calibration }) => toHit(one, calibration)),
    total: passing.length,
    degraded: [...degraded, ...findDegraded(set, request)],
    ...(analysis.when && { dateMatch: ordered.some(({ boosts }) => boosts.some(({ name }) => name === 'time')) }),
  }
}

async function rankCandidates(
  store: MemoryStore,
  request: SearchRequest,
  { analysis, words }: { analysis: QueryAnalysis; words: readonly QueryWord[] },
): Promise<{ ranked: FusedCandidate[]; set: CandidateSet; degraded: Degraded[] }> {
  const { set, degraded } = await findCandidates(store, {
    terms: request.mode === 'vector' ? [] : toQueryTerms(words),
    vectors: request.mode === 'keyword' ? [] : (request.vectors?.list ?? []),
    ...(request.vectors && { identity: request.vectors.identity }),
    filter: request.filter,
    limit: Math.max(request.candidates ?? CANDIDATE_LIMIT, request.limit * 2),
  })
  const scored = scoreSignals(set, request.mode === 'vector' ? [] : words)
  const fused = fuseSignals(scored, adaptWeights(scored, request.mode))
  const boost = makeBoosts(fused, analysis, request)
  const ranked = rankFused(fused.map(boost)).filter((one) => one.fused > 0)
  const { identity, tokens } = request.vectors ?? {}
  const isCompared = identity !== undefined && tokens !== undefined && request.mode === 'hybrid'
  return {
    ranked: isCompared
      ? await rerankByTokens(store, ranked, {
          identity,
          tokens,
          ...(request.vectors?.met && { met: request.vectors.met }),
        })
      : ranked,
    set,
    degraded,
  }
}

/** The boosts of this query, each with its reason: time, age, a quoted phrase, the named speaker, tool output. */
function makeBoosts(
  fused: readonly FusedCandidate[],
  analysis: QueryAnalysis,
  { now, timeZone }: Pick<SearchRequest, 'now' | 'timeZone'>,
): (one: FusedCandidate) => FusedCandidate {
  const speaker = findNamedSpeaker(fused, analysis)
  return (one) => {
    const { memory } = one.candidate
    const boosts = [boostForTime(memory, analysis.when, timeZone), decayForAge(memory, now)]
    if (analysis.phrases.length > 0) {
      const text = foldText(memory.text)
      const phrase = analysis.phrases.find((wanted) => text.includes(wanted))
      if (phrase) boosts.push({ name: 'phrase', factor: PHRASE_BOOST, reason: `holds "${phrase}"` })
    }
    if (speaker !== null && memory.speaker === speaker) {
      boosts.push({ name: 'speaker', factor: SPEAKER_BOOST, reason: `said by ${speaker}` })
    }
    // Between people the answer is wanted, not the question that resembles the query.
    const asks = memory.speaker === undefined ? 0 : questionShare(memory.text)
    boosts.push({ name: 'question', factor: 1 - QUESTION_LOSS * asks, reason: 'asks rather than tells' })
    // A named speaker is a person, whatever role the host gave them.
    if (memory.role === 'assistant' && memory.speaker === undefined) {
      boosts.push({ name: 'agent', factor: AGENT_FACTOR, reason: 'said by the agent' })
    }
    if (memory.role === 'tool') boosts.push({ name: 'tool', factor: TOOL_FACTOR, reason: 'tool output' })
    return applyBoosts(one, boosts)
  }
}

/** The one speaker that the query names, or null when it names none or several. */
function findNamedSpeaker(fused: readonly FusedCandidate[], analysis: QueryAnalysis): string | null {
  const asked = new Set(analysis.words.map(({ term }) => term))
  const speakers = new Set<string>()
  for (const { candidate } of fused) if (candidate.memory.speaker !== undefined) speakers.add(candidate.memory.speaker)
  const named = [...speakers].filter((speaker) => tokenize(speaker).some(({ term }) => asked.has(term)))
  return named.length === 1 ? (named[0] ?? null) : null
}

/** The candidates without those that cleaning leaves out; where only the hits are wanted, no more than decide them. */
function cleanRanked(ranked: readonly FusedCandidate[], { limit, hitsOnly }: SearchRequest): FusedCandidate[] {
  const kept: FusedCandidate[] = []
  const count = Math.max(limit, NEWER_LOOKED_AT)
  const isKept = createMemoryFilter()
  for (const one of ranked) {
    if (hitsOnly && isSettled(kept, one, count)) break
    if (isKept(one.candidate.memory)) kept.push(one)
  }
  return kept
}

/** Keeps each memory's better score of the two rounds; the order of the first round decides between equals. */
function mergeFeedback(
  ranked: readonly FusedCandidate[],
  again: { ranked: readonly FusedCandidate[] },
): FusedCandidate[] {
  const best = new Map(ranked.map((one) => [one.candidate.memory.id, one]))
  for (const one of again.ranked) {
    const known = best.get(one.candidate.memory.id)
    if (!known) {
      const boost = { name: 'feedback', factor: 1, reason: 'shares words with the first results' }
      best.set(one.candidate.memory.id, { ...one, boosts: [...one.boosts, boost] })
    } else if (one.fused > known.fused) best.set(one.candidate.memory.id, { ...known, fused: one.fused })
  }
  return rankFused([...best.values()])
}

function toHit(one: FusedCandidate, calibration: Calibration | undefined): Hit {
  const { signals, weights, boosts, matchedTerms } = one
  return {
    memory: one.candidate.memory,
    score: calibration?.score ?? 0,
    explanation: { signals, weights, boosts, matchedTerms, ...(calibration && { calibration }) },
  }
}

function findDegraded(set: CandidateSet, request: SearchRequest): Degraded[] {
  if (request.mode === 'keyword' || !request.vectors || set.pendingCount === 0) return []
  return [{ part: 'vector', reason: `${set.pendingCount} memories wait for their vectors` }]
}
