import { openMadeleine } from '../src/index.ts'
import { createFakeProvider } from '../src/testing/fake-embedding-provider.ts'
import type { MadeTurn } from './made-memories.ts'
import { DIMENSIONS, IDENTITY, makeDocument, NOW } from './scale-corpus.ts'
import { openPlace, type Place } from './scale-place.ts'

/** What a client is to do, and for how long. */
export interface Task {
  place: Place
  work: 'ask' | 'churn'
  /** Asked one after the other, without a pause: by searches, then by recalls. The first one warms up. */
  conversations: MadeTurn[][]
  /** For churn: how long each of inserting and deleting goes on, ms. */
  durationMs: number
  number: number
}

/** Calls of one kind. */
export interface Asked {
  /** How long each took, ms. */
  latencies: number[]
  /** CPU time of this process in all, ms: what a busy machine hardly changes. */
  cpuMs: number
}

/** What came of it. */
export interface Outcome {
  /** From opening the store to the first answer, ms: what is kept in memory is read. */
  firstMs: number
  search: Asked
  recall: Asked
  /** Memories written and removed each second. */
  inserted: number
  deleted: number
  residentMb: number
}

const NOT_ASKED: Asked = { latencies: [], cpuMs: 0 }
const NOTHING: Outcome = {
  ...{ firstMs: 0, inserted: 0, deleted: 0, residentMb: 0 },
  ...{ search: NOT_ASKED, recall: NOT_ASKED },
}
const CHURN_TEXT = 'the sluice keeper counts the herons at low tide and writes the number into the book of the lock'
const CHURN_MEMORIES = 20

/** Answers a task: `ready` once the store is warm, then, when told to go, what came of it. */
process.once('message', async (task: Task) => {
  process.send?.(await (task.work === 'churn' ? churn(task) : ask(task)))
  process.disconnect()
})

function told(): Promise<void> {
  return new Promise((resolve) => {
    process.once('message', () => resolve())
    process.send?.('ready')
  })
}

async function ask({ place, conversations, number }: Task): Promise<Outcome> {
  const start = performance.now()
  const engine = await openMadeleine({
    store: place.location,
    embedding: createFakeProvider({ dimensions: DIMENSIONS }),
    now: () => NOW,
    timeZone: 'UTC',
    // However busy the machine is, every recall does its whole work.
    recall: { deadlineMs: 60_000 },
  })
  const search = ({ prompt }: MadeTurn): Promise<unknown> => engine.search(prompt, { limit: 10 })
  const recall = async ({ prompt, recentTurns }: MadeTurn, talk: number): Promise<void> => {
    const { degraded } = await engine.recall({ prompt, recentTurns, sessionId: `talk-${number}-${talk}` })
    if (degraded.length > 0) throw new Error(`Recall was degraded: ${JSON.stringify(degraded)}`)
  }
  const [first = [], ...rest] = conversations
  for (const turn of first) await search(turn)
  for (const turn of first) await recall(turn, 0)
  const firstMs = performance.now() - start
  const searched = await askAll(rest, search)
  const recalled = await askAll(rest, recall)
  await engine.close()
  const residentMb = process.memoryUsage().rss / 2 ** 20
  return { ...NOTHING, firstMs, search: searched, recall: recalled, residentMb }
}

/** When told so, asks for every turn of every conversation. */
async function askAll(
  conversations: readonly MadeTurn[][],
  askOne: (turn: MadeTurn, talk: number) => Promise<unknown>,
): Promise<Asked> {
  await told()
  const cpu = process.cpuUsage()
  const latencies: number[] = []
  for (const [talk, turns] of conversations.entries()) {
    for (const turn of turns) {
      const before = performance.now()
      await askOne(turn, talk + 1)
      latencies.push(performance.now() - before)
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  return { latencies, cpuMs: (user + system) / 1000 }
}

/** Writes documents of twenty memories with their vectors, one a write, then removes them, one a write. */
async function churn({ place, durationMs, number }: Task): Promise<Outcome> {
  const store = await openPlace(place)
  await told()
  const keys: Array<{ root: string; path: string }> = []
  const insertUntil = performance.now() + durationMs
  const insertStart = performance.now()
  for (let start = 0; performance.now() < insertUntil; start += CHURN_MEMORIES) {
    const texts = Array.from({ length: CHURN_MEMORIES }, (_, index) => `${CHURN_TEXT} ${number} ${start + index}`)
    const { write, vectors } = makeDocument(`churn${number}x`, start, texts)
    await store.putDocuments([write])
    await store.putVectors(IDENTITY, vectors)
    keys.push({ root: write.head.root, path: write.head.path })
  }
  const insertMs = performance.now() - insertStart
  await told()
  const deleteStart = performance.now()
  for (const key of keys) await store.removeDocuments([key])
  const deleteMs = performance.now() - deleteStart
  await store.close()
  const perSecond = (ms: number): number => (keys.length * CHURN_MEMORIES * 1000) / ms
  return { ...NOTHING, inserted: perSecond(insertMs), deleted: perSecond(deleteMs) }
}
