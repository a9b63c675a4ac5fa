import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url))
const WORKSPACE = join(EXAMPLES, 'workspace')
const MAX_FILE_BYTES = 20_000

interface Passage {
  path: string
  contains: string
}
interface Question {
  query: string
  gold: Passage[]
  kind: string
  stale?: Passage[]
  note: string
}

const KINDS = ['keyword', 'paraphrase', 'temporal', 'update', 'tool', 'multi', 'crosslingual', 'silent']
const notes = listFiles(WORKSPACE, '.md')
const transcripts = listFiles(join(EXAMPLES, 'transcripts'), '.jsonl')
const questions = readLines(join(EXAMPLES, 'questions.jsonl')).map((line) => JSON.parse(line) as Question)

describe('the sample workspace', () => {
  it('holds at least forty notes and four transcripts, two of each host', () => {
    expect(notes.length).toBeGreaterThanOrEqual(40)
    expect(transcripts.filter((path) => path.includes('openclaw'))).toHaveLength(2)
    expect(transcripts.filter((path) => path.includes('claude'))).toHaveLength(2)
  })

  it('stays small: every file is under 20 kB', () => {
    const large = [...notes, ...transcripts].filter((path) => statSync(path).size >= MAX_FILE_BYTES)
    expect(large).toEqual([])
  })

  it('has transcripts in which every line parses', () => {
    for (const path of transcripts) {
      const lines = readLines(path)
      expect(lines.length).toBeGreaterThanOrEqual(20)
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty('type')
    }
  })

  it('repeats a paragraph in two notes and a few records in two transcripts, so that duplicates are exercised', () => {
    expect(countRepeats(notes.flatMap(paragraphsOf))).toBeGreaterThanOrEqual(2)
    const recordIds = transcripts.flatMap((path) => readLines(path).map((line) => (JSON.parse(line) as Entry).uuid))
    expect(countRepeats(recordIds.filter((id) => id !== undefined))).toBeGreaterThanOrEqual(3)
  })

  it('names the right weekday wherever a note gives one with a full date', () => {
    const dated =
      /\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (\d{1,2}) (January|February|March|April|May|June|July|August|October)( 2026)?\b/g
    const wrong = notes.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(dated)]
        .filter(([, day, date, month]) => !weekdayOf(`${date} ${month} 2026`).startsWith(`${day}day`))
        .map(([text]) => `${basename(path)}: ${text}`),
    )
    expect(wrong).toEqual([])
  })

  it('gives each daily note a heading of the day that its name says', () => {
    const daily = notes.filter((path) => /memory\/\d{4}-\d\d-\d\d\.md$/.test(path))
    expect(daily.length).toBeGreaterThanOrEqual(25)
    for (const path of daily) {
      const date = new Date(`${basename(path, '.md')}T00:00:00Z`)
      const heading = `# ${date.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}`
      expect(readLines(path)[0]).toBe(heading.replace(',', ''))
    }
  })
})

describe('the gold list', () => {
  it('has at least sixty questions of known kinds, each asked once', () => {
    expect(questions.length).toBeGreaterThanOrEqual(60)
    expect(new Set(questions.map(({ query }) => query)).size).toBe(questions.length)
    for (const { kind } of questions) expect(KINDS).toContain(kind)
    for (const kind of KINDS) expect(questions.some((question) => question.kind === kind)).toBe(true)
  })

  it('has at least twelve silent questions, and only those have no gold', () => {
    expect(questions.filter(({ kind }) => kind === 'silent').length).toBeGreaterThanOrEqual(12)
    for (const { kind, gold } of questions) expect(gold.length === 0).toBe(kind === 'silent')
  })

  it('names passages that stand exactly once in their file, within one line', () => {
    const texts = new Map<string, string>()
    const misplaced: string[] = []
    for (const { query, gold, stale = [] } of questions) {
      for (const { path, contains } of [...gold, ...stale]) {
        const text = texts.get(path) ?? readPassages(path)
        texts.set(path, text)
        const count = text.split(contains).length - 1
        if (count !== 1 || contains.includes('\n')) misplaced.push(`${query}: ${path} has "${contains}" ${count} times`)
      }
    }
    expect(misplaced).toEqual([])
  })

  it('asks for at least five facts that no note holds, only a tool result', () => {
    const noteText = notes.map((path) => readFileSync(path, 'utf8')).join('\n')
    const toolOnly = questions.filter(
      ({ kind, gold }) =>
        kind === 'tool' &&
        gold.some(({ path, contains }) => path.startsWith('sessions/') && !noteText.includes(contains)),
    )
    expect(toolOnly.length).toBeGreaterThanOrEqual(5)
  })
})

interface Entry {
  uuid?: string
  message?: { content?: unknown }
}

function listFiles(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending))
    .sort()
}

function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean)
}

/** The text of a note, or what was said and shown in a transcript: hosts store tool output a second time beside it. */
function readPassages(path: string): string {
  if (!path.startsWith('sessions/')) return readFileSync(join(WORKSPACE, path), 'utf8')
  return readLines(join(EXAMPLES, 'transcripts', path.slice('sessions/'.length)))
    .flatMap((line) => stringsIn((JSON.parse(line) as Entry).message?.content))
    .join('\n')
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsIn)
  return []
}

function paragraphsOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.length >= 80)
}

function countRepeats(values: readonly string[]): number {
  return values.length - new Set(values).size
}

function weekdayOf(date: string): string {
  return new Date(`${date} UTC`).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })
}
