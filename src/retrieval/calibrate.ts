import type { Calibration } from '../model/search.ts'
import { CALIBRATION, LONE_WORD, SCORE_FALLOFF } from '../options.ts'
import type { QueryWord } from './analyze-query.ts'
import type { FusedCandidate } from './fuse.ts'

/** Evidence that the store holds an answer, every part in [0,1] and independent of the store's size. */
export interface Evidence {
  /** Largest share of the query's word weight that one of the first results holds. */
  coverage: number
  /** The same for such a result with its neighbours, estimated from BM25. */
  window: number
  /** Best cosine among the first results. */
  cosine: number
  /** Whether the first result is of the day or range that the query names. */
  dated: boolean
  hasVectors: boolean
  /** Best mean cosine of the query's words among the first results; absent where no result was compared word by word. */
  words?: number
  /** One ordinary word is all that any of them holds of a query of several. */
  isLoneWord: boolean
}

const LOOKED_AT = 3

/** Reads the evidence off the first results, or off a single one. `words` are those of the query. */
export function readEvidence(ranked: readonly FusedCandidate[], words: readonly QueryWord[] = []): Evidence {
  const first = ranked.slice(0, LOOKED_AT)
  const top = (value: (one: FusedCandidate) => number): number => Math.max(0, ...first.map(value))
  const met = first.flatMap((one) => one.words ?? [])
  const asked = new Set(words.filter(({ optional }) => !optional).map(({ term }) => term))
  return {
    coverage: top((one) => one.coverage),
    window: top((one) => one.windowCoverage),
    cosine: top((one) => one.signals.vector),
    dated: first[0]?.boosts.some(({ name }) => name === 'time') ?? false,
    hasVectors: first.some(({ candidate }) => candidate.vector !== undefined),
    ...(met.length > 0 && { words: Math.max(...met) }),
    isLoneWord:
      asked.size >= LONE_WORD.asked &&
      first.every(
        ({ matchedTerms }) => matchedTerms.length <= 1 && matchedTerms.every((term) => isOrdinary(term, asked)),
      ),
  }
}

/** A number, a name with digits or a compound is no word that texts share by chance. */
function isOrdinary(term: string, asked: ReadonlySet<string>): boolean {
  return asked.has(term) && !/\d/.test(term)
}

function chooseWeights({ hasVectors, words }: Evidence): (typeof CALIBRATION)[keyof typeof CALIBRATION] {
  if (!hasVectors) return CALIBRATION.keyword
  return words === undefined ? CALIBRATION.hybrid : CALIBRATION.words
}

/** The chance, in (0,1), that the store answers the query. */
export function answerability(evidence: Evidence): number {
  const weights = chooseWeights(evidence)
  const logit =
    weights.bias +
    weights.coverage * evidence.coverage +
    weights.window * evidence.window +
    weights.cosine * evidence.cosine +
    weights.words * (evidence.words ?? 0) +
    weights.dated * (evidence.dated ? 1 : 0)
  const chance = 1 / (1 + Math.exp(-logit))
  // The rarity of a word is not what it means: "push a release" and "pushed it back in" share a rare one.
  return evidence.isLoneWord && !evidence.hasVectors && !evidence.dated ? Math.min(chance, LONE_WORD.chance) : chance
}

/**
 * Turns the order into scores in [0,1] with their reasons: the first result has the answerability of the query, the others fall
 * off with their fused score, and none exceeds what its own evidence says. One that stands above better evidence (a lifted note, a
 * newer statement) does not pull that down: such a list may rise in places.
 */
export function calibrate(ranked: readonly FusedCandidate[], words: readonly QueryWord[] = []): Calibration[] {
  const top = ranked[0]
  const evidence = readEvidence(ranked, words)
  const chance = top && top.fused > 0 ? answerability(evidence) : 0
  let ceiling = 1
  return ranked.map((one, index) => {
    const own = index === 0 ? evidence : readEvidence([one], words)
    const fused = chance > 0 && top ? Math.max(0, one.fused / top.fused) ** SCORE_FALLOFF : 0
    ceiling = Math.min(ceiling, fused)
    const score = Math.min(chance * ceiling, index === 0 ? chance : answerability(own))
    const { coverage, window, cosine, dated } = own
    return { score, chance, share: chance > 0 ? score / chance : 0, coverage, window, cosine, dated }
  })
}

/** The scores of `calibrate` alone. */
export function calibrateScores(ranked: readonly FusedCandidate[], words: readonly QueryWord[] = []): number[] {
  return calibrate(ranked, words).map(({ score }) => score)
}
