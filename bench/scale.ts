import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { WRITE_BATCH_MEMORIES } from '../src/options.ts'
import type { DocumentWrite, GivenVectors, MemoryStore } from '../src/store/memory-store.ts'
import { startServer } from '../test/postgres/server.ts'
import { drawGrowth } from './growth-chart.ts'
import type { MadeTurn } from './made-memories.ts'
import type { Outcome, Task } from './scale-client.ts'
import { Corpus, IDENTITY, type Probe, TENANT } from './scale-corpus.ts'
import { dropDatabase, openPlace, type Place, prepareDatabase, serverCpuMs, settle, sizeOf } from './scale-place.ts'
import { quantile } from './stopwatch.ts'

const HELP = `npx tsx bench/scale.ts [OPTIONS]

Measures the stores at size: made notes and talk with vectors of 384 numbers (words hashed: no model runs, so all that is measured is
the store and what stands on it). Clients are processes of their own that ask without a pause; with more of them than cores, what one
waits for is the others; CPU time, the server's share with it, is what a busy machine hardly changes. A PostgreSQL server is started for the run, without pgvector unless the machine has it.

  --sizes LIST     numbers of memories (default 10000,100000)
  --stores LIST    sqlite, postgres, pglite (default sqlite,postgres); pglite has pgvector, one process, and at most 3,000 memories
  --clients LIST   how many at once (default 1,8,32)
  --talks N        conversations of three turns that the clients ask together, besides one each to warm up (default 64)
  --churn-ms N     how long memories are written while others search (default 5000)
  --postgres URL   of a superuser of a server that runs, such as one with pgvector, in place of one that is started
  --svg DIR        writes the growth of times as SVG there
  --smoke          300 memories, two clients: does it run?
  --help`

const PROBES = 50
const PGLITE_MOST = 3000
const VECTOR_BATCH = 1000
const NEAREST = 10
/** As exact as 32 bits are. */
const TOLERANCE = 1e-4

interface Calls {
  /** How long each took, ms. */
  latencies: number[]
  /** CPU time of one, ms: the client's and the server's. */
  cpuMs: number
}

interface Times {
  clients: number
  search: Calls
  recall: Calls
  firstMs: number
  residentMb: number
}

interface Measured {
  store: string
  size: number
  buildMs: number
  vectorMs: number
  bytes: number
  nearest: number
  times: Times[]
  churn: { inserted: number; deleted: number; search: number[] } | null
}

interface Plan {
  clients: number[]
  talks: number
  churnMs: number
}

/** Fills a store, and says how long its texts and its vectors took. */
async function fill(store: MemoryStore, corpus: Corpus): Promise<Pick<Measured, 'buildMs' | 'vectorMs'>> {
  const spent = { buildMs: 0, vectorMs: 0 }
  const time = async (kind: keyof typeof spent, work: () => Promise<unknown>): Promise<void> => {
    const start = performance.now()
    await work()
    spent[kind] += performance.now() - start
  }
  let writes: DocumentWrite[] = []
  let vectors: GivenVectors[] = []
  const flush = async (): Promise<void> => {
    await time('buildMs', () => store.putDocuments(writes))
    for (let at = 0; at < vectors.length; at += VECTOR_BATCH) {
      await time('vectorMs', () => store.putVectors(IDENTITY, vectors.slice(at, at + VECTOR_BATCH)))
    }
    writes = []
    vectors = []
  }
  for await (const document of corpus.documents()) {
    writes.push(document.write)
    vectors.push(...document.vectors)
    if (vectors.length >= WRITE_BATCH_MEMORIES) await flush()
  }
  await flush()
  return spent
}

/** The share of the ten nearest of all that a search by vector finds. */
async function findNearest(store: MemoryStore, probes: readonly Probe[]): Promise<number> {
  const filter = { viewer: { tenant: TENANT, agent: 'main' } }
  let found = 0
  for (const { vector, tenth } of probes) {
    const query = { terms: [], vectors: [vector], identity: IDENTITY, filter, limit: NEAREST }
    const { candidates } = await store.findCandidates(query)
    found += Math.min(NEAREST, candidates.filter((one) => (one.vector ?? -1) >= tenth - TOLERANCE).length)
  }
  return found / (probes.length * NEAREST)
}

/** Searches, then recalls; writing, then removing. */
const ROUNDS = 2

interface Ran {
  outcomes: Outcome[]
  /** CPU time of the server in each round, ms. */
  serverMs: number[]
}

