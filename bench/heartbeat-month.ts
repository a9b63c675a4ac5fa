import { parseArgs } from 'node:util'
import { findFaults, type LivedTick, liveThrough, type Stretch } from './live-through.ts'
import { quantile } from './stopwatch.ts'

const HELP = `npx tsx bench/heartbeat-month.ts [OPTIONS]

Lives through a month over the sample workspace, a tick every half hour, with the notes and sessions of each day arriving in its
evening, the user saying something twice on days of work, and a language model behind a local server that sees no need each fifth time.
A second month has the change to summer time in it. Exits with 1 when a promise is broken: no signal told again within its cooldown,
none lost without a reason, quiet hours kept by the clock, at most one question to the model, and only in ticks that act.

  --days N   of each month (default 30)
  --told     also what was told, and when
  --help`

const STRETCHES: ReadonlyArray<Stretch & { name: string }> = [
  { name: 'summer', from: '2026-06-20T06:10:00Z', days: 30, timeZone: 'Europe/Zurich', everyMinutes: 30 },
  { name: 'spring', from: '2026-03-14T06:00:00Z', days: 30, timeZone: 'Europe/Zurich', everyMinutes: 30 },
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '30' },
      told: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  for (const stretch of STRETCHES) {
    const ticks = await liveThrough({ ...stretch, days: Number(values.days) })
    print(stretch.name, ticks, values.told)
    const faults = findFaults(ticks)
    for (const fault of faults) console.log(`  FAULT ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
}

function print(name: string, ticks: readonly LivedTick[], withTold: boolean): void {
  const acts = ticks.filter(({ result }) => result.shouldAct)
  const times = ticks.map(({ elapsedMs }) => elapsedMs)
  console.log(
    `\n${name}: ${ticks.length} ticks, ${acts.length} acts, ${sum(ticks.map((tick) => tick.questions))} questions to the model`,
  )
  console.log(`  a tick takes ${quantile(times, 0.5).toFixed(0)} ms (p95 ${quantile(times, 0.95).toFixed(0)} ms)`)
  for (const [reason, count] of countBy(ticks.map(({ result }) => result.decisionReason))) {
    console.log(`  ${String(count).padStart(5)}  ${reason}`)
  }
  printSignals(ticks)
  if (!withTold) return
  for (const { at, local, result } of acts) {
    const told = result.signals.filter(({ suppressedBy }) => suppressedBy === undefined)
    console.log(`  ${new Date(at).toISOString().slice(0, 10)} ${local} ${result.decisionReason}`)
    for (const { kind, summary } of told) console.log(`      ${kind}: ${summary.slice(0, 110)}`)
  }
}

/** How often each signal was told, and what held back those that never were. */
function printSignals(ticks: readonly LivedTick[]): void {
  const told = new Map<string, number>()
  const held = new Map<string, string>()
  for (const { signature, suppressedBy } of ticks.flatMap(({ result }) => result.signals)) {
    if (suppressedBy === undefined) told.set(signature, (told.get(signature) ?? 0) + 1)
    else held.set(signature, suppressedBy)
  }
  const never = [...held].filter(([signature]) => !told.has(signature)).map(([, reason]) => reason)
  const times = [...told.values()]
  const raised = told.size + never.length
  const most = Math.max(0, ...times)
  console.log(
    `  ${raised} signals raised, ${told.size} told (${sum(times) - told.size} repeats, ${most} times at most)`,
  )
  for (const [reason, count] of countBy(never)) console.log(`  ${String(count).padStart(5)}  never told: ${reason}`)
}

function countBy(words: readonly string[]): Array<[string, number]> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

await main()
