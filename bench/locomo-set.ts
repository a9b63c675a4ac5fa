import * as z from 'zod'
import { addSeconds, monthNumber } from './bench-dates.ts'
import type { BenchMessage, BenchQuestion, BenchSet, Haystack } from './haystack.ts'

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

/** LoCoMo: conversations of two people. */
export function toLocomo(lines: readonly unknown[]): BenchSet {
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

/** `1:56 pm on 8 May, 2023`, taken as UTC. */
function parseLocomoDate(text: string): string {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) ([A-Za-z]{3})[a-z]*,? (\d{4})$/.exec(text)
  const month = monthNumber(match?.[5] ?? '')
  if (!match || month < 0) throw new Error(`Cannot read the LoCoMo date "${text}"`)
  const hour = (Number(match[1]) % 12) + (match[3] === 'pm' ? 12 : 0)
  return new Date(Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]))).toISOString()
}
