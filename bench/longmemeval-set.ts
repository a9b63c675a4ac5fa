import * as z from 'zod'
import { addSeconds } from './bench-dates.ts'
import { type BenchMessage, type BenchQuestion, type BenchSet, groupSessions, type Haystack } from './haystack.ts'
import { createRandom } from './made-text.ts'

const longMemEvalHead = z.object({
  questions: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      abs: z.boolean(),
      q: z.string(),
      date: z.string(),
      gold: z.array(z.string()),
      hay: z.array(z.string()),
      dates: z.array(z.string()),
      gold_turns: z.array(z.string()),
    }),
  ),
})
const longMemEvalSession = z.object({
  id: z.string(),
  turns: z.array(z.object({ r: z.enum(['u', 'a']), t: z.string() })),
})

export function toLongMemEval(lines: readonly unknown[]): BenchSet {
  const { questions } = longMemEvalHead.parse(lines[0])
  const sessions = new Map(
    lines
      .slice(1)
      .map((line) => longMemEvalSession.parse(line))
      .map((s) => [s.id, s.turns]),
  )
  const haystacks = questions.map((question): Haystack => {
    // Two haystacks list one session twice, on two dates: it is kept where it first stands.
    const dates = new Map<string, string>()
    question.hay.forEach((id, index) => {
      if (!dates.has(id)) dates.set(id, parseLongMemEvalDate(question.dates[index] ?? ''))
    })
    const messages = [...dates].flatMap(([session, date]) =>
      (sessions.get(session) ?? []).map(
        (turn, index): BenchMessage => ({
          id: `${session}#${index}`,
          session,
          role: turn.r === 'u' ? 'user' : 'assistant',
          text: turn.t,
          occurredAt: addSeconds(date, index),
        }),
      ),
    )
    return {
      id: question.id,
      messages,
      questions: [
        {
          id: question.id,
          type: question.type,
          text: question.q,
          askedAt: parseLongMemEvalDate(question.date),
          goldMessages: new Set(question.gold_turns),
          goldSessions: new Set(question.gold),
          isUnanswerable: question.abs,
          ...(question.type === 'knowledge-update' && { update: readUpdate(messages, new Set(question.gold_turns)) }),
        },
      ],
    }
  })
  return { name: 'longmemeval', title: 'LongMemEval-S (development split: 50 questions)', haystacks }
}

/** What the last session with evidence says of it is how it is now. */
function readUpdate(
  messages: readonly BenchMessage[],
  gold: ReadonlySet<string>,
): NonNullable<BenchQuestion['update']> {
  const evidence = messages
    .filter(({ id }) => gold.has(id))
    .sort((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt))
  const session = evidence.at(-1)?.session
  const idsOf = (isNewer: boolean): string[] =>
    evidence.filter((message) => (message.session === session) === isNewer).map(({ id }) => id)
  return { older: idsOf(false), newer: idsOf(true) }
}

/** `2023/05/20 (Sat) 02:42`, taken as UTC. */
function parseLongMemEvalDate(text: string): string {
  const match = /^(\d{4})\/(\d\d)\/(\d\d) \([A-Za-z]+\) (\d\d):(\d\d)$/.exec(text)
  if (!match) throw new Error(`Cannot read the LongMemEval date "${text}"`)
  return `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:00.000Z`
}

/** Sessions a question in the larger haystacks. */
const SESSIONS_A_QUESTION = 500

/**
 * The same questions among 500 sessions each: their own haystack, filled up with sessions of other questions that are no
 * evidence for any, drawn by a seeded generator. Sessions from elsewhere take dates between the first and the last of the haystack.
 */
export function toLongMemEval500(lines: readonly unknown[]): BenchSet {
  const { haystacks } = toLongMemEval(lines)
  const pool = new Map(haystacks.flatMap(({ messages }) => [...groupSessions(messages)]))
  const evidence = new Set(
    haystacks.flatMap(({ questions }) => questions.flatMap(({ goldSessions }) => [...goldSessions])),
  )
  const fillers = [...pool.keys()].filter((id) => !evidence.has(id) && !id.startsWith('answer_'))
  const random = createRandom(42)
  return {
    name: 'longmemeval500',
    title: 'LongMemEval, 500 sessions a question (development split)',
    haystacks: haystacks.map((haystack) => {
      const own = groupSessions(haystack.messages)
      const chosen = new Set(own.keys())
      while (chosen.size < Math.min(SESSIONS_A_QUESTION, fillers.length)) {
        chosen.add(fillers[Math.floor(random() * fillers.length)] ?? '')
      }
      const times = haystack.messages.map(({ occurredAt }) => Date.parse(occurredAt))
      const [first, last] = [Math.min(...times), Math.max(...times)]
      const added = [...chosen].filter((id) => !own.has(id))
      const strangers = added.flatMap((id) => {
        const start = new Date(first + Math.floor(random() * (last - first))).toISOString()
        return (pool.get(id) ?? []).map((message, index) => ({ ...message, occurredAt: addSeconds(start, index) }))
      })
      return { ...haystack, messages: [...haystack.messages, ...strangers] }
    }),
  }
}
