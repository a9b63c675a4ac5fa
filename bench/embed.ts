import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openCachedProvider } from './bundled-cache.ts'
import { embedChunks, readChunks } from './chunks.ts'
import { DEFAULT_DATA, loadSet, SET_NAMES } from './data.ts'
import { type BenchSet, type Haystack, scoredQuestions } from './haystack.ts'
import { writeHaystack } from './haystack-files.ts'
import { cutHostChunks } from './openclaw-search.ts'
import { pickQuestions } from './run.ts'
import type { CachedProvider } from './vector-cache.ts'

const HELP = `nice npx tsx bench/embed.ts [--set NAME] [--for engine,openclaw] [--limit N] [--threads N] [--data DIR]

Fills the vector cache with what the benchmark will ask for: the questions, the engine's chunks, OpenClaw's chunks.
--limit N: only for the N questions that the benchmark picks with it. May be stopped at any time and started again: what was embedded is kept.`

const REPORT_EVERY_MS = 10_000

let isStopped = false

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', default: 'locomo' },
      for: { type: 'string', default: 'engine,openclaw' },
      limit: { type: 'string' },
      threads: { type: 'string' },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const name = SET_NAMES.find((one) => one === values.set)
  if (!name) throw new Error(`--set is one of ${SET_NAMES.join(', ')}, not ${values.set}`)
  const whole = loadSet(name, values.data)
  if ('absent' in whole) throw new Error(`Cannot embed: ${whole.absent}`)
  // The same choice of questions as the benchmark's with this limit.
  const set = pickQuestions(whole, values.limit === undefined ? undefined : Number(values.limit))
  const provider = openCachedProvider(values.threads === undefined ? {} : { threads: Number(values.threads) })
  try {
    const questions = set.haystacks.flatMap(scoredQuestions)
    await provider.embedQueries(questions.map(({ text }) => text))
    console.log(`${set.name}: ${questions.length} questions done`)
    const parts = values.for.split(',')
    if (parts.includes('engine')) await fillEngine(set, provider)
    if (parts.includes('openclaw')) await fill(`${set.name} openclaw`, listHostTexts(set), provider)
  } finally {
    await provider.close()
  }
}

/** Haystacks that are searched: those with a scored question. */
function searchedHaystacks(set: BenchSet): Haystack[] {
  return set.haystacks.filter((haystack) => scoredQuestions(haystack).length > 0)
}

/** Texts that are already in the cache cost a look. */
async function fillEngine(set: BenchSet, provider: CachedProvider): Promise<void> {
  for (const haystack of searchedHaystacks(set)) {
    const root = mkdtempSync(join(tmpdir(), 'madeleine-embed-'))
    try {
      const chunks = (await readChunks(writeHaystack(haystack, root))).map(({ chunk }) => chunk)
      for (let from = 0; from < chunks.length && !isStopped; from += provider.batchSize) {
        await embedChunks(provider, chunks.slice(from, from + provider.batchSize))
      }
      console.log(`${set.name} engine: ${haystack.id}, ${provider.counts.embedded} texts embedded so far`)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
}

function listHostTexts(set: BenchSet): string[] {
  return searchedHaystacks(set).flatMap((haystack) => cutHostChunks(haystack).map(({ text }) => text))
}

async function fill(name: string, texts: readonly string[], provider: CachedProvider): Promise<void> {
  const unknown = provider.listUnknown(texts)
  const total = countChars(unknown)
  console.log(
    `${name}: ${texts.length} texts, ${unknown.length} to embed (${(total / 1e6).toFixed(1)} million characters)`,
  )
  const started = performance.now()
  let reported = started
  let done = 0
  for (let from = 0; from < unknown.length && !isStopped; from += provider.batchSize) {
    const batch = unknown.slice(from, from + provider.batchSize)
    await provider.embedDocuments(batch)
    done += countChars(batch)
    const now = performance.now()
    if (now - reported < REPORT_EVERY_MS) continue
    reported = now
    const minutes = ((now - started) * (total - done)) / done / 60_000
    console.log(`${name}: ${((100 * done) / total).toFixed(1)} %, about ${minutes.toFixed(0)} minutes left`)
  }
  console.log(isStopped ? `${name}: stopped, what was embedded is kept` : `${name}: done`)
}

function countChars(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true
  })
}
try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
