import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import type { BenchMessage, BenchSet } from './haystack.ts'

export type PairLabel = 'entail' | 'contradict' | 'neutral' | 'update'

/** Two texts and what people said of them. */
export interface LabelledPair {
  src: string
  lang: string
  a: string
  b: string
  label: PairLabel
}

const line = z.object({
  src: z.string(),
  lang: z.string(),
  a: z.string(),
  b: z.string(),
  label: z.enum(['entail', 'contradict', 'neutral', 'update']),
})

/** The labelled pairs, or where they should be. */
export function loadPairs(dataDirectory: string): LabelledPair[] | { absent: string } {
  const file = join(dataDirectory, 'relations-tune.jsonl.gz')
  if (!existsSync(file)) return { absent: `${file} does not exist (bench/README.md says where to get it)` }
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  return lines.filter((text) => text.trim() !== '').map((text) => line.parse(JSON.parse(text)))
}

/** Two messages of one history. */
export interface MessagePair {
  older: BenchMessage
  newer: BenchMessage
}

/** A pair that a history's question names as a value and its update, with random pairs of what the same person says there. */
export interface UpdateCase {
  history: string
  update: MessagePair
  others: MessagePair[]
}

/** Random pairs that an update pair is ranked among. */
const OTHERS = 20

/** Update pairs of histories among random pairs of their history; the choice depends on the history's name alone. */
export function listUpdateCases(set: BenchSet): UpdateCase[] {
  return set.haystacks.flatMap(({ id, messages, questions }) => {
    const byId = new Map(messages.map((message) => [message.id, message]))
    const own = messages.filter(({ role }) => role === 'user')
    const updates = questions.flatMap(({ update }): MessagePair[] => {
      const [older, newer] = [byId.get(update?.older[0] ?? ''), byId.get(update?.newer[0] ?? '')]
      return older && newer && older !== newer ? [{ older, newer }] : []
    })
    const named = new Set(updates.flatMap(({ older, newer }) => [`${older.id} ${newer.id}`, `${newer.id} ${older.id}`]))
    return updates.map((update, index) => {
      const others = pickPairs(own, OTHERS, `${id} ${index}`).filter(
        ({ older, newer }) => !named.has(`${older.id} ${newer.id}`),
      )
      return { history: id, update, others }
    })
  })
}

/** Random pairs of messages of one person, the older first. */
export function pickPairs(messages: readonly BenchMessage[], count: number, seed: string): MessagePair[] {
  const next = makeRandom(seed)
  const pairs: MessagePair[] = []
  for (let tries = 0; pairs.length < count && tries < 20 * count; tries++) {
    const [i, j] = [Math.floor(next() * messages.length), Math.floor(next() * messages.length)]
    const [older, newer] = [messages[Math.min(i, j)], messages[Math.max(i, j)]]
    if (older && newer && i !== j) pairs.push({ older, newer })
  }
  return pairs
}

/** Numbers in [0,1) that depend on the seed alone (xorshift32 over an FNV-1a hash). */
function makeRandom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  state = state >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
