import type { NotedCue } from '../../model/cue.ts'
import { ellipsize } from '../../model/cut-graphemes.ts'
import type { Signal, SignalKind, Urgency } from '../../model/heartbeat.ts'
import { cleanCharacters } from '../../normalize/index.ts'
import { findDates } from '../../text/dates.ts'
import { sha256 } from '../../text/hash.ts'
import { SUMMARY_CHARS, URGENCY_WEIGHTS } from '../heartbeat-options.ts'

/** Content words from which a line says what it is about. */
const MIN_SUBJECT = 2
/** Shorter lines are shown with the heading above them. */
const SHORT_TERMS = 4
const SIGNATURE_DIGITS = 20

/**
 * What a signal is about, the same while it is the same thing: the kind and what the line is about. Another number, time or place in the
 * line, or another memory with the same line, changes nothing. `occasion` tells apart what comes again.
 */
export function signatureOf(kind: SignalKind, about: Pick<NotedCue, 'subject' | 'memoryId'>, occasion = ''): string {
  const topic = about.subject.length >= MIN_SUBJECT ? about.subject.join(' ') : about.memoryId
  return `${kind}:${sha256([kind, topic, occasion].join('\0')).slice(0, SIGNATURE_DIGITS)}`
}

/** A signal about a line that was noted. */
export function toSignal(
  kind: SignalKind,
  cue: NotedCue,
  more: { urgency: Urgency; note?: string; occasion?: string; dueAt?: string; memoryIds?: readonly string[] } & Pick<
    Signal,
    'progress' | 'isAllDay'
  >,
): Signal {
  const { urgency, note, occasion, dueAt, memoryIds = [], progress, isAllDay } = more
  return {
    kind,
    urgency,
    signature: signatureOf(kind, cue, occasion),
    summary: toSummary(cue, note),
    memoryIds: [...new Set([cue.memoryId, ...memoryIds])],
    weight: URGENCY_WEIGHTS[urgency],
    topic: cue.text,
    ...(dueAt !== undefined && { dueAt }),
    ...(isAllDay && { isAllDay }),
    ...(progress !== undefined && { progress }),
  }
}

/** One line: the heading where the line alone says little, the line, and a note in brackets. */
export function toSummary(cue: Pick<NotedCue, 'text' | 'heading' | 'subject'>, note?: string): string {
  const { heading } = cue
  const isShort = cue.subject.length < SHORT_TERMS
  const above = isShort && heading !== undefined && !isDay(heading) && !cue.text.includes(heading) ? `${heading}: ` : ''
  return toLine(`${above}${cue.text}`, note)
}

/** A text as one line, cut, with a note in brackets behind it. */
export function toLine(text: string, note?: string): string {
  const behind = note === undefined ? '' : ` (${note})`
  const line = cleanCharacters(text).replace(/\s+/g, ' ').trim()
  return ellipsize(line, SUMMARY_CHARS - behind.length) + behind
}

/** "Monday 13 July 2026" over a daily note says nothing about its lines. */
function isDay(heading: string): boolean {
  return findDates(heading).length > 0 && heading.length < 40
}
