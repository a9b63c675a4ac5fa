import type { RecentTurn } from '../model/recall.ts'
import { cleanQueryText } from '../normalize/index.ts'
import { QUERY_CHARS, RECALL_CONTEXT } from '../options.ts'
import type { QueryWord } from '../retrieval/analyze-query.ts'
import { keepEnds } from '../text/keep-ends.ts'
import { tokenize } from '../text/tokenize.ts'

/** The two queries of a recall: the prompt as it is, and the words of the conversation that enrich it. */
export interface RecallQueries {
  prompt: string
  contextWords: QueryWord[]
  /** The user's latest turns, newest first: their vectors are usually known from their own recall. */
  contextTexts: string[]
}

/**
 * Builds the queries from a cleaned prompt and the turns before it as the host gives them, oldest first. Tool results never
 * enter: what a command printed is not what the person asks about.
 */
export function buildQueries(prompt: string, recentTurns: readonly RecentTurn[]): RecallQueries {
  const talk = lastTalk(recentTurns)
  const own = new Set(tokenize(keepEnds(prompt, QUERY_CHARS)).map(({ term }) => term))
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

/** The last turns of talk, oldest first, cleaned: no others, because a conversation may be long. */
function lastTalk(recentTurns: readonly RecentTurn[]): RecentTurn[] {
  const talk: RecentTurn[] = []
  for (const { role, text } of [...recentTurns].reverse()) {
    if (talk.length >= RECALL_CONTEXT.turns) break
    const said = role === 'user' || role === 'assistant' ? cleanQueryText(text) : ''
    if (said.trim() !== '') talk.unshift({ role, text: said })
  }
  return talk
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
