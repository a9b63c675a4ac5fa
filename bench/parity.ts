import { parseArgs } from 'node:util'
import { estimateMean, MEASURES, type Measure } from '../src/evaluation/metrics.ts'
import { startServer } from '../test/postgres/server.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { DEFAULT_DATA, loadSet, SET_NAMES } from './data.ts'
import { engineContenders } from './engine-contender.ts'
import { pickQuestions, type QuestionResult, type RunResult, runSet } from './run.ts'
import { dropDatabase, prepareDatabase } from './scale-place.ts'

const HELP = `npx tsx bench/parity.ts [OPTIONS]

Puts the questions of a set to the engine over a SQLite file and over a PostgreSQL database, and compares the first ten results and the quality
of both. Exits with 1 where less than 90 % of the first ten are the same, or a measure differs by more than 0.01.

  --set NAME        default locomo (its tuning part); one of ${SET_NAMES.join(', ')}
  --limit N         only N questions, spread evenly
  --embedding KIND  bundled (default) or none
  --store URL       the superuser of a PostgreSQL server; default: a server of its own (15 or newer has to be installed)
  --data DIR        where the data is (default MADELEINE_DATA, else ${DEFAULT_DATA})
  --help`

const FILE = 'SQLite'
const SERVER = 'PostgreSQL'
const LEAST_OVERLAP = 0.9
const MOST_DIFFERENCE = 0.01

/** What two rankings of a question have in common. */
interface Pair {
  file: QuestionResult
  server: QuestionResult
}

function pairUp({ questions }: RunResult): Pair[] {
  const ofServer = new Map(questions.flatMap((one) => (one.system === SERVER ? [[one.question, one] as const] : [])))
  return questions.flatMap((file) => {
    const server = ofServer.get(file.question)
    return file.system === FILE && server ? [{ file, server }] : []
  })
}

/** Share of the first ten of the one that are among the first ten of the other; 1 where both are empty. */
function overlapOf({ file, server }: Pair): number {
  const most = Math.max(file.top.length, server.top.length)
  return most === 0 ? 1 : file.top.filter((id) => server.top.includes(id)).length / most
}

const isSame = ({ file, server }: Pair): boolean => file.top.join('\0') === server.top.join('\0')
const scoreOf = (one: QuestionResult, measure: Measure): number => (one.messages ?? one.sessions)[measure]
const meanOf = (values: readonly number[]): number => estimateMean(values).mean

function report(pairs: readonly Pair[]): boolean {
  const overlap = meanOf(pairs.map(overlapOf))
  const same = pairs.filter(isSame).length
  console.log(
    `${pairs.length} questions; of the first ten ${(100 * overlap).toFixed(2)} % are the same ` +
      `(asked for: ${100 * LEAST_OVERLAP} %); ${same} rankings are the same to the last place\n`,
  )
  const rows = MEASURES.map((measure) => {
    const [file, server] = [FILE, SERVER].map((name) =>
      meanOf(pairs.map((pair) => scoreOf(name === FILE ? pair.file : pair.server, measure))),
    ) as [number, number]
    return { measure, file, server, difference: server - file }
  })
  console.log(`| measure | ${FILE} | ${SERVER} | difference |\n| --- | ---: | ---: | ---: |`)
  for (const { measure, file, server, difference } of rows)
    console.log(`| ${measure} | ${file.toFixed(4)} | ${server.toFixed(4)} | ${difference.toFixed(4)} |`)
  return overlap >= LEAST_OVERLAP && rows.every(({ difference }) => Math.abs(difference) <= MOST_DIFFERENCE)
}

async function compare(databaseUrl: string, options: { set: string; limit?: number; data: string; vectors: boolean }) {
  const name = SET_NAMES.find((one) => one === options.set)
  if (!name) throw new Error(`--set is one of ${SET_NAMES.join(', ')}, not ${options.set}`)
  const set = loadSet(name, options.data)
  if ('absent' in set) throw new Error(`Cannot compare: ${set.absent}`)
  const provider = options.vectors ? openCachedProvider() : undefined
  let stores = 0
  const contenders = [
    ...engineContenders(['default']).map((one) => ({ ...one, name: FILE })),
    ...engineContenders(['default'], () => `${databaseUrl}?schema=parity_${stores++}`).map((one) => ({
      ...one,
      name: SERVER,
    })),
  ]
  try {
    const run = await runSet(pickQuestions(set, options.limit), contenders, provider, (done, total) =>
      process.stderr.write(`${done} of ${total} histories\n`),
    )
    console.log(`## ${set.title}, embedding ${options.vectors ? 'bundled' : 'none'}\n`)
    return report(pairUp(run))
  } finally {
    await provider?.close()
  }
}

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'locomo' },
    limit: { type: 'string' },
    embedding: { type: 'string', default: 'bundled' },
    store: { type: 'string' },
    data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  const server = values.store === undefined ? await startServer() : null
  const adminUrl = values.store ?? server?.adminUrl ?? ''
  try {
    const { location } = await prepareDatabase(adminUrl)
    const { set, data, embedding } = values
    const limit = values.limit === undefined ? {} : { limit: Number(values.limit) }
    if (!(await compare(location, { set, data, vectors: embedding !== 'none', ...limit }))) process.exitCode = 1
    await dropDatabase(adminUrl)
  } finally {
    server?.remove()
  }
}
