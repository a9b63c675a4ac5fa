import type { Chunk, TranscriptDocument, Turn } from '../model/document.ts'
import { CONTEXT_TAIL_CHARS, DEFAULT_IMPORTANCE, MAX_CHUNK_CHARS } from '../options.ts'
import type { ChunkTally } from './chunk-tally.ts'
import { cutText } from './cut-text.ts'
import { classifyText } from './memory-type.ts'
import { tailOf, toWellFormed } from './segment-text.ts'

const HAS_WORD = /[\p{L}\p{N}]/u

/**
 * One chunk a turn, in order; a turn over the cap becomes several, each with the turn's role, speaker, tool, session and
 * time. Turns without a letter or digit (emoji, punctuation) give none. What is embedded begins with the end of what was said
 * before, because a turn often means nothing without it. `contextBefore` is what contextAfter gave for the turns before those of
 * the document, where they are not all of it.
 */
export function chunkTranscript(document: TranscriptDocument, tally?: ChunkTally, contextBefore = ''): Chunk[] {
  const chunks: Chunk[] = []
  let before = contextBefore
  for (const turn of document.turns) {
    if (!HAS_WORD.test(turn.text)) {
      tally?.skip('nothing but signs', turn.text.length)
      continue
    }
    let rest = turn.text.length
    for (const text of piecesOf(turn.text)) {
      chunks.push(toChunk(document, turn, text, before))
      tally?.keep(text.length)
      rest -= text.length
    }
    tally?.strip('blank lines', rest)
    if (isTalk(turn)) before = contextOf(turn)
  }
  return chunks
}

/** What the turn after these ones is embedded with: the end of what was said before it. */
export function contextAfter(turns: readonly Turn[], contextBefore = ''): string {
  const last = turns.findLast((turn) => isTalk(turn) && HAS_WORD.test(turn.text))
  return last ? contextOf(last) : contextBefore
}

function isTalk({ role }: Turn): boolean {
  return role === 'user' || role === 'assistant'
}

function contextOf({ text }: Turn): string {
  return tailOf(toWellFormed(text), CONTEXT_TAIL_CHARS)
}

function piecesOf(turnText: string): string[] {
  const text = toWellFormed(turnText).trim()
  return cutText(text, () => MAX_CHUNK_CHARS)
    .map(({ from, to }) =>
      text
        .slice(from, to)
        .replace(/^(?:[^\S\n]*\n)+/, '')
        .trimEnd(),
    )
    .filter((piece) => piece.trim() !== '')
}

function embedTextOf(turn: Turn, text: string, before: string): string {
  if (turn.role === 'tool') return `${turn.tool ?? 'tool'}: ${text}`
  const said = `${turn.speaker ?? turn.role}: ${text}`
  return before === '' ? said : `${before}\n${said}`
}

function toChunk(document: TranscriptDocument, turn: Turn, text: string, before: string): Chunk {
  const occurredAt = turn.occurredAt ?? document.date
  const dateOrigin = turn.occurredAt === undefined ? document.dateOrigin : 'timestamp'
  return {
    text,
    headerPath: [],
    startLine: turn.startLine,
    endLine: turn.endLine,
    embedText: embedTextOf(turn, text, before),
    type: classifyText(turn.text, { isToolResult: turn.role === 'tool', otherwise: 'event' }),
    trust: turn.trust,
    importance: DEFAULT_IMPORTANCE,
    role: turn.role,
    sessionId: document.sessionId,
    turnId: turn.id,
    ...(turn.speaker !== undefined && { speaker: turn.speaker }),
    ...(turn.tool !== undefined && { tool: turn.tool }),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(occurredAt !== undefined && dateOrigin !== undefined && { dateOrigin }),
  }
}
