import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AUTONOMY_LEVELS } from '../src/heartbeat/decision-options.ts'
import { type HeartbeatResult, openMadeleine, type Signal } from '../src/index.ts'
import { startFakeLanguageServer } from '../src/testing/fake-language-server.ts'

const SAMPLE = fileURLToPath(new URL('../examples', import.meta.url))
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const QUIET = { from: '23:00', to: '07:00' }
/** Local times at which the user says something, on days of work. */
const SAID_AT = new Set(['09:00', '14:00'])
const AGREES =
  '{"should_act":true,"action_brief":"Look at it.","recommended_actions":[],"urgency":"medium","reasoning":"r"}'
const DISAGREES =
  '{"should_act":false,"action_brief":"It can wait.","recommended_actions":[],"urgency":"none","reasoning":"r"}'
/** The language model sees no need each so many questions. */
const DISAGREES_EACH = 5

/** A time to live through, and where. */
export interface Stretch {
  /** First tick, ISO 8601. */
  from: string
  days: number
  timeZone: string
  everyMinutes: number
}

/** One tick of it. */
export interface LivedTick {
  at: number
  /** `HH:MM` as clocks in the zone show it. */
  local: string
  result: HeartbeatResult
  questions: number
  elapsedMs: number
}

/**
 * Ticks over the sample workspace through a stretch of time, with the notes and sessions of each day arriving when they end and a language
 * model behind a real local server. The user says something twice a day. Nothing of it depends on the machine's clock.
 */
export async function liveThrough({ from, days, timeZone, everyMinutes }: Stretch): Promise<LivedTick[]> {
  const home = mkdtempSync(join(tmpdir(), 'madeleine-month-'))
  const server = await startFakeLanguageServer({ kind: 'openai', otherwise: AGREES })
  let now = Date.parse(from)
  const end = now + days * 24 * HOUR_MS
  const engine = await openMadeleine({
    workspaces: [join(home, 'workspace')],
    transcripts: [join(home, 'transcripts')],
    store: join(home, 'store.sqlite'),
    embedding: 'none',
    noThreads: true,
    now: () => new Date(now),
    timeZone,
    heartbeat: { everyMinutes, quietHours: QUIET },
    languageModel: 'openai:local',
    languageModelEndpoint: { baseUrl: server.baseUrl, apiKey: 'local' },
  })
  try {
    const waiting = listArrivals(now, timeZone)
    mkdirSync(join(home, 'workspace'))
    mkdirSync(join(home, 'transcripts'))
    const ticks: LivedTick[] = []
    for (; now < end; now += everyMinutes * MINUTE_MS) {
      const arrived = waiting.filter(({ at }) => at <= now)
      if (arrived.length > 0) {
        waiting.splice(0, arrived.length)
        for (const { file } of arrived) copyInto(home, file, now)
        await engine.index()
      }
      const local = localTime(now, timeZone)
      if (SAID_AT.has(local) && isWorkday(now, timeZone)) await engine.recall({ prompt: 'What is open today?' })
      if ((server.requests.length + 1) % DISAGREES_EACH === 0 && server.script.length === 0) {
        server.script.push({ text: DISAGREES })
      }
      const before = server.requests.length
      const startedAt = performance.now()
      const result = await engine.heartbeat({ analyze: true })
      const elapsedMs = performance.now() - startedAt
      ticks.push({ at: now, local, result, questions: server.requests.length - before, elapsedMs })
    }
    return ticks
  } finally {
    await engine.close()
    await server.close()
    rmSync(home, { recursive: true })
  }
}

interface Arrival {
  file: string
  at: number
}

/** The sample's files in the order in which they come: what has no date is there from the beginning. */
function listArrivals(startMs: number, timeZone: string): Arrival[] {
  const files = ['workspace', 'transcripts'].flatMap((folder) => listFiles(join(SAMPLE, folder)))
  return files
    .map((file) => ({ file, at: Math.max(arrivalOf(file, timeZone) ?? startMs, startMs) }))
    .sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1))
}

