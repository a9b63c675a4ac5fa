import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type MadeTurn, makeConversations, writeMemories } from './made-memories.ts'
import { quantile } from './stopwatch.ts'

const HELP = `npx tsx bench/hooks.ts [OPTIONS]

Measures what a prompt waits for when Claude Code runs our hook: whole processes, from their start to their end, over a store of made
notes and transcripts. In turns: an empty process (node -e 0), the hook that asks the warm process, and the hook that looks itself.
Wall time grows with the load of the machine, CPU time (user and system, of all threads, until the process begins to end) less; the empty
process of the same run says how much. Needs a build (npm run build).

  --memories N   size of the store (default 10000)
  --runs N       runs of each kind (default 40)
  --help`

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const HOOK = fileURLToPath(new URL('../plugins/claude-code/hooks/run-hook.cjs', import.meta.url))
const WARM_UP = 3
const START_MS = 120_000
const LIMIT_MS = 80

/** However busy the machine is, every recall does its whole work. */
const ALWAYS = { MADELEINE_EMBEDDING: 'none', MADELEINE_RECALL_DEADLINE_MS: '60000' }

interface Kind {
  name: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

const KINDS: readonly Kind[] = [
  { name: 'node -e 0', args: ['-e', '0'], env: {} },
  { name: 'hook, warm', args: [HOOK], env: { MADELEINE_WARM: '1' } },
  { name: 'hook, by itself', args: [HOOK], env: { MADELEINE_WARM: '0' } },
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '10000' },
      runs: { type: 'string', default: '40' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const home = mkdtempSync(join(tmpdir(), 'madeleine-hooks-'))
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...ALWAYS }
  let warmPid: number | undefined
  try {
    const made = await writeMemories(home, Number(values.memories))
    writeConfig(home, made)
    run([MAIN, 'index'], env)
    warmPid = await startWarm(home, env)
    const turns = (await makeConversations(made, Number(values.runs) + WARM_UP)).map(([first]) => first)
    const times = new Map<string, number[]>(KINDS.map(({ name }) => [name, []]))
    const works = new Map<string, number[]>(KINDS.map(({ name }) => [name, []]))
    const probe = writeProbe(home)
    const spoken = new Map<string, number>(KINDS.map(({ name }) => [name, 0]))
    for (const [number, turn] of turns.entries()) {
      for (const kind of KINDS) {
        const { ms, out } = run(
          ['--require', probe.script, ...kind.args],
          { ...env, ...kind.env },
          eventOf(turn, `${kind.name}-${number}`, made.workspace),
        )
        if (number < WARM_UP) continue
        times.get(kind.name)?.push(ms)
        works.get(kind.name)?.push(probe.readCpuMs())
        if (out !== '') spoken.set(kind.name, (spoken.get(kind.name) ?? 0) + 1)
      }
    }
    report({ times, works, spoken }, Number(values.memories))
  } finally {
    if (warmPid !== undefined) process.kill(warmPid)
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

function writeConfig(home: string, { workspace, transcripts }: { workspace: string; transcripts: string }): void {
  const folder = join(home, '.config', 'madeleine')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.yaml'), `workspaces: [${workspace}]\ntranscripts: [${transcripts}]\n`)
}

/** A script that lets a process write down, as the last thing it does, what CPU time it took. */
function writeProbe(home: string): { script: string; readCpuMs(): number } {
  const [script, file] = [join(home, 'probe.cjs'), join(home, 'cpu.json')]
  const note = `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.cpuUsage()))`
  writeFileSync(script, `process.on('exit', () => ${note})`)
  return {
    script,
    readCpuMs() {
      const { user, system }: NodeJS.CpuUsage = JSON.parse(readFileSync(file, 'utf8'))
      return (user + system) / 1000
    },
  }
}

/** Runs a process to its end and says how long that took from outside. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): { ms: number; out: string } {
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input, encoding: 'utf8' })
  const ms = performance.now() - startedAt
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return { ms, out: stdout }
}

async function startWarm(home: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [MAIN, 'warm'], { env, stdio: 'ignore' })
  const folder = join(home, '.local', 'share', 'madeleine', 'warm')
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(100)) {
    const card = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith('.json'))
    if (card) return Number(JSON.parse(readFileSync(join(folder, card), 'utf8')).pid)
  }
  child.kill()
  throw new Error('The warm process did not start')
}

function eventOf(turn: MadeTurn | undefined, sessionId: string, cwd: string): string {
  return JSON.stringify({
    ...{ hook_event_name: 'UserPromptSubmit', session_id: sessionId, cwd, permission_mode: 'default' },
    prompt: turn?.prompt ?? '',
  })
}

interface Measured {
  times: ReadonlyMap<string, number[]>
  works: ReadonlyMap<string, number[]>
  spoken: ReadonlyMap<string, number>
}

function report({ times, works, spoken }: Measured, memories: number): void {
  const [load = 0] = loadavg()
  const bare = times.get('node -e 0') ?? []
  const at = (list: readonly number[] | undefined, share: number): number => quantile(list ?? [], share)
  const bareWork = at(works.get('node -e 0'), 0.5)
  console.log(`## Hooks: ${memories} memories, ${bare.length} runs of each kind, whole processes, ms`)
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)}\n`)
  console.log(
    '| | p50 | p95 | p50 − bare | p95 − bare | × bare p50 | × bare p95 | CPU p50 | CPU p50 − bare | said something |',
  )
  console.log(`|${' --- |'.repeat(10)}`)
  for (const [name, list] of times) {
    const [p50, p95, bare50, bare95] = [at(list, 0.5), at(list, 0.95), at(bare, 0.5), at(bare, 0.95)]
    const work = at(works.get(name), 0.5)
    const numbers = [p50, p95, p50 - bare50, p95 - bare95].map((value) => value.toFixed(0))
    const ratios = [p50 / bare50, p95 / bare95].map((value) => value.toFixed(2))
    const cpu = [work, work - bareWork].map((value) => value.toFixed(0))
    console.log(`| ${[name, ...numbers, ...ratios, ...cpu, spoken.get(name)].join(' | ')} |`)
  }
  console.log(`\nThe aim is p95 − bare of at most ${LIMIT_MS} ms on a machine that has nothing else to do.`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
