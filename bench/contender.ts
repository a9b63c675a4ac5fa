import type { EmbeddingProvider } from '../src/embedding/embedding-provider.ts'
import type { BenchQuestion, Haystack, SetName } from './haystack.ts'
import { rankSessions } from './haystack.ts'
import type { HaystackFiles } from './haystack-files.ts'

/** How many messages a ranking may name: as many results as the engine gives at most. */
export const RANK_DEPTH = 100

/** What contenders work on: one haystack, in memory and as transcripts on disk. */
export interface Workbench {
  set: SetName
  haystack: Haystack
  files: HaystackFiles
  /** An empty directory of its own, for a store. */
  directory: string
  /** Absent when the run does without vectors. */
  provider?: EmbeddingProvider
}

/** Ids, best first. A contender that knows only whole sessions ranks no messages. */
export interface Ranking {
  messages?: string[]
  sessions: string[]
}

/** A contender that has taken in a haystack. */
export interface OpenContender {
  /** Units that it indexed. */
  memories: number
  /** Time that took, ms. */
  buildMs: number
  rank(question: BenchQuestion): Promise<Ranking>
  close(): Promise<void>
}

/** One way to search, measured beside the others. */
export interface Contender {
  name: string
  needsVectors: boolean
  open(workbench: Workbench): Promise<OpenContender>
}

/** The ranking that follows from messages in order of merit: repeats dropped, cut, sessions where their first message stands. */
export function toRanking(haystack: Haystack, ordered: Iterable<string>): Ranking {
  const messages = [...new Set(ordered)].slice(0, RANK_DEPTH)
  const sessionOf = new Map(haystack.messages.map((message) => [message.id, message.session]))
  return { messages, sessions: rankSessions(messages, sessionOf) }
}