/** Starts a process for each task, lets all go at once in each round, and waits for what came of it. */
async function runClients(place: Place, tasks: readonly Task[]): Promise<Ran> {
  const file = fileURLToPath(new URL('./scale-client.ts', import.meta.url))
  const children = tasks.map(() => fork(file, { execArgv: ['--import', 'tsx'] }))
  const heard = <T>(child: (typeof children)[number]): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as T))
      child.once('exit', (code) => reject(new Error(`A client ended with ${code}`)))
    })
  const hearAll = <T>(): Promise<T[]> => Promise.all(children.map((child) => heard<T>(child)))
  const sendAll = (messages: readonly (Task | 'go')[]): void =>
    children.forEach((child, index) => {
      child.send(messages[index] ?? 'go')
    })
  try {
    let next = hearAll<unknown>()
    sendAll(tasks)
    await next
    const serverMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = serverCpuMs(place)
      next = hearAll<unknown>()
      sendAll([])
      await next
      serverMs.push(serverCpuMs(place) - before)
    }
    return { outcomes: (await next) as Outcome[], serverMs }
  } finally {
    for (const child of children) child.kill()
  }
}

async function measureClients(place: Place, corpus: Corpus, plan: Plan): Promise<Times[]> {
  const all: Times[] = []
  for (const clients of plan.clients) {
    const each = Math.max(2, Math.ceil(plan.talks / clients)) + 1
    const talks = await corpus.conversations(clients * each)
    const tasks = Array.from({ length: clients }, (_, number) => ({
      ...{ place, work: 'ask' as const, number, durationMs: 0 },
      conversations: talks.slice(number * each, (number + 1) * each),
    }))
    const { outcomes, serverMs } = await runClients(place, tasks)
    const join = (kind: 'search' | 'recall', server: number): Calls => {
      const latencies = outcomes.flatMap((one) => one[kind].latencies)
      const cpuMs = server + outcomes.reduce((sum, one) => sum + one[kind].cpuMs, 0)
      return { latencies, cpuMs: cpuMs / latencies.length }
    }
    all.push({
      clients,
      search: join('search', serverMs[0] ?? 0),
      recall: join('recall', serverMs[1] ?? 0),
      firstMs: Math.max(...outcomes.map(({ firstMs }) => firstMs)),
      residentMb: Math.max(...outcomes.map(({ residentMb }) => residentMb)),
    })
    console.log(describeTimes(place.name, corpus.size, all.at(-1)))
  }
  return all
}

/** How fast memories come and go while one client searches. */
async function measureChurn(place: Place, corpus: Corpus, { churnMs, talks }: Plan): Promise<Measured['churn']> {
  const conversations: MadeTurn[][] = await corpus.conversations(talks)
  const base = { place, durationMs: churnMs, number: 900 }
  const { outcomes } = await runClients(place, [
    { ...base, work: 'churn', conversations: [] },
    { ...base, work: 'ask', conversations },
  ])
  const [writer, reader] = outcomes
  const search = reader?.search.latencies ?? []
  return { inserted: writer?.inserted ?? 0, deleted: writer?.deleted ?? 0, search }
}

async function measurePlace(place: Place, size: number, plan: Plan): Promise<Measured> {
  const corpus = new Corpus(size)
  await corpus.prepareProbes(PROBES)
  let store = await openPlace(place)
  const spent = await fill(store, corpus)
  await store.close()
  await settle(place)
  const bytes = await sizeOf(place)
  console.log(
    `${place.name} ${size}: built in ${seconds(spent.buildMs)} s, vectors in ${seconds(spent.vectorMs)} s, ${megabytes(bytes)} MB`,
  )
  store = await openPlace(place)
  const nearest = await findNearest(store, corpus.probes())
  await store.close()
  const times = await measureClients(place, corpus, plan)
  return { store: place.name, size, ...spent, bytes, nearest, times, churn: await measureChurn(place, corpus, plan) }
}

async function measurePglite(size: number): Promise<Measured> {
  const corpus = new Corpus(Math.min(size, PGLITE_MOST))
  await corpus.prepareProbes(PROBES)
  const { openPgliteStore } = await import('../test/postgres/pglite.ts')
  const { store } = await openPgliteStore({ tenants: [TENANT] })
  const spent = await fill(store, corpus)
  const nearest = await findNearest(store, corpus.probes())
  await store.close()
  return { store: 'pgvector (PGlite)', size: corpus.size, ...spent, bytes: 0, nearest, times: [], churn: null }
}

