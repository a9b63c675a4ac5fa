import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Madeleine, MadeleineError, openMadeleine } from '../src/index.ts'
import { HOSTILE_UNITS } from './hostile-units.ts'

const HELP = `npx tsx bench/hostile.ts [OPTIONS]

Does any text hold up indexing or a recall? Repeats signs, marks and beginnings of patterns until they are as long as a page of prose, and
compares the CPU time of indexing them (a note, a message, a tool's output), of recalling and of searching with that of the prose.
Exits with 1 when one takes more than --most times as long; the time for half of it tells whether it grows faster than the text.

  --chars N     characters of a text (default 40000)
  --forms LIST  of note, user, tool, recall, search (default all)
  --most N      times as long as prose (default 20)
  --help`

const FORMS = ['note', 'user', 'tool', 'recall', 'search'] as const
type Form = (typeof FORMS)[number]

const PROSE = 'The harbour office called about the gauge on pier four, and Mara promised to look at it on Tuesday. '
const SESSION = '00000000-0000-4000-8000-000000000001'
const AT = '2026-01-02T10:00:00.000Z'
/** Less is noise: opening a store and writing one document. */
const LEAST_MS = 25

function repeat(unit: string, chars: number): string {
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)
}

function writeSource(home: string, form: Form, text: string): void {
  const [notes, sessions] = [join(home, 'workspace', 'memory'), join(home, 'sessions')]
  for (const folder of [notes, sessions]) mkdirSync(folder, { recursive: true })
  if (form === 'note') writeFileSync(join(notes, '2026-01-02.md'), `# Noted\n\n${text}\n`)
  if (form !== 'user' && form !== 'tool') return
  const isTool = form === 'tool'
  const message = {
    role: isTool ? 'toolResult' : 'user',
    content: [{ type: 'text', text }],
    timestamp: Date.parse(AT),
    ...(isTool && { toolName: 'exec', toolCallId: 'call' }),
  }
  const lines = [
    { type: 'session', version: 3, id: SESSION, timestamp: AT, cwd: '/home/user/project' },
    { type: 'message', id: 'first', parentId: null, timestamp: AT, message },
  ]
  writeFileSync(join(sessions, `${SESSION}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** A query that is too long is refused, which is an answer. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MadeleineError)) throw error
}

async function run(engine: Madeleine, form: Form, text: string): Promise<unknown> {
  if (form === 'recall') return engine.recall({ prompt: text, recentTurns: [{ role: 'user', text }] })
  if (form === 'search') return engine.search(text).catch(ignoreRefusal)
  return engine.index()
}

/** CPU time in ms of what is done with the text, in a store of its own. */
async function measure(form: Form, text: string): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'madeleine-hostile-'))
  try {
    writeSource(home, form, text)
    const engine = await openMadeleine({
      ...{
        workspaces: [join(home, 'workspace')],
        transcripts: [join(home, 'sessions')],
        store: join(home, 'store.db'),
      },
      ...{ embedding: 'none', timeZone: 'UTC', now: () => new Date('2026-02-01T00:00:00Z') },
    })
    const before = process.cpuUsage()
    await run(engine, form, text)
    const { user, system } = process.cpuUsage(before)
    await engine.close()
    return (user + system) / 1000
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function measureBest(form: Form, text: string, times: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let at = 0; at < times; at++) best = Math.min(best, await measure(form, text))
  return best
}

async function compare(form: Form, chars: number, most: number): Promise<number> {
  const prose = Math.max(LEAST_MS, await measureBest(form, repeat(PROSE, chars), 4))
  let slowest = { times: 0, text: '' }
  let failed = 0
  for (const unit of HOSTILE_UNITS) {
    // A word in front keeps what follows from being cut away as empty; the ends decide whether a pattern matches in the end.
    for (const make of [(n: number) => repeat(unit, n), (n: number) => `x ${repeat(unit, n)} x`]) {
      let ms = await measure(form, make(chars))
      // What was slow once may have met another process.
      if (ms > most * prose) ms = Math.min(ms, await measure(form, make(chars)))
      const times = ms / prose
      if (times > slowest.times) slowest = { times, text: JSON.stringify(unit) }
      if (times <= most) continue
      failed += 1
      const half = await measure(form, make(chars / 2))
      console.log(
        `  ${JSON.stringify(unit)}: ${times.toFixed(0)} times as long as prose, half of it ${(half / prose).toFixed(0)} times`,
      )
    }
  }
  console.log(
    `${form}: ${HOSTILE_UNITS.length * 2} texts of ${chars} characters, prose ${prose.toFixed(0)} ms, slowest ${slowest.times.toFixed(1)} times as long (${slowest.text})`,
  )
  return failed
}

const { values } = parseArgs({
  options: {
    chars: { type: 'string', default: '40000' },
    forms: { type: 'string', default: FORMS.join(',') },
    most: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  const wanted = values.forms.split(',')
  const unknown = wanted.filter((name) => !FORMS.some((form) => form === name))
  if (unknown.length > 0) throw new Error(`Cannot compare ${unknown.join(', ')}: the forms are ${FORMS.join(', ')}`)
  let failed = 0
  for (const form of FORMS.filter((name) => wanted.includes(name)))
    failed += await compare(form, Number(values.chars), Number(values.most))
  if (failed > 0) process.exitCode = 1
}
