/** One message of a conversation, as published: the unit that gold points at. */
export interface BenchMessage {
  /** Unique within its haystack. */
  id: string
  /** Id of its session: the unit of session-level gold. */
  session: string
  role: 'user' | 'assistant'
  /** Name of the person, where the set gives one. */
  speaker?: string
  /** Heading of a note. */
  title?: string
  /** Published text; a shared picture's caption follows in brackets. May be empty. */
  text: string
  /** ISO 8601, UTC. */
  occurredAt: string
}

export interface BenchQuestion {
  id: string
  /** The set's own kind of question. */
  type: string
  text: string
  /** When it is asked, ISO 8601. */
  askedAt: string
  /** Ids of the messages that hold the evidence; empty when the set names none. */
  goldMessages: ReadonlySet<string>
  goldSessions: ReadonlySet<string>
  /** The answer is not in the haystack: such questions are not scored. */
  isUnanswerable: boolean
  /** The question is about a fact that changed: the messages that state it as it was, and as it is now. */
  update?: { older: readonly string[]; newer: readonly string[] }
}

/** A history and the questions asked of it. Each haystack is searched in a store of its own. */
export interface Haystack {
  id: string
  /** How it lies on disk: transcripts (the default), or a note for each message. */
  form?: 'notes'
  /** Session by session, in order of time. */
  messages: readonly BenchMessage[]
  questions: readonly BenchQuestion[]
}

export type SetName =
  | 'locomo'
  | 'longmemeval'
  | 'longmemeval500'
  | 'beam'
  | 'scifact'
  | 'xquad_en'
  | 'xquad_zh'
  | 'xquad_th'
  | 'xquad_hi'
  | 'jsquad_valid'
  | 'sample'

export interface BenchSet {
  name: SetName
  /** As tables call it. */
  title: string
  haystacks: readonly Haystack[]
}

/** What a reader sees: `speaker: text` where there is a speaker, the heading first where there is one. */
export function plainText({ speaker, title, text }: BenchMessage): string {
  if (title) return `${title}\n${text}`
  return speaker ? `${speaker}: ${text}` : text
}

/** The sessions of a haystack with their messages, in order. */
export function groupSessions(messages: readonly BenchMessage[]): Map<string, BenchMessage[]> {
  const sessions = new Map<string, BenchMessage[]>()
  for (const message of messages) {
    const session = sessions.get(message.session)
    if (session) session.push(message)
    else sessions.set(message.session, [message])
  }
  return sessions
}

/** The scored questions: an answer exists and the set says where. */
export function scoredQuestions(haystack: Haystack): BenchQuestion[] {
  return haystack.questions.filter(
    (question) => !question.isUnanswerable && question.goldMessages.size > 0 && question.goldSessions.size > 0,
  )
}

/** A ranking of messages as a ranking of sessions: each session where its first message stands. */
export function rankSessions(ranked: readonly string[], sessionOf: ReadonlyMap<string, string>): string[] {
  const sessions = new Set<string>()
  for (const id of ranked) {
    const session = sessionOf.get(id)
    if (session === undefined) throw new Error(`Ranked id ${id} is no message of the haystack`)
    sessions.add(session)
  }
  return [...sessions]
}