async function measureServer(url: string | undefined, size: number, plan: Plan): Promise<Measured> {
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB' }
  const server = url === undefined ? await startServer({ isDurable: true, settings }) : null
  const adminUrl = url ?? server?.adminUrl ?? ''
  try {
    const place = await prepareDatabase(adminUrl)
    return await measurePlace({ ...place, ...(server && { folder: server.folder }) }, size, plan)
  } finally {
    if (server) server.remove()
    else await dropDatabase(adminUrl)
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
const quantiles = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(0)).join(' / ')

const describeCalls = ({ latencies, cpuMs }: Calls): string => `${quantiles(latencies)} ms (cpu ${cpuMs.toFixed(1)} ms)`

function describeTimes(name: string, size: number, times: Times | undefined): string {
  if (!times) return ''
  const { clients, search, recall, firstMs, residentMb } = times
  return `${name} ${size}, ${clients} clients: search ${describeCalls(search)}, recall ${describeCalls(recall)}, first ${firstMs.toFixed(0)} ms, ${residentMb.toFixed(0)} MB`
}

function formatTables(all: readonly Measured[]): string {
  const builds = all.map(
    ({ store, size, buildMs, vectorMs, bytes, nearest, churn }) =>
      `| ${store} | ${size} | ${seconds(buildMs)} | ${seconds(vectorMs)} | ${bytes ? megabytes(bytes) : '–'} | ${nearest.toFixed(3)} | ` +
      `${churn ? `${churn.inserted.toFixed(0)} | ${churn.deleted.toFixed(0)} | ${quantiles(churn.search)}` : '– | – | –'} |`,
  )
  const clients = all.flatMap(({ store, size, times }) =>
    times.map(
      (one) =>
        `| ${store} | ${size} | ${one.clients} | ${quantiles(one.search.latencies)} | ${one.search.cpuMs.toFixed(1)} | ${quantiles(one.recall.latencies)} | ${one.recall.cpuMs.toFixed(1)} | ${one.firstMs.toFixed(0)} | ${one.residentMb.toFixed(0)} |`,
    ),
  )
  return [
    '| store | memories | texts s | vectors s | MB on disk | recall@10 by vector | inserts/s | deletes/s | search meanwhile, ms p50 / p95 / p99 |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...builds,
    '',
    '| store | memories | clients | search, ms p50 / p95 / p99 | cpu ms | recall, ms p50 / p95 / p99 | cpu ms | to the first answers ms | MB a client |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...clients,
  ].join('\n')
}

function drawAll(folder: string, all: readonly Measured[]): void {
  mkdirSync(folder, { recursive: true })
  for (const kind of ['search', 'recall'] as const) {
    const names = new Map<string, Array<{ size: number; value: number }>>()
    for (const { store, size, times } of all) {
      for (const one of times) {
        const name = `${store}, ${one.clients} clients`
        names.set(name, [...(names.get(name) ?? []), { size, value: quantile(one[kind].latencies, 0.95) }])
      }
    }
    const curves = [...names].map(([name, points]) => ({ name, points }))
    const svg = drawGrowth({ title: `${kind}, 95 % are answered within`, unit: 'ms', curves })
    writeFileSync(join(folder, `scale-${kind}.svg`), svg)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000' },
      stores: { type: 'string', default: 'sqlite,postgres' },
      clients: { type: 'string', default: '1,8,32' },
      talks: { type: 'string', default: '64' },
      'churn-ms': { type: 'string', default: '5000' },
      postgres: { type: 'string' },
      svg: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const numbers = (list: string): number[] => list.split(',').map(Number)
  const plan = values.smoke
    ? { clients: [2], talks: 4, churnMs: 200 }
    : { clients: numbers(values.clients), talks: Number(values.talks), churnMs: Number(values['churn-ms']) }
  const folder = mkdtempSync(join(tmpdir(), 'scale-'))
  const all: Measured[] = []
  try {
    for (const size of values.smoke ? [300] : numbers(values.sizes)) {
      for (const store of values.stores.split(',')) {
        if (store === 'sqlite') {
          all.push(await measurePlace({ name: 'SQLite', location: join(folder, `${size}.db`) }, size, plan))
        } else if (store === 'postgres') all.push(await measureServer(values.postgres, size, plan))
        else if (store === 'pglite') all.push(await measurePglite(size))
        else throw new Error(`--stores names sqlite, postgres and pglite, not ${store}`)
      }
    }
    const load = loadavg()[0]?.toFixed(1)
    console.log(
      `\n${availableParallelism()} cores, load ${load} at the end, Node ${process.version}\n\n${formatTables(all)}`,
    )
    if (values.svg) drawAll(values.svg, all)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
