import type { Cue, CueKind } from '../../model/cue.ts'
import { ellipsize } from '../../model/cut-graphemes.ts'
import type { MemoryContent } from '../../model/memory.ts'
import { cleanCharacters } from '../clean-characters.ts'
import { MAX_CUE_CHARS, MAX_CUE_DAYS, MAX_CUES } from './cue-options.ts'
import {
  ANY,
  BY_DAY,
  DAY_BEFORE,
  DECIDED,
  DONE,
  FILLING,
  GOAL,
  GOAL_HEADING,
  GOOD,
  I_DID,
  INTENT,
  LOGGED,
  MUST,
  NEGATED,
  NOT_YET,
  ON_DAY,
  PAST,
  PROBLEM,
  QUESTION_HEADING,
  REMIND,
  SUPPOSED,
  TAKES_PLACE,
  TODO,
  UNKNOWN,
  WATCH,
} from './cue-words.ts'
import { type Due, mayNameDay, readDue, readDueClock, type SaidAt } from './due.ts'
import { isExampleHeading, readUnits, type TextUnit } from './read-units.ts'
import { RECURS, type Recurrence, readRecurrence } from './recurrence.ts'
import { findWhatSays, maySay, readSigns, says, signsOf } from './signs.ts'
import { subjectOf } from './subject.ts'
import { isOrderByTime, isTimedRoutine } from './timed-item.ts'

/** The part of a memory that cues are read from. */
export type CuedContent = Pick<MemoryContent, 'text' | 'headerPath' | 'role' | 'trust' | 'tier'>

