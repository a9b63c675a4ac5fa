import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeRanking } from '../src/evaluation/metrics.ts'
import { type Madeleine, openMadeleine } from '../src/index.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { DEFAULT_DATA, loadSet } from './data.ts'
import { type BenchQuestion, type Haystack, scoredQuestions } from './haystack.ts'
import { type HaystackFiles, writeHaystack } from './haystack-files.ts'

const HELP = `npx tsx bench/expansion.ts [OPTIONS]

What following relationships brings on LoCoMo: relationships are discovered, then every question is asked with and without
expansion, by kind of question: search (r5, r10) and recall before a turn (share of the gold that the block holds, items of it).

  --min-score X   least score of a discovered relationship (default: the engine's own)
  --kind NAME     only questions of this kind, as multi-hop
  --data DIR      where the data is (default MADELEINE_DATA, else ${DEFAULT_DATA})
  --help`

const LIMIT = 10
const DEADLINE_MS = 60_000

interface Tally {
  count: number
  r5: number
  r10: number
  recalled: number
  items: number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'min-score': { type: 'string' },
      kind: { type: 'string' },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const set = loadSet('locomo', values.data)
  if ('absent' in set) throw new Error(`LoCoMo is absent: ${set.absent}`)
  const minScore = values['min-score'] === undefined ? undefined : Number(values['min-score'])
  const { kind } = values
  const provider = openCachedProvider()
  const tallies = new Map<string, Tally>()
  try {
    for (const haystack of set.haystacks) {
      const directory = mkdtempSync(join(tmpdir(), 'madeleine-expansion-'))
      try {
        await measure(haystack, {
          directory,
          provider,
          tallies,
          ...(minScore !== undefined && { minScore }),
          ...(kind !== undefined && { kind }),
        })
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
  } finally {
    await provider.close()
  }
  console.log(formatTable(tallies))
}

async function measure(
  haystack: Haystack,
  given: {
    directory: string
    provider: ReturnType<typeof openCachedProvider>
    tallies: Map<string, Tally>
    minScore?: number
    kind?: string
  },
): Promise<void> {
  const { directory, provider, tallies, minScore, kind } = given
  const files = writeHaystack(haystack, directory)
  const engine = await openMadeleine({
    workspaces: [],
    transcripts: [files.directory],
    store: join(directory, 'store.db'),
    embedding: { ...provider, close: async () => {} },
    now: () => new Date(haystack.questions[0]?.askedAt ?? ''),
    timeZone: 'UTC',
    recall: { deadlineMs: DEADLINE_MS },
    correlation: { autoDiscover: false, ...(minScore !== undefined && { minScore }) },
  })
  try {
    await engine.index()
    const { memories, written, elapsedMs } = await engine.linkMemories()
    console.error(`${haystack.id}: ${written} relationships of ${memories} memories in ${elapsedMs} ms`)
    for (const question of scoredQuestions(haystack)) {
      if (kind !== undefined && question.type !== kind) continue
      for (const expand of [false, true]) await ask(engine, question, { expand, haystack, files, tallies })
    }
  } finally {
    await engine.close()
  }
}

async function ask(
  engine: Madeleine,
  { text, type, goldMessages }: BenchQuestion,
  given: { expand: boolean; haystack: Haystack; files: HaystackFiles; tallies: Map<string, Tally> },
): Promise<void> {
  const { expand, files, tallies } = given
  const { results } = await engine.search(text, { limit: LIMIT, expand, noHistory: true })
  const idsOf = (places: ReadonlyArray<{ path: string; startLine: number }>): string[] => [
    ...new Set(places.map(({ path, startLine }) => files.messageAt(path, startLine).id)),
  ]
  const { r5, r10 } = judgeRanking(idsOf(results), goldMessages)
  const { items } = await engine.recall({ prompt: text, noHistory: true, expand })
  const recalled = idsOf(items).filter((id) => goldMessages.has(id)).length / goldMessages.size
  for (const kind of [type, 'all']) {
    const name = `${kind} ${expand ? 'expanded' : 'plain'}`
    const tally = tallies.get(name) ?? { count: 0, r5: 0, r10: 0, recalled: 0, items: 0 }
    tallies.set(name, {
      count: tally.count + 1,
      r5: tally.r5 + r5,
      r10: tally.r10 + r10,
      recalled: tally.recalled + recalled,
      items: tally.items + items.length,
    })
  }
}

function formatTable(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([name, { count, r5, r10, recalled, items }]) => {
      const means = [r5, r10, recalled].map((sum) => (sum / count).toFixed(3))
      return `| ${name} | ${count} | ${means.join(' | ')} | ${(items / count).toFixed(2)} |`
    })
  return [
    '| questions | n | search r5 | search r10 | recalled | items |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
