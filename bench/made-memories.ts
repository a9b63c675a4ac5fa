import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RecentTurn } from '../src/index.ts'
import { createRandom, createWordSource, type WordSource } from './made-text.ts'

/** Folders with made notes and transcripts, and what stands in them. */
export interface MadeMemories {
  workspace: string
  transcripts: string
  /** The text of each memory. */
  texts: string[]
  /** The day after the last of them. */
  now: Date
}

/** One recall: what the user says, and what was said before it in the same conversation. */
export interface MadeTurn {
  prompt: string
  recentTurns: RecentTurn[]
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2025, 0, 1)
/** Words of one memory. */
const LENGTH = { least: 15, most: 120 }
const SECTIONS = { daily: 5, topic: 10 }
const SESSION_MESSAGES = 20
/** Shares of the memories. The rest are messages of transcripts. */
const SHARES = { daily: 0.25, topic: 0.15 }

type Draw = WordSource & { random: () => number }

/** Writes notes of days, notes of topics and transcripts of `count` memories in all below `root`: the same in every run. */
export async function writeMemories(root: string, count: number): Promise<MadeMemories> {
  const random = createRandom(count)
  const draw: Draw = { ...(await createWordSource(random)), random }
  const made: MadeMemories = {
    workspace: join(root, 'workspace'),
    transcripts: join(root, 'sessions'),
    texts: [],
    now: new Date(FIRST_DAY),
  }
  const days = Math.round((count * SHARES.daily) / SECTIONS.daily)
  const topics = Math.round((count * SHARES.topic) / SECTIONS.topic)
  for (let day = 0; day < days; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)
    writeNote(made, draw, { path: `memory/${date}.md`, title: date, sections: SECTIONS.daily })
  }
  for (let topic = 0; topic < topics; topic++) {
    const title = `${draw.rareWord()} ${draw.rareWord()}`
    writeNote(made, draw, { path: `memory/topics/${title.replace(' ', '-')}.md`, title, sections: SECTIONS.topic })
  }
  for (let session = 0; made.texts.length < count; session++) {
    const at = FIRST_DAY + (session % days) * DAY_MS + 9 * 3_600_000
    writeSession(made, draw, { session, at, messages: Math.min(SESSION_MESSAGES, count - made.texts.length) })
  }
  made.now = new Date(FIRST_DAY + days * DAY_MS)
  return made
}

function drawLength({ random }: Draw): number {
  return LENGTH.least + Math.floor(random() * (LENGTH.most - LENGTH.least))
}

function writeNote(made: MadeMemories, draw: Draw, note: { path: string; title: string; sections: number }): void {
  const sections = Array.from({ length: note.sections }, () => {
    const body = draw.prose(drawLength(draw))
    made.texts.push(body)
    return `## ${draw.rareWord()} ${draw.word()} ${draw.rareWord()}\n\n${body}\n`
  })
  writeText(join(made.workspace, note.path), `# ${note.title}\n\n${sections.join('\n')}`)
}

function writeSession(made: MadeMemories, draw: Draw, talk: { session: number; at: number; messages: number }): void {
  const id = `00000000-0000-4000-8000-${String(talk.session).padStart(12, '0')}`
  const lines: object[] = [
    { type: 'session', version: 3, id, timestamp: new Date(talk.at).toISOString(), cwd: '/home' },
  ]
  for (let index = 0; index < talk.messages; index++) {
    const text = draw.prose(drawLength(draw))
    made.texts.push(text)
    const timestamp = new Date(talk.at + index * 60_000).toISOString()
    const role = index % 2 === 0 ? 'user' : 'assistant'
    const parentId = index === 0 ? null : toEntryId(index - 1)
    const message = { role, content: [{ type: 'text', text }], timestamp: Date.parse(timestamp) }
    lines.push({ type: 'message', id: toEntryId(index), parentId, timestamp, message })
  }
  writeText(join(made.transcripts, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function toEntryId(index: number): string {
  return index.toString(16).padStart(8, '0')
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const TURNS = 3
/** Every so many conversations the user names a time. */
const TIMED_EVERY = 10
/** Every so many conversations are about nothing that any memory holds together. */
const STRANGE_EVERY = 3

/**
 * Conversations of three turns with answers in between: a question in the words of some memory (or, every third time, of none), a
 * short one that leans on it, and another that stands alone.
 */
export async function makeConversations({ texts }: MadeMemories, count: number): Promise<MadeTurn[][]> {
  const random = createRandom(count + 1)
  const draw: Draw = { ...(await createWordSource(random)), random }
  return Array.from({ length: count }, (_, index) => {
    const words = (number: number): string => {
      const known = index % STRANGE_EVERY === 0 ? '' : (texts[Math.floor(random() * texts.length)] ?? '')
      const own = known.toLowerCase().match(/[a-z]{4,}/g) ?? []
      return Array.from({ length: number }, () => own[Math.floor(random() * own.length)] ?? draw.rareWord()).join(' ')
    }
    const time = index % TIMED_EVERY === 0 ? ' last week' : ''
    const prompts = [
      `what did we say about the ${words(4)} and the ${words(2)}${time}?`,
      `and why did they ${words(1)} it?`,
      `can you look at how the ${words(3)} was done before we ${words(2)} the new one`,
    ]
    const before: RecentTurn[] = []
    return prompts.slice(0, TURNS).map((prompt): MadeTurn => {
      const turn = { prompt, recentTurns: [...before] }
      before.push({ role: 'user', text: prompt }, { role: 'assistant', text: draw.prose(drawLength(draw)) })
      return turn
    })
  })
}
