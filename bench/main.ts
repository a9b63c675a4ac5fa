import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bm25, bm25Sessions, openClaw, vectorOnly } from './baselines.ts'
import { openCachedProvider } from './bundled-cache.ts'
import type { Contender } from './contender.ts'
import { DEFAULT_DATA, loadSet, SET_NAMES } from './data.ts'
import { engineContenders } from './engine-contender.ts'
import type { BenchSet, SetName } from './haystack.ts'
import { formatTable, formatTypes, formatUpdates } from './report.ts'
import { pickQuestions, type RunResult, runSet } from './run.ts'
import type { CachedProvider } from './vector-cache.ts'
import { verifyHarness } from './verify-harness.ts'

const HELP = `npm run bench [-- OPTIONS]

Measures retrieval of the engine beside plain baselines on published conversations, and prints one table a set.

  --set NAMES       all (default: locomo and longmemeval), or some of ${SET_NAMES.join(', ')}
  --limit N         only N questions of each set, spread evenly
  --embedding KIND  bundled (default) or none; with none, contenders that need vectors are left out
  --only NAMES      only these contenders, separated by commas: bm25, vector, openclaw, seed, default
  --types           also a table for each kind of question
  --data DIR        where the data is (default MADELEINE_DATA, else ${DEFAULT_DATA})
  --smoke           a few questions of every set at hand, without vectors: does the harness run?
  --help

Speed of recall before a turn: npx tsx bench/recall.ts. Silence and answers on the sample: npx tsx bench/silence.ts.`

const SMOKE_QUESTIONS = 6

interface Options {
  sets: SetName[]
  limit: number | undefined
  embedding: 'bundled' | 'none'
  only: string[] | undefined
  types: boolean
  data: string
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', default: 'all' },
      limit: { type: 'string' },
      embedding: { type: 'string', default: 'bundled' },
      only: { type: 'string' },
      types: { type: 'boolean', default: false },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const embedding = values.smoke ? 'none' : values.embedding
  if (embedding !== 'bundled' && embedding !== 'none')
    throw new Error(`--embedding is bundled or none, not ${embedding}`)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new Error(`--limit is a whole number above 0, not ${values.limit}`)
  }
  return {
    sets: values.smoke ? ['sample', 'locomo', 'longmemeval'] : toSets(values.set),
    limit: limit ?? (values.smoke ? SMOKE_QUESTIONS : undefined),
    embedding,
    only: values.only?.split(','),
    types: values.types,
    data: values.data,
  }
}

function toSets(names: string): SetName[] {
  if (names === 'all') return ['locomo', 'longmemeval']
  return names.split(',').map((name) => {
    const known = SET_NAMES.find((one) => one === name)
    if (!known) throw new Error(`--set is all or some of ${SET_NAMES.join(', ')}, not ${name}`)
    return known
  })
}

/** Contenders in the order of the table. */
function chooseContenders({ only, embedding }: Options): Contender[] {
  const all = [bm25, bm25Sessions, vectorOnly, openClaw, ...engineContenders(['seed', 'default'])]
  const unknown = only?.find((name) => !all.some((contender) => contender.name === name))
  if (unknown !== undefined) throw new Error(`--only knows ${all.map(({ name }) => name).join(', ')}, not ${unknown}`)
  return all.filter(
    ({ name, needsVectors }) => (only?.includes(name) ?? true) && !(needsVectors && embedding === 'none'),
  )
}

/** Stops the run when plain BM25 does not come out as it must: then no other figure means anything. */
function checkHarness(set: BenchSet): void {
  const checks = verifyHarness(set)
  for (const { figure, expected, actual, agrees } of checks) {
    const verdict = agrees ? 'agrees' : 'DIFFERS'
    console.error(`plain BM25 ${figure}: ${actual.toFixed(3)}, reference ${expected.toFixed(3)}: ${verdict}`)
  }
  if (checks.some(({ agrees }) => !agrees)) throw new Error(`The harness is wrong on ${set.title}: see the lines above`)
}

function writeResults(set: BenchSet, options: Options, run: RunResult): string {
  const directory = new URL('./results/', import.meta.url)
  mkdirSync(directory, { recursive: true })
  const at = new Date().toISOString()
  const file = new URL(`${set.name}-${at.replace(/[:.]/g, '-')}.ndjson`, directory)
  const head = { set: set.name, at, node: process.version, embedding: options.embedding, builds: run.builds }
  writeFileSync(file, `${[head, ...run.questions].map((line) => JSON.stringify(line)).join('\n')}\n`)
  return file.pathname
}

async function measureSet(
  name: SetName,
  options: Options,
  contenders: readonly Contender[],
  provider: CachedProvider | undefined,
): Promise<void> {
  const set = loadSet(name, options.data)
  if ('absent' in set) {
    console.log(`## ${name}\n\nSkipped: ${set.absent}.\n`)
    return
  }
  checkHarness(set)
  const chosen = pickQuestions(set, options.limit)
  const run = await runSet(chosen, contenders, provider, (done, total) => {
    if (process.stderr.isTTY || done === total) process.stderr.write(`${name}: ${done} of ${total} histories\n`)
  })
  const systems = contenders.map((contender) => contender.name)
  const count = chosen.haystacks.reduce((sum, { questions }) => sum + questions.length, 0)
  console.log(`## ${set.title}: ${count} questions, embedding ${options.embedding}\n`)
  const isOfNotes = chosen.haystacks.some(({ form }) => form === 'notes')
  console.log(formatTable(run, { systems, subject: 'default', yardsticks: ['bm25', 'bm25 on sessions'], isOfNotes }))
  const updates = formatUpdates(run, systems)
  if (updates) console.log(`\n${updates}`)
  if (options.types) console.log(`\n${formatTypes(run, systems)}`)
  console.log(`\nPer question: ${writeResults(set, options, run)}\n`)
}

async function main(): Promise<void> {
  const options = readOptions()
  if (!options) {
    console.log(HELP)
    return
  }
  const contenders = chooseContenders(options)
  const provider = options.embedding === 'bundled' ? openCachedProvider() : undefined
  try {
    for (const name of options.sets) await measureSet(name, options, contenders, provider)
    if (provider) {
      const { known, embedded } = provider.counts
      console.error(`vectors: ${known} texts from the cache, ${embedded} embedded now`)
    }
  } finally {
    await provider?.close()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
