import type { Role } from '../model/memory.ts'
import { MAX_TOOL_RESULT_CHARS } from '../options.ts'
import { cleanCharacters } from '../text/clean-characters.ts'
import { redactSecrets } from '../text/redact.ts'
import { condenseToolResult } from './condense-tool-result.ts'
import { unwrapExternalContent } from './external-content.ts'
import { isEmptyResult, isNoise } from './noise.ts'
import { HOST_TAGS, RECALL_TAGS, removeTaggedBlocks } from './remove-blocks.ts'
import { shortenBlobs } from './shorten-blobs.ts'
import { dropCutMarks, stripEnvelope } from './strip-envelope.ts'
import { cleanBy, type Tally } from './tally.ts'

const TOOL_MARKS = /<\/?tool_use_error>/g
const REMINDER_TAGS: readonly string[] = HOST_TAGS.filter((tag) => tag === 'system-reminder')
/** Notes to the host's own search, which it reads and does not show. */
const NOTE_ANNOTATION = /<!--[ \t]*(?:trigger|importance|project):[^\n>]{0,500}-->/gi

/**
 * The text of a turn as it is kept: envelope off, secrets redacted, blobs shortened, tool output within its cap. '' when nothing is
 * left: heartbeat and cron polls, acknowledgements, machinery. Capture, indexing and queries all go through here.
 */
export function cleanTurnText(text: string, role: Role, tally?: Tally): string {
  if (role === 'tool') return cleanToolResult(text, tally)
  if (isNoise(text)) return leaveOut(text, tally)
  const said = stripEnvelope(text, tally)
  if (isNoise(said)) return leaveOut(said, tally)
  return shorten(redact(said, tally), tally)
}

/** What a prompt asks, for building queries: '' when it asks nothing (polls, acknowledgements). */
export function cleanQueryText(text: string): string {
  return cleanTurnText(text, 'user')
}

/** The text of a note as it is kept, every line on its number: recalled blocks and annotations out, secrets redacted, blobs shortened. */
export function cleanNoteText(text: string, tally?: Tally): string {
  const note = cleanBy(tally, text, [
    ['recalled memory', (rest) => removeTaggedBlocks(rest, RECALL_TAGS, { keepLines: true })],
    ['annotations', (rest) => rest.replace(NOTE_ANNOTATION, '')],
  ])
  return cleanBy(tally, redact(note, tally), [['base64 and minified data', shortenBlobs]])
}

/**
 * Tool output is not talk: lines that look like an envelope may be the very thing that it shows. Only what a host or memory tool adds
 * to it goes. Secrets are redacted before the cut, so that none is cut in half and missed.
 */
function cleanToolResult(text: string, tally: Tally | undefined): string {
  const visible = cleanBy(tally, text, [
    ['control and hidden characters', cleanCharacters],
    ['recalled memory', (rest) => removeTaggedBlocks(rest, RECALL_TAGS)],
    ['host blocks', (rest) => removeTaggedBlocks(rest, REMINDER_TAGS)],
    ['marks of outside text', unwrapExternalContent],
    ['marks of tool output', (rest) => rest.replace(TOOL_MARKS, '')],
  ])
  if (isEmptyResult(visible)) return leaveOut(visible, tally)
  const whole = cleanBy(tally, visible, [['marks of cut text', dropCutMarks]])
  return cleanBy(tally, shorten(redact(whole, tally), tally), [
    ['tool output over its cap', (rest) => condenseToolResult(rest, MAX_TOOL_RESULT_CHARS)],
  ])
}

function redact(text: string, tally: Tally | undefined): string {
  const { text: safe } = redactSecrets(text)
  tally?.redact({ before: text, after: safe })
  return safe
}

function shorten(text: string, tally: Tally | undefined): string {
  return cleanBy(tally, text, [
    ['base64 and minified data', shortenBlobs],
    ['blank lines', (rest) => rest.trim()],
  ])
}

function leaveOut(text: string, tally: Tally | undefined): '' {
  tally?.skip('machinery: polls, acknowledgements, empty output', text.length)
  return ''
}
