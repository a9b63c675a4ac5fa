import type { RecallItem, RecallTraceEntry } from '../model/recall.ts'
import type { RankingScores } from './metrics.ts'

/** Ways to search that can be compared: the defaults, the founding rules, words alone, meaning alone. */
export const EVALUATION_PROFILES = ['default', 'seed', 'keyword', 'vector'] as const
export type EvaluationProfile = (typeof EVALUATION_PROFILES)[number]

/** What a search made of one question. */
export interface FoundGold {
  /** Rank of the first gold, from 1; null when none is among the results. */
  rank: number | null
  /** Rank of each gold place that counts, in the order of `gold`. */
  ranks: Array<number | null>
  scores: RankingScores
  /** Whether gold stands above every older statement; only where the question has one in the store. */
  newerFirst?: boolean
}

/** What became of a candidate in recall. */
export type GoldFate = Pick<RecallTraceEntry, 'path' | 'startLine' | 'score' | 'outcome'>

/** What recall made of one question. */
export interface RecalledGold {
  /** Nothing was injected. */
  silent: boolean
  /** Why, when it was. */
  reason?: string
  /** Rank in the block of the first item that answers, from 1; null when none does. */
  rank: number | null
  injected: Array<Pick<RecallItem, 'id' | 'path' | 'startLine' | 'endLine' | 'score'>>
  /** What became of the best gold among the candidates; absent when none was. */
  gold?: GoldFate
}

export interface QuestionReport {
  query: string
  line?: number
  kind?: string
  note?: string
  /** `unjudged`: its gold names nothing in the store, so it was not asked. */
  verdict: 'answerable' | 'silent' | 'unjudged'
  /** Gold that counts, each with the memories of which any one answers. */
  gold: Array<{ places: string[]; memories: string[] }>
  /** By profile; empty unless answerable. */
  found: { [Profile in EvaluationProfile]?: FoundGold }
  recall?: RecalledGold
}