/** Share of something, %, from which it is worth a word that it fills up. */
const FULL_SHARE = 80
/** Content words of a sentence that says what it is about. */
const MIN_SUBJECT = 2
/** Files in which a line without any verb is a rule that comes again. */
const STANDING = /(?:^|\/)(?:HEARTBEAT\.md|skills\/|runbooks?\/)/
const HEADED_DAY =
  /(?<![\p{L}])(?:today|tomorrow|heute|für morgen|aujourd['’]hui|demain|hoy|para mañana)(?![\p{L}])|今天|明天|今日|明日/iu
const QUESTION = /[?？]["'”’)]*$/
const REMEMBERED = /^remembered\//
/** Of what an agent says, of what says something by itself, and of what does so beside a day. */
const OF_AGENT = [DONE, DECIDED]
const TELLING = [
  ...[TODO, REMIND, DONE, I_DID, DECIDED, UNKNOWN, WATCH, PROBLEM, FILLING, GOOD, INTENT, GOAL],
  ...RECURS,
]
const DATED = [BY_DAY, DAY_BEFORE, TAKES_PLACE]
/** What tells of what is to come, besides the headings of goals. */
const AHEAD = [...DATED, ...RECURS, INTENT, GOAL]
/** What comes by a unit's form. */
const ITEM_OR_QUESTION = /[?？]|^[ \t]*(?:[-*+•]|\d)/m
const DAY_MS = 86_400_000

/**
 * What the lines of a memory say that matters between turns, in order. Precise rather than complete: code, quotes, tables and
 * examples say nothing, and what nobody vouches for (tool output) does neither. Days are those of the memory's own time. Pure;
 * linear in the length of the text.
 */
export function findCues(content: CuedContent, said: SaidAt & { path?: string }): Cue[] {
  if (content.trust === 'untrusted' || content.role === 'tool' || content.role === 'system') return []
  if (content.headerPath.some(isExampleHeading) || !maySayAny(content)) return []
  const units = readUnits(content.text)
  const context: Context = {
    said,
    isAgent: content.role === 'assistant',
    isTalk: content.role !== undefined,
    heading: content.headerPath.at(-1) ?? '',
    progress: progressOf(units),
    isStanding: STANDING.test(said.path ?? ''),
    isTimely: content.role !== undefined || content.tier === 'episodic' || REMEMBERED.test(said.path ?? ''),
    isProcedure: content.tier === 'procedural',
  }
  const cues: Cue[] = []
  for (const unit of units) {
    cues.push(...readUnit(unit, context))
    if (cues.length >= MAX_CUES) break
  }
  return cues.length > 0 && isTelling(content) ? withoutSettled(cues).slice(0, MAX_CUES) : []
}

/** A look at the words of the whole text, since most hold nothing; of what an agent says only outcomes and decisions count. */
function maySayAny({ text, role }: CuedContent): boolean {
  const signs = readSigns(text)
  if (role === 'assistant') return (signs & signsOf(OF_AGENT)) !== 0
  if ((signs & signsOf(TELLING)) !== 0 || ITEM_OR_QUESTION.test(text)) return true
  return (signs & signsOf(DATED)) !== 0 && mayNameDay(text)
}

/** Whether the lines of a text as they stand say anything: how a sentence within a paragraph begins is not enough. */
function isTelling({ text, role }: CuedContent): boolean {
  return role === 'assistant' ? OF_AGENT.some((expression) => expression.test(text)) : ANY.test(text)
}

interface Context {
  said: SaidAt
  isAgent: boolean
  /** A message: what it asks is answered in the next one. */
  isTalk: boolean
  heading: string
  progress: { done: number; total: number } | null
  isStanding: boolean
  /** It tells of a time: what it says is wrong, done or meant is so then. What holds for ever names such things as well. */
  isTimely: boolean
  isProcedure: boolean
}

function progressOf(units: readonly TextUnit[]): { done: number; total: number } | null {
  const boxes = units.filter(({ checkbox }) => checkbox !== undefined)
  const done = boxes.filter(({ checkbox }) => checkbox === 'done').length
  return boxes.length > 1 && done > 0 ? { done, total: boxes.length } : null
}

function readUnit(unit: TextUnit, context: Context): Cue[] {
  const { plain, checkbox } = unit
  if (checkbox === 'done') return [toCue('outcome', unit)]
  if (context.isAgent) return readOutcome(unit, context)
  const isTask = checkbox === 'open' || says(unit, TODO) || says(unit, REMIND)
  if (isTask) {
    const recurrence = readRecurrence(plain)
    if (recurrence) return [{ ...toCue('schedule', unit), ...recurrence }]
    const due =
      findDue(unit, context, true) ??
      findAppointedDay(plain, context) ??
      findAnyDay(plain, context) ??
      findHeadedDay(unit, context)
    const progress = checkbox === 'open' ? context.progress : null
    return [{ ...toCue('task', unit), ...due, ...(progress && { progress }) }]
  }
  const outcomes = context.isTimely ? readOutcome(unit, context) : []
  if (outcomes.length > 0) return outcomes
  return readPresent(unit, context)
}

/** What is so, or is to come. */
function readPresent(unit: TextUnit, context: Context): Cue[] {
  const { plain, under } = unit
  const isOpen = !says(unit, SUPPOSED)
  const isQuestion = QUESTION.test(plain)
  const heading = under === '' ? context.heading : under
  if (says(unit, UNKNOWN) || (isQuestion && !context.isTalk && QUESTION_HEADING.test(heading))) {
    return [toCue('question', unit)]
  }
  if (isQuestion) return []
  if (context.isTimely && says(unit, WATCH) && isOpen) return [{ ...toCue('monitor', unit), ...findDue(unit, context) }]
  if (context.isTimely && isProblem(unit, isOpen)) return [toCue('problem', unit)]
  const isGood = context.isTimely && isOpen && says(unit, GOOD) && !says(unit, NEGATED)
  const isGoalItem = unit.isItem && GOAL_HEADING.test(heading)
  const mayBeAhead = isGoalItem || AHEAD.some((expression) => maySay(unit.signs, expression))
  if (!mayBeAhead || PAST.test(plain)) return isGood ? [toCue('good_news', unit)] : []
  const recurrence = isOpen && (says(unit, NEGATED) ? null : readStandingRecurrence(unit, context))
  if (recurrence) return [{ ...toCue('schedule', unit), ...recurrence }]
  const due = isOpen ? findDue(unit, context) : null
  if (due) return [{ ...toCue(context.isTimely && says(unit, INTENT) ? 'plan' : 'deadline', unit), ...due }]
  const isMeant = context.isTimely && says(unit, INTENT)
  const mayTakePlace = (isMeant || says(unit, TAKES_PLACE)) && isOpen && !says(unit, NEGATED)
  const day = mayTakePlace ? findAppointedDay(plain, context) : null
  if (day) return [{ ...toCue(isMeant ? 'plan' : 'appointment', unit), ...day }]
  if (isMeant && isOpen) return [toCue('plan', unit)]
  if (context.isProcedure) return []
  if (says(unit, GOAL) || (isGoalItem && !says(unit, GOOD))) {
    return [toCue('goal', unit)]
  }
  return isGood ? [toCue('good_news', unit)] : []
}

function readOutcome(unit: TextUnit, { isAgent }: Context): Cue[] {
  const { plain, isItem } = unit
  if (QUESTION.test(plain) || says(unit, SUPPOSED)) return []
  const found =
    findWhatSays(unit, DONE) ?? (isAgent ? null : (findWhatSays(unit, I_DID) ?? (isItem ? LOGGED.exec(plain) : null)))
  if (found && !isPending(plain, found.index)) return [toCue(says(unit, GOOD) ? 'good_news' : 'outcome', unit)]
  return says(unit, DECIDED) && !says(unit, NEGATED) ? [toCue('decision', unit)] : []
}

/** Whether a word of completion stands behind one that takes it back: "not yet fixed", "until it is done". */
function isPending(plain: string, at: number): boolean {
  const clause =
    plain
      .slice(Math.max(0, at - 30), at)
      .split(/[,;:.]/)
      .at(-1) ?? ''
  return NOT_YET.test(clause) || /(?:^|\s)(?:the|an?|with)\s$/i.test(clause)
}

function isProblem(unit: TextUnit, isOpen: boolean): boolean {
  if (!isOpen) return false
  const { plain } = unit
  const share = Number(findWhatSays(unit, FILLING)?.groups?.share?.replace(',', '.') ?? 0)
  if (share >= FULL_SHARE && !says(unit, SUPPOSED) && !PAST.test(plain)) return true
  const found = findWhatSays(unit, PROBLEM)
  if (!found || PAST.test(plain)) return false
  const before = plain.slice(Math.max(0, found.index - 24), found.index)
  return !NEGATED.test(before)
}

/** In prose only what a line begins with, the plural of a day with a time, or an item that names a routine: "the old one ran every morning" is a story. */
function readStandingRecurrence(unit: TextUnit, { isStanding }: Context): Recurrence | null {
  const { plain, signs } = unit
  if (!RECURS.some((expression) => maySay(signs, expression))) return null
  const begins =
    /^\W*(?:every|each|once an?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|runs?|cron|jeden|jede|tous les|toutes les|chaque|cada|todos los|每|毎)/i.test(
      plain,
    )
  const isTimed = /\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days at \d/i.test(plain)
  if (!begins && !isTimed && !isStanding && !isTimedRoutine(unit) && !/\bcron[:=]/i.test(plain)) return null
  const recurrence = readRecurrence(plain)
  // What happens every day is a habit of machines and people; only a time that is given makes it something to come.
  return recurrence?.cron.startsWith('0 0 * * *') ? null : recurrence
}

/** `isTask`: it is to be done, so that a time alone is the time by which; else it may be when something is usually over. */
function findDue(unit: TextUnit, { said }: Context, isTask = MUST.test(unit.plain) || isOrderByTime(unit)): Due | null {
  const { plain, signs } = unit
  if (maySay(signs, BY_DAY) && mayNameDay(plain)) {
    for (const { index, 0: marker } of plain.matchAll(BY_DAY)) {
      const from = index + marker.length
      const due = readDue(plain, from, said) ?? (isTask ? readDueClock(plain, from, said) : null)
      if (due && isNear(due, said)) return due
    }
  }
  const before = maySay(signs, DAY_BEFORE) ? DAY_BEFORE.exec(plain) : null
  if (!before) return null
  const due = readDue(plain, Math.max(0, before.index - 12), said)
  return due && isNear(due, said) ? due : null
}

function findAppointedDay(plain: string, { said }: Context): Due | null {
  for (const { index, 0: marker } of plain.matchAll(ON_DAY)) {
    const from = /^(?:tomorrow|morgen|demain|mañana|next)/i.test(marker) ? index : index + marker.length
    const due = readDue(plain, from, said, { isEvent: true })
    if (due && isNear(due, said)) return due
  }
  return null
}

/** What stands under "For tomorrow" is for that day. */
function findHeadedDay({ under }: TextUnit, { said, heading }: Context): Due | null {
  const over = under === '' ? heading : under
  return HEADED_DAY.test(over) ? readDue(over, 0, said, { reach: 2 * over.length, isEvent: true }) : null
}

/** Of an open item any day that it names is the day by which it wants to be done. */
function findAnyDay(plain: string, { said }: Context): Due | null {
  if (/\bwithin\b/i.test(plain)) return null
  const due = readDue(plain, 0, said, { reach: 2 * plain.length, isEvent: true })
  return due && isNear(due, said) ? due : null
}

/** A day that is many months away is a fact about the future, not something to be reminded of from this text. */
function isNear({ dueAt }: Due, { at }: SaidAt): boolean {
  return at === undefined || Math.abs(Date.parse(dueAt) - at.getTime()) <= MAX_CUE_DAYS * DAY_MS
}

/** Without the problems that a later line of the same text reports to be over. */
function withoutSettled(cues: readonly Cue[]): Cue[] {
  return cues.filter((cue, at) => {
    if (cue.kind !== 'problem') return true
    const next = cues[at + 1]
    return next?.kind !== 'outcome' && next?.kind !== 'good_news'
  })
}

function toCue(kind: CueKind, { text, before }: TextUnit): Cue {
  const subject = subjectOf(text)
  // "Not found yet." means nothing without the sentence before it.
  const isBare = before !== undefined && subject.length < MIN_SUBJECT
  const line = clean(isBare ? `${before} ${text}` : text)
  const cut = ellipsize(line, MAX_CUE_CHARS)
  return { kind, text: cut, subject: isBare ? subjectOf(line) : subject }
}

/** One line without control characters and what reorders or hides text. */
function clean(text: string): string {
  return cleanCharacters(text).replace(/\s+/g, ' ').trim()
}
