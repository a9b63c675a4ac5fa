import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Madeleine, openMadeleine } from '../src/index.ts'
import { RECALL_THRESHOLD } from '../src/options.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { DEFAULT_DATA, loadSet } from './data.ts'
import { type BenchQuestion, type Haystack, scoredQuestions } from './haystack.ts'
import { writeHaystack } from './haystack-files.ts'
import type { CachedProvider } from './vector-cache.ts'

const HELP = `npx tsx bench/answerability.ts [OPTIONS]

Does the score tell whether a store can answer? Each LoCoMo conversation is asked its own questions, and every second one of the other
conversations, which it cannot know. Prints, for each threshold, how many of its own would be answered and how many of the strangers'
would be met with silence. The same conversations serve to fit the score: the figures flatter.

  --embedding KIND   bundled (default) or none
  --data DIR         where the data is (default MADELEINE_DATA, else ${DEFAULT_DATA})
  --help`

const THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

interface Chances {
  own: number[]
  strange: number[]
}

/** The chance that an engine gives a question before it decides to speak; 0 where it finds nothing at all. */
async function askChance(engine: Madeleine, { text }: BenchQuestion): Promise<number> {
  const { trace = [] } = await engine.recall({ prompt: text, explain: true, noHistory: true })
  return trace[0]?.explanation.calibration?.chance ?? 0
}

async function measure(
  haystack: Haystack,
  all: readonly Haystack[],
  provider: CachedProvider | undefined,
): Promise<Chances> {
  const root = mkdtempSync(join(tmpdir(), 'madeleine-answerability-'))
  const directory = join(root, 'store')
  mkdirSync(directory)
  let now = ''
  const engine = await openMadeleine({
    transcripts: [writeHaystack(haystack, root).directory],
    store: join(directory, 'store.db'),
    // The cache outlives the engine, which closes its provider.
    embedding: provider ? { ...provider, close: async () => {} } : 'none',
    now: () => new Date(now),
    timeZone: 'UTC',
    // It is the score that is judged, not the machine.
    recall: { deadlineMs: 60_000 },
  })
  const chances: Chances = { own: [], strange: [] }
  try {
    now = haystack.messages.at(-1)?.occurredAt ?? ''
    await engine.index()
    for (const other of all) {
      const questions = scoredQuestions(other).filter((_, index) => other === haystack || index % 2 === 0)
      for (const question of questions) {
        now = question.askedAt
        chances[other === haystack ? 'own' : 'strange'].push(await askChance(engine, question))
      }
    }
    return chances
  } finally {
    await engine.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** The chance that a question of the store's own ranks above a stranger's, ties counted half. */
function areaUnderCurve({ own, strange }: Chances): number {
  const wins = own.reduce(
    (sum, one) => sum + strange.reduce((n, other) => n + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  )
  return wins / (own.length * strange.length)
}

function share(list: readonly number[], isCounted: (value: number) => boolean): string {
  return `${((100 * list.filter(isCounted).length) / list.length).toFixed(1)} %`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      embedding: { type: 'string', default: 'bundled' },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  if (values.embedding !== 'bundled' && values.embedding !== 'none') {
    throw new Error(`--embedding is bundled or none, not ${values.embedding}`)
  }
  const set = loadSet('locomo', values.data)
  if ('absent' in set) return console.log(`Skipped: ${set.absent}.`)
  const provider = values.embedding === 'bundled' ? openCachedProvider() : undefined
  const all: Chances = { own: [], strange: [] }
  for (const haystack of set.haystacks) {
    const { own, strange } = await measure(haystack, set.haystacks, provider)
    all.own.push(...own)
    all.strange.push(...strange)
  }
  await provider?.close()
  console.log(`${all.own.length} own questions, ${all.strange.length} of strangers, embedding ${values.embedding}`)
  console.log(`area under the curve: ${areaUnderCurve(all).toFixed(4)}\n`)
  console.log('| threshold | own: answered | strangers: silent |')
  console.log('| --- | ---: | ---: |')
  for (const threshold of THRESHOLDS) {
    const mark = threshold === RECALL_THRESHOLD ? ' (in force)' : ''
    const [own, strange] = [
      share(all.own, (value) => value >= threshold),
      share(all.strange, (value) => value < threshold),
    ]
    console.log(`| ${threshold}${mark} | ${own} | ${strange} |`)
  }
  const strict = [...all.strange].sort((a, b) => b - a)[Math.floor(0.03 * all.strange.length)] ?? 1
  console.log(
    `\nWhere 97 % of the strangers' are met with silence, ${share(all.own, (value) => value > strict)} of its own are answered.`,
  )
}

await main()
