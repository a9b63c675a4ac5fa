import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, createWordSource, type WordSource } from './made-text.ts'

/** Folders of notes and transcripts that were made, and what is in them. */
export interface MadeCorpus {
  notes: string
  sessions: string
  noteFiles: number
  sessionFiles: number
  turns: number
  bytes: number
}

/** Sections of a note, and words of a section. */
const SECTIONS = 3
const SECTION_WORDS = 60
/** Words of a turn: talk, and what tools print. */
const TURN_WORDS = { least: 8, most: 90 }
const TOOL_WORDS = 300
/** Every so many turns a tool prints something; every so many files repeat the turns of the one before, as resumed sessions do. */
const TOOL_EVERY = 9
const RESUMED_EVERY = 10
const SESSION_BYTES = 400_000
const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1)

/**
 * Writes notes and, as OpenClaw writes them, transcripts of about so many bytes: English words drawn by rank, the same in every run.
 */
export async function writeCorpus(
  folder: string,
  { notes, sessionBytes }: { notes: number; sessionBytes: number },
): Promise<MadeCorpus> {
  const random = createRandom(notes)
  const source = await createWordSource(random)
  const corpus = { notes: join(folder, 'notes'), sessions: join(folder, 'sessions') }
  const noteBytes = writeNotes(corpus.notes, notes, source)
  const sessions = writeSessions(corpus.sessions, sessionBytes, { source, random })
  return { ...corpus, noteFiles: notes, ...sessions, bytes: noteBytes + sessions.bytes }
}

function writeNotes(folder: string, count: number, source: WordSource): number {
  let bytes = 0
  for (let n = 0; n < count; n++) {
    const under = join(folder, 'memory', String(Math.floor(n / 500)))
    if (n % 500 === 0) mkdirSync(under, { recursive: true })
    const sections = Array.from(
      { length: SECTIONS },
      (_, at) => `## ${source.rareWord()} ${source.rareWord()} ${n}-${at}\n\n${source.prose(SECTION_WORDS)}\n`,
    )
    const text = `# ${source.rareWord()} ${n}\n\n${sections.join('\n')}`
    writeFileSync(join(under, `note-${n}.md`), text)
    bytes += text.length
  }
  return bytes
}

function writeSessions(
  folder: string,
  wantedBytes: number,
  { source, random }: { source: WordSource; random: () => number },
): { sessionFiles: number; turns: number; bytes: number } {
  mkdirSync(folder, { recursive: true })
  let [bytes, turns, files] = [0, 0, 0]
  let before: string[] = []
  for (; bytes < wantedBytes; files++) {
    const lines = files % RESUMED_EVERY === RESUMED_EVERY - 1 ? before.slice(0, Math.ceil(before.length / 2)) : []
    let size = lines.reduce((sum, line) => sum + line.length, 0)
    while (size < Math.min(SESSION_BYTES, wantedBytes)) {
      const line = makeTurn(turns, source, random)
      lines.push(line)
      size += line.length
      turns += 1
    }
    const head = {
      type: 'session',
      version: 3,
      id: `session-${files}`,
      timestamp: timeOf(turns),
      cwd: '/no/such/folder',
    }
    bytes += appendLines(join(folder, `session-${files}.jsonl`), [`${JSON.stringify(head)}\n`, ...lines])
    before = lines
  }
  return { sessionFiles: files, turns, bytes }
}

function makeTurn(number: number, source: WordSource, random: () => number): string {
  const isTool = number % TOOL_EVERY === TOOL_EVERY - 1
  const words = isTool ? TOOL_WORDS : TURN_WORDS.least + Math.floor(random() * (TURN_WORDS.most - TURN_WORDS.least))
  const content = [{ type: 'text', text: source.prose(words) }]
  const message = isTool
    ? { role: 'toolResult', toolName: 'bash', toolCallId: `call-${number}`, content }
    : { role: number % 2 ? 'assistant' : 'user', content }
  return `${JSON.stringify({ type: 'message', id: `turn-${number}`, timestamp: timeOf(number), message })}\n`
}

function timeOf(turn: number): string {
  return new Date(START + turn * (DAY_MS / 1000)).toISOString()
}

function appendLines(file: string, lines: readonly string[]): number {
  const text = lines.join('')
  const descriptor = openSync(file, 'w')
  writeSync(descriptor, text)
  closeSync(descriptor)
  return Buffer.byteLength(text)
}