/** The evening of the day that a note names; the last record of a transcript. */
function arrivalOf(file: string, timeZone: string): number | undefined {
  const day = /\/memory\/(\d{4}-\d{2}-\d{2})[^/]*\.md$/.exec(file)?.[1]
  if (day !== undefined) {
    const noon = Date.parse(`${day}T18:00:00Z`)
    return noon - (Number(localTime(noon, timeZone).slice(0, 2)) - 18) * HOUR_MS
  }
  if (!file.endsWith('.jsonl')) return undefined
  const times = [...readFileSync(file, 'utf8').matchAll(/"timestamp":"([^"]+)"/g)]
  return Date.parse(times.at(-1)?.[1] ?? '')
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function copyInto(home: string, file: string, now: number): void {
  const target = join(home, relative(SAMPLE, file))
  mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(target)) copyFileSync(file, target)
  utimesSync(target, now / 1000, now / 1000)
}

function localTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)
}

function isWorkday(at: number, timeZone: string): boolean {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' }).format(at)
  return day !== 'Sat' && day !== 'Sun'
}

/** What is wrong with how a time was lived through; empty when all promises were kept. */
export function findFaults(ticks: readonly LivedTick[]): string[] {
  return [
    ...findRepeats(ticks),
    ...ticks.flatMap((tick) => [...findUnexplained(tick), ...findNoise(tick), ...findCost(tick)]),
  ]
}

const isTold = ({ suppressedBy }: Signal): boolean => suppressedBy === undefined
const when = ({ at }: LivedTick): string => new Date(at).toISOString()

/** A signal that is told again within its cooldown though it presses no more than before, and is due no other day. */
function findRepeats(ticks: readonly LivedTick[]): string[] {
  const last = new Map<string, { at: number; signal: Signal; critical: boolean }>()
  const faults: string[] = []
  for (const tick of ticks) {
    for (const signal of tick.result.signals.filter(isTold)) {
      const critical = tick.result.decisionReason === 'act_deadline_critical' && isCritical(signal, tick.at)
      const before = last.get(signal.signature)
      last.set(signal.signature, { at: tick.at, signal, critical })
      if (!before || before.signal.urgency !== signal.urgency || before.critical !== critical) continue
      const moved = Math.abs(Date.parse(signal.dueAt ?? '') - Date.parse(before.signal.dueAt ?? ''))
      if (moved >= 12 * HOUR_MS) continue
      const { urgency } = signal
      const rest = AUTONOMY_LEVELS.suggest.cooldownMs[urgency === 'none' ? 'low' : urgency]
      if (tick.at - before.at <= rest) faults.push(`${when(tick)}: told again within its cooldown: ${signal.summary}`)
    }
  }
  return faults
}

/** A signal that was neither told nor held back for a reason. */
function findUnexplained(tick: LivedTick): string[] {
  const { shouldAct, signals } = tick.result
  const told = signals.filter(isTold)
  if (shouldAct) return told.length > 0 ? [] : [`${when(tick)}: acts on nothing`]
  return told.map(({ summary }) => `${when(tick)}: lost without a reason: ${summary}`)
}

/** Something said in quiet hours that can wait. */
function findNoise(tick: LivedTick): string[] {
  const isQuiet = tick.local >= QUIET.from || tick.local < QUIET.to
  if (!isQuiet) return []
  return tick.result.signals
    .filter((signal) => isTold(signal) && signal.urgency !== 'immediate' && !isCritical(signal, tick.at))
    .map(({ summary }) => `${when(tick)}: said at ${tick.local}: ${summary}`)
}

/** Questions to the language model that no acting tick asked, or several of one. */
function findCost(tick: LivedTick): string[] {
  const { shouldAct, decisionReason } = tick.result
  const allowed = shouldAct || decisionReason === 'suppress_llm' ? 1 : 0
  return tick.questions > allowed ? [`${when(tick)}: ${tick.questions} questions to the language model`] : []
}

function isCritical({ kind, dueAt }: Signal, at: number): boolean {
  return kind === 'deadline' && dueAt !== undefined && Math.abs(Date.parse(dueAt) - at) <= HOUR_MS
}
