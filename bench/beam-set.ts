import * as z from 'zod'
import { addSeconds, monthNumber } from './bench-dates.ts'
import type { BenchMessage, BenchQuestion, BenchSet, Haystack } from './haystack.ts'

const line = z.object({
  conv: z.string(),
  messages: z.array(
    z.object({
      id: z.number(),
      ses: z.number(),
      date: z.string(),
      who: z.enum(['user', 'assistant']),
      text: z.string(),
    }),
  ),
  questions: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      q: z.string(),
      gold: z.array(z.number()),
      groups: z.record(z.string(), z.array(z.number())).nullable(),
    }),
  ),
})

/** BEAM: long chats with an assistant about one undertaking. Questions about updated facts name the older and the newer message. */
export function toBeam(lines: readonly unknown[]): BenchSet {
  return { name: 'beam', title: 'BEAM-100K (tuning part: 10 histories)', haystacks: lines.map(toHaystack) }
}

function toHaystack(value: unknown): Haystack {
  const { conv, messages: published, questions } = line.parse(value)
  const firstOf = new Map<number, number>()
  published.forEach(({ ses }, index) => {
    if (!firstOf.has(ses)) firstOf.set(ses, index)
  })
  const messages = published.map(
    ({ id, ses, date, who, text }, index): BenchMessage => ({
      id: String(id),
      session: String(ses),
      role: who,
      text,
      occurredAt: addSeconds(parseDate(date), index - (firstOf.get(ses) ?? 0)),
    }),
  )
  const sessionOf = new Map(messages.map((message) => [message.id, message.session]))
  const askedAt = addSeconds(messages.at(-1)?.occurredAt ?? '', 86_400)
  return {
    id: conv,
    messages,
    questions: questions.map(({ id, type, q, gold, groups }): BenchQuestion => {
      const goldMessages = new Set(gold.map(String))
      const older = groups?.original_info?.map(String)
      const newer = groups?.updated_info?.map(String)
      return {
        id,
        type,
        text: q,
        askedAt,
        goldMessages,
        goldSessions: new Set([...goldMessages].map((message) => sessionOf.get(message) ?? '')),
        isUnanswerable: type === 'abstention',
        ...(older && newer && { update: { older, newer } }),
      }
    }),
  }
}

/** `March-15-2024`, nine in the morning UTC. */
function parseDate(text: string): string {
  const match = /^([A-Za-z]+)-(\d+)-(\d{4})$/.exec(text)
  const month = monthNumber(match?.[1] ?? '')
  if (!match || month < 0) throw new Error(`Cannot read the BEAM date "${text}"`)
  return new Date(Date.UTC(Number(match[3]), month, Number(match[2]), 9)).toISOString()
}
