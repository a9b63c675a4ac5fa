import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../../bench/made-text.ts'

const CHILD = join(dirname(fileURLToPath(import.meta.url)), 'crash-child.mjs')
/** After so many kills a new store is begun, so that making one is among what is interrupted. */
const KILLS_PER_STORE = 20
/** Half of the kills come some time after a process has loaded, … */
const LONGEST_LIFE_MS = 1500
/** … the others right at, or within moments of, a step that it reports: around commits. */
const MOST_LINES = 60
const MOMENT_MS = 4

export interface CrashReport {
  kills: number
  /** In which step processes were killed. */
  steps: Record<string, number>
  /** Memories that were acknowledged, and looked for in later processes. */
  acknowledged: number
  /** Processes that found everything in order after a kill. */
  checked: number
  /** What was not as promised. Empty when all was. */
  wrong: string[]
}

/** What may be expected of the store. What was under way when a process was killed may be either way. */
interface Expected {
  kept: Set<string>
  gone: Set<string>
}

/**
 * Starts processes that index, remember, forget, embed, search and recall over one store, and kills them with SIGKILL at moments
 * drawn from `seed`. Each process first checks what those before it left; a last one that is not killed ends each store.
 */
export async function runCrashes(options: {
  kills: number
  seed: number
  onKill?: (done: number) => void
  /** Where the next store is; default a file in a folder of its own. */
  locate?: () => Promise<string>
}): Promise<CrashReport> {
  const random = createRandom(options.seed)
  const report: CrashReport = { kills: 0, steps: {}, acknowledged: 0, checked: 0, wrong: [] }
  while (report.kills < options.kills && report.wrong.length === 0) {
    const folder = mkdtempSync(join(tmpdir(), 'crash-'))
    const expected: Expected = { kept: new Set(), gone: new Set() }
    const store = await options.locate?.()
    const place = { folder, ...(store !== undefined && { store }) }
    const most = Math.min(KILLS_PER_STORE, options.kills - report.kills)
    for (let n = 0; n < most && report.wrong.length === 0; n++) {
      const isTimed = random() < 0.5
      const moment = {
        lines: isTimed ? 1 : 1 + Math.floor(random() * MOST_LINES),
        ms: random() * (isTimed ? LONGEST_LIFE_MS : MOMENT_MS),
      }
      const seed = String(1 + Math.floor(random() * 1e9))
      await runChild({ ...place, seed, expected, report, moment })
      options.onKill?.(report.kills)
    }
    if (report.wrong.length === 0) await runChild({ ...place, seed: 'last', expected, report })
    if (report.wrong.length === 0) rmSync(folder, { recursive: true })
    else report.wrong.push(`the store is kept in ${folder}`)
  }
  return report
}

async function runChild(run: {
  folder: string
  store?: string
  seed: string
  expected: Expected
  report: CrashReport
  moment?: { lines: number; ms: number }
}): Promise<void> {
  const { folder, store, seed, expected, report, moment } = run
  const file = join(folder, 'expected.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ kept: [...expected.kept], gone: [...expected.gone] }))
  const child = spawn(process.execPath, [CHILD, folder, seed, file, ...(store === undefined ? [] : [store])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (data) => errors.push(String(data)))
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)))
  let step = 'load'
  let lines = 0
  for await (const line of createInterface(child.stdout)) {
    const [word, subject = ''] = line.split(' ')
    lines += 1
    if (word === 'begin') step = subject
    if (word === 'end') step = 'between'
    if (word === 'checked') report.checked += 1
    if (word === 'wrong') report.wrong.push(`seed ${seed}: ${line}`)
    note(expected, report, { word, id: subject })
    if (moment && lines === moment.lines) wait(moment.ms).then(() => child.kill('SIGKILL'))
  }
  const signal = await ended
  if (signal === 'SIGKILL') {
    report.kills += 1
    report.steps[step] = (report.steps[step] ?? 0) + 1
  } else if (errors.length > 0) report.wrong.push(`seed ${seed}: ${errors.join('')}`)
}

function note(
  { kept, gone }: Expected,
  report: CrashReport,
  { word, id }: { word: string | undefined; id: string },
): void {
  if (word === 'kept') {
    kept.add(id)
    report.acknowledged += 1
  }
  // Until it is acknowledged, it may be there or not.
  if (word === 'forgetting') kept.delete(id)
  if (word === 'gone') gone.add(id)
}
