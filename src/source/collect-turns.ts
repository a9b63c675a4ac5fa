import type { Turn } from '../model/document.ts'
import type { Role, Trust } from '../model/memory.ts'
import { countCovertCharacters } from '../normalize/clean-characters.ts'
import { cleanTurnText } from '../normalize/clean-text.ts'
import { hasExternalContent, readSender } from '../normalize/read-sender.ts'
import type { Tally } from '../normalize/tally.ts'
import { textCharacters } from './message-content.ts'

/** A message as a host wrote it. */
export interface RawTurn {
  /** Undefined where the host gives none: then session and line stand in. */
  id: string | undefined
  role: Role
  /** Who wrote it, where the host keeps the name beside the text. */
  senderName?: string
  tool?: string
  /** Text as written, envelope and all. */
  raw: string
  startLine: number
  endLine: number
  occurredAt: string | undefined
  trust: Trust
}

/** Gathers the turns of one file: cleans each, keeps each id once, counts what it leaves out. */
export interface TurnCollector {
  add(turn: RawTurn): void
  /** A message is left out; `content` is what it said. */
  omit(reason: string, content?: unknown): void
  /** A part of a message or record is not among its text: of interest to the tally alone. */
  leaveOut(reason: string, part: unknown, ofWhichKept?: number): void
  /** What was taken off a text before it was added, likewise. */
  strip(rule: string, characters: number): void
  /** A text is left out because a turn holds it already. */
  repeat(text: string): void
  /** Turns so far in the order of their lines; `sessionId` stands in the ids of those that have none. */
  take(sessionId: string): { turns: Turn[]; omitted: Record<string, number> }
}

/** Tools that read memory: their results repeat what is indexed already, and would grow with every look. */
const MEMORY_TOOL =
  /(?:^|_|\.)(?:memory_(?:search|get|recall|related|graph|retrieve|list|read)|recall_memor(?:y|ies)|search_memor(?:y|ies)|memory_recall)$/i

export function createTurnCollector(tally?: Tally): TurnCollector {
  const turns: Array<Turn & { hasId: boolean }> = []
  const ids = new Set<string>()
  const omitted: Record<string, number> = {}
  const omit = (reason: string, count = 1): void => {
    if (count > 0) omitted[reason] = (omitted[reason] ?? 0) + count
  }
  const repeat = (text: string): void => {
    omit('repeated messages')
    tally?.repeat(text.length)
  }
  return {
    omit(reason, content) {
      omit(reason)
      if (tally) tally.skip(reason, textCharacters(content))
    },
    leaveOut(reason, part, ofWhichKept = 0) {
      if (tally) tally.skip(reason, Math.max(0, textCharacters(part) - ofWhichKept))
    },
    strip: (rule, characters) => tally?.strip(rule, characters),
    repeat,
    add({ id, raw, occurredAt, senderName, tool, ...rest }) {
      if (raw.trim() === '') {
        tally?.strip('blank lines', raw.length)
        return omit('messages without text')
      }
      if (rest.role === 'tool' && tool && MEMORY_TOOL.test(tool)) {
        tally?.skip('results of memory tools', raw.length)
        return omit('results of memory tools')
      }
      if (id !== undefined && ids.has(id)) return repeat(raw)
      const text = cleanTurnText(raw, rest.role, tally)
      if (text === '') return omit('messages that hold only machinery')
      if (id !== undefined) ids.add(id)
      omit('secrets', countMarkers(text) - countMarkers(raw))
      omit('hidden characters', countCovertCharacters(raw))
      const speaker = senderName ?? (rest.role === 'user' ? readSender(raw) : undefined)
      turns.push({
        ...rest,
        id: id ?? '',
        hasId: id !== undefined,
        text,
        trust: rest.role === 'user' && hasExternalContent(raw) ? 'untrusted' : rest.trust,
        ...(speaker ? { speaker } : {}),
        ...(tool ? { tool } : {}),
        ...(occurredAt ? { occurredAt } : {}),
      })
    },
    take(sessionId) {
      return {
        turns: turns
          .sort((a, b) => a.startLine - b.startLine)
          .map(({ hasId, ...turn }) => (hasId ? turn : { ...turn, id: `${sessionId}#${turn.startLine}` })),
        omitted,
      }
    },
  }
}

function countMarkers(text: string): number {
  return text.split('[redacted:').length - 1
}
