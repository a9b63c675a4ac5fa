import type { Memory } from '../model/memory.ts'
import { formatHeader } from '../model/memory.ts'
import type { Degraded, Hit, SignalScores } from '../model/search.ts'
import { FEEDBACK_BELOW, SEED_WEIGHTS, TEMPORAL_BOOST } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { parseWhen } from '../text/dates.ts'
import { STOP_WORDS } from '../text/stop-words.ts'
import { findCandidates } from './find-candidates.ts'
import type { SearchAnswer, SearchRequest } from './request.ts'
import { isWithin } from './temporal.ts'

/** Weights when no memory holds a tenth of the query's words. (S4) */
const LOW_KEYWORD_WEIGHTS: SignalScores = { vector: 0.85, keyword: 0.05, header: 0.05, filepath: 0.05 }
const LOW_KEYWORD_BELOW = 0.1
const EVERYTHING = Number.MAX_SAFE_INTEGER
/** Generic words that feedback must not add. */
const FEEDBACK_STOP = new Set(
  'that this with from have been were they their about would could should there which when what will into also just more some than then them these those over only other after before file files memory notes'.split(
    ' ',
  ),
)

interface Scored {
  memory: Memory
  signals: SignalScores
  weights: SignalScores
  isOfTime: boolean
  score: number
}

/**
 * The founding rules to the letter, kept as a baseline (S4): 0.4 cosine + 0.25 words + 0.1 header + 0.25 path, words
 * compared as substrings over every memory; 0.85 cosine when words hardly match; ×3 on the date asked for; one round of feedback
 * below 0.45. `embedQuery` gives the vector of the expanded query.
 */
export async function searchBySeedRules(
  store: MemoryStore,
  request: SearchRequest,
  embedQuery?: (text: string) => Promise<Float32Array | null>,
): Promise<SearchAnswer> {
  const when = parseWhen(request.text, request)
  const isOfTime = (memory: Memory): boolean => when !== null && isWithin(memory, when, request.timeZone)
  const memories = await store.listMemories(request.filter)
  const degraded = new Map<string, Degraded>()
  const score = async (text: string, vector: Float32Array | null): Promise<Scored[]> => {
    const found = await cosines(store, request, vector)
    for (const one of found.degraded) degraded.set(one.reason, one)
    return scoreAll(memories, wordsOf(text), isOfTime, found.cosine)
  }
  let ranked = await score(request.text, request.vectors?.list[0] ?? null)
  if ((ranked[0]?.score ?? 0) < FEEDBACK_BELOW && when === null) {
    const extra = feedbackTerms(ranked, wordsOf(request.text))
    if (extra.length > 0) {
      const expanded = `${request.text} ${extra.join(' ')}`
      const again = await score(expanded, (await embedQuery?.(expanded)) ?? null)
      const best = new Map(ranked.map((one) => [one.memory.id, one]))
      for (const one of again) if (one.score > (best.get(one.memory.id)?.score ?? -1)) best.set(one.memory.id, one)
      ranked = rank([...best.values()])
    }
  }
  const hits = ranked.filter((one) => one.score > 0 && Math.min(1, one.score) >= request.minScore).map(toHit)
  return {
    hits: hits.slice(0, request.limit),
    total: hits.length,
    degraded: [...degraded.values()],
    ...(when && { dateMatch: ranked.some(({ isOfTime }) => isOfTime) }),
  }
}

async function cosines(
  store: MemoryStore,
  { vectors, filter }: SearchRequest,
  vector: Float32Array | null,
): Promise<{ cosine: Map<string, number>; degraded: Degraded[] }> {
  if (!vector || !vectors) return { cosine: new Map(), degraded: [] }
  const { set, degraded } = await findCandidates(store, {
    terms: [],
    vectors: [vector],
    identity: vectors.identity,
    filter,
    limit: EVERYTHING,
  })
  return { cosine: new Map(set.candidates.map(({ memory, vector: cosine }) => [memory.id, cosine ?? 0])), degraded }
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter(
    (word) => word.length > 2 && !STOP_WORDS.has(word),
  )
}

function scoreAll(
  memories: readonly Memory[],
  words: readonly string[],
  isOfTime: (memory: Memory) => boolean,
  cosine: ReadonlyMap<string, number>,
): Scored[] {
  const share = (text: string): number =>
    words.length === 0 ? 0 : words.filter((word) => text.includes(word)).length / words.length
  const signals = memories.map(
    (memory): SignalScores => ({
      vector: Math.max(0, cosine.get(memory.id) ?? 0),
      keyword: share(memory.text.toLowerCase()),
      header: share(formatHeader(memory.headerPath).toLowerCase()),
      filepath: share(memory.place.path.toLowerCase().replace(/[-_/]/g, ' ')),
    }),
  )
  const isLow = signals.every(({ keyword }) => keyword < LOW_KEYWORD_BELOW)
  const weights = isLow ? LOW_KEYWORD_WEIGHTS : { ...SEED_WEIGHTS }
  return rank(
    memories.map((memory, index): Scored => {
      const own = signals[index] ?? LOW_KEYWORD_WEIGHTS
      const sum =
        weights.vector * own.vector +
        weights.keyword * own.keyword +
        weights.header * own.header +
        weights.filepath * own.filepath
      const isDated = isOfTime(memory)
      return { memory, signals: own, weights, isOfTime: isDated, score: isDated ? sum * TEMPORAL_BOOST : sum }
    }),
  )
}

function rank(scored: readonly Scored[]): Scored[] {
  return [...scored].sort((a, b) => b.score - a.score || (a.memory.id < b.memory.id ? -1 : 1))
}

function feedbackTerms(ranked: readonly Scored[], words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const { memory } of ranked.slice(0, 3)) {
    for (const word of memory.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (word.length <= 3 || STOP_WORDS.has(word) || FEEDBACK_STOP.has(word) || words.includes(word)) continue
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts]
    .filter(([, count]) => count >= 2)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 5)
    .map(([word]) => word)
}

function toHit({ memory, signals, weights, isOfTime, score }: Scored): Hit {
  return {
    memory,
    score: Math.min(1, score),
    explanation: {
      signals,
      weights,
      boosts: isOfTime ? [{ name: 'time', factor: TEMPORAL_BOOST, reason: 'of the time asked for' }] : [],
      matchedTerms: [],
    },
  }
}
