// The process that is killed. It checks what the ones before it left behind, then works until it is killed.
// Usage: node crash-child.mjs FOLDER SEED EXPECTED [STORE], where EXPECTED is a JSON file {kept:[id], gone:[id]}; without STORE it is a file.
// One line on stdout for each step, written at once: `begin STEP`, `kept ID`, `forgetting ID`, `gone ID`, `checked`, `wrong WHAT`.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openMadeleine } from '../../dist/index.js'
import { createFakeProvider } from '../../dist/testing/fake-embedding-provider.js'

const [folder = '', seed = '1', expectedFile = '', store = join(folder, 'store', 'store.sqlite')] =
  process.argv.slice(2)
const NOTES = join(folder, 'notes')
const MAX_NOTES = 40
const SECTIONS = 6
const OPS = ['remember', 'remember', 'remember', 'forget', 'index', 'index', 'full', 'search', 'recall']

/** Mulberry32. */
function createRandom(start) {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const random = createRandom(Number(seed))
const below = (limit) => Math.floor(random() * limit)
const print = (line) => writeSync(1, `${line}\n`)

function wrong(what) {
  print(`wrong ${what}`)
  process.exit(1)
}

function writeNote(number) {
  const words = () => Array.from({ length: 30 }, () => `w${below(900)}`).join(' ')
  const sections = Array.from({ length: SECTIONS }, (_, at) => `## Part ${at}\n\nBeacon${number} ${words()}\n`)
  const file = join(NOTES, `n${number}.md`)
  writeFileSync(`${file}.tmp`, `# Note ${number}\n\n${sections.join('\n')}`)
  renameSync(`${file}.tmp`, file)
}

const notes = () => readdirSync(NOTES).filter((name) => name.endsWith('.md'))

async function open() {
  print('begin open')
  return openMadeleine({
    workspaces: [NOTES],
    store,
    embedding: createFakeProvider({ dimensions: 32, delayMs: 1 }),
    now: () => new Date('2026-06-10T09:00:00Z'),
    timeZone: 'UTC',
    recall: { deadlineMs: 60_000 },
  })
}

/** What was acknowledged is there, nothing is wrong, searching works, and an index run completes. */
async function check(memory, { kept, gone }) {
  print('begin check')
  await checkFindings(memory)
  for (const id of kept) await memory.get(id).catch((error) => wrong(`${id} was acknowledged and is lost: ${error}`))
  for (const id of gone) {
    const isThere = await memory.get(id).then(
      () => true,
      (error) => (error.code === 'NOT_FOUND' ? false : wrong(`get ${id}: ${error}`)),
    )
    if (isThere) wrong(`${id} was forgotten and is back`)
  }
  print('begin check-index')
  const { documents, pending, problems } = await memory.index()
  if (problems.some(({ failed }) => failed)) wrong(`index: ${JSON.stringify(problems)}`)
  if (documents.total !== notes().length) wrong(`${documents.total} documents of ${notes().length} files`)
  if (pending !== 0) wrong(`${pending} memories without vectors after an index run`)
  for (const name of notes().slice(0, 3)) {
    const { results, degraded } = await memory.search(`beacon${name.slice(1, -3)}`, { limit: 3 })
    if (results[0]?.path !== name) wrong(`${name} is not found: ${JSON.stringify({ results, degraded })}`)
  }
  await checkFindings(memory)
  print('checked')
}

async function checkFindings(memory) {
  const findings = (await memory.doctor()).findings.filter(({ severity }) => severity !== 'info')
  if (findings.length > 0) wrong(`doctor: ${JSON.stringify(findings)}`)
}

async function work(memory, kept) {
  const prefix = `r${seed}`
  for (let n = 0; ; n++) {
    const op = OPS[below(OPS.length)]
    print(`begin ${op}`)
    if (op === 'remember') {
      const id = `${prefix}-${n}`
      await memory.remember(`Crate ${id} stands in hall w${below(900)} beside w${below(900)}`, { id })
      kept.push(id)
      print(`kept ${id}`)
    } else if (op === 'forget' && kept.length > 0) {
      const [id] = kept.splice(below(kept.length), 1)
      print(`forgetting ${id}`)
      await memory.forget(id)
      print(`gone ${id}`)
    } else if (op === 'index') {
      for (let change = 0; change < 3; change++) writeNote(below(MAX_NOTES))
      if (notes().length > 5 && below(3) === 0) rmSync(join(NOTES, notes()[below(notes().length)] ?? ''))
      await memory.index()
    } else if (op === 'full') await memory.index({ full: true })
    else if (op === 'search') await memory.search(`w${below(900)} crate hall`)
    else if (op === 'recall') {
      await memory.recall({ prompt: `where does the crate of w${below(900)} stand?`, sessionId: `s${below(40)}` })
    }
    print('end')
  }
}

mkdirSync(NOTES, { recursive: true })
if (notes().length === 0) for (let n = 0; n < 6; n++) writeNote(n)
const expected = JSON.parse(readFileSync(expectedFile, 'utf8'))
print('loaded')
try {
  const memory = await open()
  await check(memory, expected)
  if (seed !== 'last') await work(memory, [...expected.kept])
  await memory.close()
} catch (error) {
  wrong(error?.stack ?? String(error))
}
