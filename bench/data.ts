import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import type { BenchMessage, BenchQuestion, BenchSet, Haystack, SetName } from './haystack.ts'
import { sampleSet } from './sample-set.ts'

/** Beside the repository, where nobody says otherwise. */
export const DEFAULT_DATA = '../shared/data'

const FILES = { locomo: 'locomo-tune.jsonl.gz', longmemeval: 'longmemeval-s-dev50.jsonl.gz' } as const

const locomoLine = z.object({
  conv: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      ses: z.number(),
      date: z.string(),
      who: z.string(),
      text: z.string(),
      caption: z.string().optional(),
    }),
  ),
  questions: z.array(z.object({ id: z.string(), type: z.string(), q: z.string(), gold: z.array(z.string()) })),
})

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

/** Loads a set from the data directory, or says why it cannot. */
export function loadSet(name: SetName, dataDirectory: string): BenchSet | { absent: string } {
  if (name === 'sample') return sampleSet()
  const file = join(dataDirectory, FILES[name])
  if (!existsSync(file)) return { absent: `${file} does not exist (bench/README.md says where to get it)` }
  const lines = gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
  return name === 'locomo' ? toLocomo(lines) : toLongMemEval(lines)
}

function toLocomo(lines: readonly unknown[]): BenchSet {
  const haystacks = lines.map((line): Haystack => {
    const { conv, messages: published, questions } = locomoLine.parse(line)
    const firstSpeaker = published[0]?.who
    const messages = published.map((message, index): BenchMessage => {
      const first = published.findIndex((other) => other.ses === message.ses)
      return {
        id: message.id,
        session: String(message.ses),
        role: message.who === firstSpeaker ? 'user' : 'assistant',
        speaker: message.who,
        text: message.caption ? `${message.text} [${message.caption}]` : message.text,
        occurredAt: addSeconds(parseLocomoDate(message.date), index - first),
      }
    })
    const sessionOf = new Map(messages.map((message) => [message.id, message.session]))
    const askedAt = addSeconds(messages.at(-1)?.occurredAt ?? '', 86_400)
    return {
      id: conv,
      messages,
      questions: questions.map(
        (question): BenchQuestion => ({
          id: question.id,
          type: question.type,
          text: question.q,
          askedAt,
          goldMessages: new Set(question.gold),
          goldSessions: new Set(question.gold.map((id) => sessionOf.get(id) ?? '')),
          isUnanswerable: false,
        }),
      ),
    }
  })
  return { name: 'locomo', title: 'LoCoMo (tuning part: 3 conversations)', haystacks }
}

function toLongMemEval(lines: readonly unknown[]): BenchSet {
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
        },
      ],
    }
  })
  return { name: 'longmemeval', title: 'LongMemEval-S (development split: 50 questions)', haystacks }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `1:56 pm on 8 May, 2023`, taken as UTC. */
function parseLocomoDate(text: string): string {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) ([A-Za-z]{3})[a-z]*,? (\d{4})$/.exec(text)
  const month = MONTHS.indexOf((match?.[5] ?? '').toLowerCase())
  if (!match || month < 0) throw new Error(`Cannot read the LoCoMo date "${text}"`)
  const hour = (Number(match[1]) % 12) + (match[3] === 'pm' ? 12 : 0)
  return new Date(Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]))).toISOString()
}

/** `2023/05/20 (Sat) 02:42`, taken as UTC. */
function parseLongMemEvalDate(text: string): string {
  const match = /^(\d{4})\/(\d\d)\/(\d\d) \([A-Za-z]+\) (\d\d):(\d\d)$/.exec(text)
  if (!match) throw new Error(`Cannot read the LongMemEval date "${text}"`)
  return `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:00.000Z`
}

function addSeconds(iso: string, seconds: number): string {
  return new Date(Date.parse(iso) + seconds * 1000).toISOString()
}
