import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../src/text/hash.ts'
import { type BenchMessage, groupSessions, type Haystack } from './haystack.ts'

/** A haystack on disk, as an agent would have left it: one transcript a session and one message a line, or a note for each message. */
export interface HaystackFiles {
  form: 'transcripts' | 'notes'
  directory: string
  /** The message that stands on a line of a file. `path` is as results give it. */
  messageAt(path: string, line: number): BenchMessage
}

/** The session's own line comes first, so the message with index i stands on physical line i + 2. */
const FIRST_MESSAGE_LINE = 2

/** Writes the haystack under `root`. */
export function writeHaystack(haystack: Haystack, root: string): HaystackFiles {
  return haystack.form === 'notes' ? writeNotes(haystack, root) : writeTranscripts(haystack, root)
}

/** One Markdown file a message, its title as heading. File names are opaque and undated. */
function writeNotes(haystack: Haystack, root: string): HaystackFiles {
  const directory = join(root, 'workspace')
  mkdirSync(join(directory, 'memory'), { recursive: true })
  const messages = new Map<string, BenchMessage>()
  for (const message of haystack.messages) {
    const path = `memory/${shortHash(haystack.id, message.id).slice(0, 16)}.md`
    if (messages.has(path)) throw new Error(`Two notes of ${haystack.id} would share the file ${path}`)
    messages.set(path, message)
    writeFileSync(join(directory, path), `${message.title ? `# ${message.title}\n\n` : ''}${message.text}\n`)
  }
  return {
    form: 'notes',
    directory,
    messageAt(path) {
      const message = messages.get(path)
      if (!message) throw new Error(`No note of ${haystack.id} stands at ${path}`)
      return message
    },
  }
}

/**
 * Writes the haystack under `root` in the shape of OpenClaw's transcripts (pi, version 3). File names and ids are
 * opaque: some published session ids give the answer away.
 */
function writeTranscripts(haystack: Haystack, root: string): HaystackFiles {
  const directory = join(root, 'agents', 'main', 'sessions')
  mkdirSync(directory, { recursive: true })
  const sessionsByFile = new Map<string, BenchMessage[]>()
  for (const [session, messages] of groupSessions(haystack.messages)) {
    const id = toUuid(shortHash(haystack.id, session) + shortHash(session, haystack.id))
    const file = `${id}.jsonl`
    if (sessionsByFile.has(file)) throw new Error(`Two sessions of ${haystack.id} would share the file ${file}`)
    sessionsByFile.set(file, messages)
    const lines = [
      sessionLine(id, messages),
      ...messages.map((message, index) => messageLine(id, messages, message, index)),
    ]
    writeFileSync(join(directory, file), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  }
  return {
    form: 'transcripts',
    directory,
    messageAt(path, line) {
      const message = sessionsByFile.get(path.replace(/^sessions\//, ''))?.[line - FIRST_MESSAGE_LINE]
      if (!message) throw new Error(`No message of ${haystack.id} stands at ${path}:${line}`)
      return message
    },
  }
}

function sessionLine(id: string, messages: readonly BenchMessage[]): object {
  return { type: 'session', version: 3, id, timestamp: messages[0]?.occurredAt, cwd: '/home/user/project' }
}

function messageLine(session: string, messages: readonly BenchMessage[], message: BenchMessage, index: number): object {
  const previous = messages[index - 1]
  return {
    type: 'message',
    id: entryId(session, index),
    parentId: previous ? entryId(session, index - 1) : null,
    timestamp: message.occurredAt,
    message: {
      role: message.role,
      content: [{ type: 'text', text: message.text }],
      timestamp: Date.parse(message.occurredAt),
      ...(message.speaker === undefined ? {} : { senderName: message.speaker }),
    },
  }
}

function entryId(session: string, index: number): string {
  return shortHash(session, String(index)).slice(0, 8)
}

function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
