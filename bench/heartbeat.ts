import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { enrichWithRelatedContext, openMadeleine } from '../src/index.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { writeMemories } from './made-memories.ts'
import { quantile, type Spent } from './stopwatch.ts'

const HELP = `npx tsx bench/heartbeat.ts [OPTIONS]

What a tick takes over a store of made notes and transcripts, with related context and without, and the related context by itself. No
model is asked. Wall time grows with the load of the machine, CPU time does not.

  --memories N   size of the store (default 100000)
  --runs N       ticks of each kind (default 40)
  --help`

const DAY_MS = 86_400_000
/** Lines of which each kind of signal is made, in as many remembered texts. */
const OPEN_LINES = [
  '- [ ] Replace the seal of the west pump by tomorrow 12:00',
  'The boiler of the north hall leaks again and must be fixed.',
  'Waiting for the reply of the harbour office about the permit.',
  'We decided to replace the seals of all pumps with the softer kind.',
  'Resolved: the boiler of the south hall leaked because of its old valve, the valve was replaced.',
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '100000' },
      runs: { type: 'string', default: '40' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const home = mkdtempSync(join(tmpdir(), 'madeleine-heartbeat-'))
  try {
    await measure(home, Number(values.memories), Number(values.runs))
  } finally {
    rmSync(home, { recursive: true })
  }
}

async function measure(home: string, memories: number, runs: number): Promise<void> {
  const made = await writeMemories(home, memories)
  const store = await openSqliteStore({ file: join(home, 'store.sqlite') })
  let now = made.now.getTime() + 10 * 3_600_000
  const timeZone = 'UTC'
  const engine = await openMadeleine({
    workspaces: [made.workspace],
    transcripts: [made.transcripts],
    store,
    embedding: 'none',
    now: () => new Date(now),
    timeZone,
    heartbeat: { quietHours: null },
  })
  const { memories: held } = await engine.index()
  for (const text of OPEN_LINES) await engine.remember(text, { occurredAt: new Date(now - 2 * DAY_MS).toISOString() })
  console.log(`${held.total + OPEN_LINES.length} memories, ${runs} runs each; ms`)
  const first = await engine.heartbeat({ related: true, dryRun: true })
  console.log(`${first.signals.length} signals, ${first.relatedContext.length} related`)
  const times = { silent: [] as Spent[], acting: [] as Spent[], related: [] as Spent[] }
  for (let run = 0; run < runs; run++) {
    now += 60_000
    times.acting.push(await time(() => engine.heartbeat({ related: true, dryRun: true })))
    const found = await engine.heartbeat({ dryRun: true })
    const parts = { store, viewer: { tenant: 'local' }, now: new Date(now), timeZone, identity: null, related: true }
    times.related.push(await time(() => enrichWithRelatedContext(found, parts)))
  }
  await engine.heartbeat()
  for (let run = 0; run < runs; run++) {
    now += 1000
    times.silent.push(await time(() => engine.heartbeat()))
  }
  print('tick that stays silent', times.silent)
  print('tick that acts, with related context', times.acting)
  print('related context alone', times.related)
  await engine.close()
}

async function time(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs, cpuMs: (user + system) / 1000 }
}

function print(name: string, spent: readonly Spent[]): void {
  const of = (times: readonly number[]): string =>
    `p50 ${quantile(times, 0.5).toFixed(1)}  p95 ${quantile(times, 0.95).toFixed(1)}`
  const wall = of(spent.map(({ wallMs }) => wallMs))
  console.log(`  ${name.padEnd(38)} wall ${wall}   CPU ${of(spent.map(({ cpuMs }) => cpuMs))}`)
}

await main()
