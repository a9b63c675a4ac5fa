import type { RecentTurn } from '../model/recall.ts'
import { RECALL_CONTEXT } from '../options.ts'
import type { QueryWord } from '../retrieval/analyze-query.ts'
import { tokenize } from '../text/tokenize.ts'

/** The two queries of a recall: the prompt as it is, and the words of the conversation that enrich it. */
export interface RecallQueries {
  prompt: string
  contextWords: QueryWord[]
  /** The user's latest turns, newest first: their vectors are usually known from their own recall. */
  contextTexts: string[]
}

/**
 * Builds the queries from a cleaned prompt and cleaned turns, oldest first. Tool results never enter: what a command
 * printed is not what the person asks about.
 */
export function buildQueries(prompt: string, recentTurns: readonly RecentTurn[]): RecallQueries {
  const talk = recentTurns
    .filter(({ role, text }) => (role === 'user' || role === 'assistant') && text.trim() !== '')
    .slice(-RECALL_CONTEXT.turns)
  const own = new Set(tokenize(prompt).map(({ term }) => term))
  const words = new Map<string, QueryWord>()
  for (const turn of [...talk].reverse()) {
    for (const { term, kind } of tokenize(turn.text.slice(-RECALL_CONTEXT.charsPerTurn))) {
      if (kind !== 'word' || own.has(term) || words.has(term) || term.length < 3) continue
      words.set(term, { term, weight: RECALL_CONTEXT.wordWeight, optional: true })
      if (words.size >= RECALL_CONTEXT.words) break
    }
    if (words.size >= RECALL_CONTEXT.words) break
  }
  const contextTexts = talk
    .filter(({ role }) => role === 'user')
    .slice(-2)
    .map(({ text }) => text)
    .reverse()
  return { prompt, contextWords: [...words.values()], contextTexts }
}

/** A unit vector between the prompt's and the mean of the conversation's. */
export function blendVectors(prompt: Float32Array, context: readonly Float32Array[]): Float32Array {
  if (context.length === 0) return prompt
  const blended = prompt.map((value, index) => {
    const mean = context.reduce((sum, vector) => sum + (vector[index] ?? 0), 0) / context.length
    return (1 - RECALL_CONTEXT.vectorShare) * value + RECALL_CONTEXT.vectorShare * mean
  })
  const length = Math.hypot(...blended)
  return length > 0 ? blended.map((value) => value / length) : prompt
}
