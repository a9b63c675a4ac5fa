import type { Turn } from '../model/document.ts'
import type { Role, Trust } from '../model/memory.ts'
import { cleanTurnText } from '../normalize/clean-text.ts'
import { hasExternalContent, readSender } from '../normalize/read-sender.ts'
import type { Tally } from '../normalize/tally.ts'
import { countCovertCharacters } from '../text/clean-characters.ts'
import { textCharacters } from './message-content.ts'
import { createRecentIds } from './recent-ids.ts'

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
  /** A turn of this id was read: what comes with the same id is a copy. False when it is one itself. */
  claim(id: string | undefined): boolean
  /**
   * Gives the turns that begin before a line, in the order of their lines, out of hand; `sessionId` stands in the ids of those
   * that have none.
   */
  take(sessionId: string, beforeLine?: number): Turn[]
  /** When the first turn that begins before a line was said; undefined where none tells. */
  firstInstant(beforeLine: number): string | undefined
  /** What was left out so far, by reason. */
  readonly omitted: Record<string, number>
  /** Turns in hand, and the characters of their texts. */
  held(): { turns: number; characters: number }
  /** Ids that were read lately, for the collector that goes on. */
  saveIds(): string
}

/** Tools that read memory: their results repeat what is indexed already, and would grow with every look. */
const MEMORY_TOOL =
  /(?:^|_|\.)(?:memory_(?:search|get|recall|related|graph|retrieve|list|read)|recall_memor(?:y|ies)|search_memor(?:y|ies)|memory_recall)$/i

/** `savedIds`: of the collector before it, where it goes on with a file. */
export function createTurnCollector(tally?: Tally, savedIds?: string): TurnCollector {
  let turns: Array<Turn & { hasId: boolean }> = []
  let characters = 0
  const ids = createRecentIds(savedIds)
  const claim = (id: string | undefined): boolean => id === undefined || ids.claim(id)
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
    claim,
    omitted,
    held: () => ({ turns: turns.length, characters }),
    saveIds: () => ids.save(),
    firstInstant(beforeLine) {
      const dated = turns.filter(({ startLine, occurredAt }) => startLine < beforeLine && occurredAt !== undefined)
      return dated.sort((a, b) => a.startLine - b.startLine)[0]?.occurredAt
    },
    add({ id, raw, occurredAt, senderName, tool, ...rest }) {
      if (!claim(id)) return repeat(raw)
      if (raw.trim() === '') {
        tally?.strip('blank lines', raw.length)
        return omit('messages without text')
      }
      if (rest.role === 'tool' && tool && MEMORY_TOOL.test(tool)) {
        tally?.skip('results of memory tools', raw.length)
        return omit('results of memory tools')
      }
      const text = cleanTurnText(raw, rest.role, tally)
      if (text === '') return omit('messages that hold only machinery')
      omit('secrets', countMarkers(text) - countMarkers(raw))
      omit('hidden characters', countCovertCharacters(raw))
      const speaker = senderName ?? (rest.role === 'user' ? readSender(raw) : undefined)
      characters += text.length
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
    take(sessionId, beforeLine = Number.POSITIVE_INFINITY) {
      const taken = turns.filter(({ startLine }) => startLine < beforeLine)
      turns = turns.filter(({ startLine }) => startLine >= beforeLine)
      for (const { text } of taken) characters -= text.length
      return taken
        .sort((a, b) => a.startLine - b.startLine)
        .map(({ hasId, ...turn }) => (hasId ? turn : { ...turn, id: `${sessionId}#${turn.startLine}` }))
    },
  }
}

function countMarkers(text: string): number {
  return text.split('[redacted:').length - 1
}
