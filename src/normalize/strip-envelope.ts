import { cleanCharacters } from '../text/clean-characters.ts'
import { dropHostLines } from './envelope-lines.ts'
import { unwrapExternalContent } from './external-content.ts'
import { HOST_TAGS, RECALL_TAGS, removeRuntimeBlocks, removeTaggedBlocks } from './remove-blocks.ts'
import { cleanBy, type Tally } from './tally.ts'

/** `[Tue 2026-05-12 09:40 CEST] ` in front of what was said. */
const TIME_PREFIX = /^\s{0,8}\[[A-Za-z]{3} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]{0,40}\][ \t]*/
/** `[Telegram Name id:123 +2m 2026-01-05 12:00 UTC] `: a known channel, then an id or a time in the same brackets. */
const CHANNEL_PREFIX =
  /^\s{0,8}\[(?:Telegram|WhatsApp|Discord|Slack|Signal|iMessage|BlueBubbles|Google Chat|GoogleChat|MS Teams|Teams|Matrix|Mattermost|LINE|Line|Zalo|Nostr|IRC|Feishu|Lark|WebChat|SMS|Email|Twitch|Nextcloud Talk|Tlon|WeChat|QQ)\b(?=[^\]\n]{0,200}(?:\bid:|\d:\d\d))[^\]\n]{0,200}\](?!\()[ \t]*/
/** A header that stands for the recalled block below it alone: without that block it would seem to speak of what the user says next. */
const RECALL_HEADER = new RegExp(
  `^(?:Context:(?: ⟦openclaw:ctx⟧)?|Untrusted context \\([^)\\n]{0,80}\\):)[ \\t]*\\n{1,2}(?=<(?:${RECALL_TAGS.join('|')})[ \\t>])`,
  'gim',
)
/** What others wrote since, in front of the message at hand, as older hosts mark both. */
const HISTORY_START =
  /^\s{0,8}(?:\[[A-Za-z]{3} \d{4}-\d{2}-\d{2}[^\]\n]{0,60}\][ \t]*)?\[Chat messages since your last reply - for context\]/
const HISTORY_END = /^\[(?:Current message - respond to this|Your current message)\][ \t]*\n?/m
/** A fence of bookkeeping in front of a message whose label is lost: two keys or more that only hosts write. */
const BARE_METADATA =
  /^\s{0,8}```json\n(?=(?:[^`]{0,4000}"(?:message_id|sender_id|from_id|chat_id|conversation_label)"){2})[^`]{0,8000}\n```[ \t]*(?:\n|$)/
/** What a user wrote behind a slash command. */
const COMMAND_ARGS = /<command-args>([^<]{0,20000})<\/command-args>/g
const SENTENCE = /(?:\p{L}{2,40}\s{1,8}){2}\p{L}{2}/u
const DIRECTIVE = /\[\[ ?(?:reply_to_current|reply_to:[^\]\n]{0,200}|audio_as_voice) ?\]\][ \t]?/g
const INLINE_ID = /\[(?:message_id|sender_id|from_id): ?[^\]\n]{0,200}\][ \t]?/g
/** Behind this line come messages of their own, each with its prefix. */
const QUEUED = /^\[Queued messages while agent was busy\]/m
const SUBAGENT_TASK = /^\[Subagent Task\]:? ?/gm
const LEADING_ACK = /^[\s*_`"'(]{0,8}(?:HEARTBEAT_OK|NO_REPLY)[*_`"')]{0,8}[ \t]*(?:$|[\n\-–—:.,!;])\s*/i
const TRAILING_ACK = /(?<=\n|[.!?)…] ?)[*_`"'(]{0,8}(?:HEARTBEAT_OK|NO_REPLY)[*_`"').,!]{0,8}$/i
/** The token stands at an end of the text: looking further would only cost time. */
const ACK_REACH = 200
const CUT_MARK =
  /(?:…|\.\.\.)? ?\[(?:truncated|output truncated|content truncated|compacted|tool result truncated|tool result compacted|old tool result content cleared|image data removed[^\]\n]{0,100})(?:[:;.,( —-][^\]\n$]{0,300})?\](?:…|\.\.\.)?|\(…?truncated…?\)|(?:…|\.\.\.)? ?\[(?:…|\.\.\.)? ?\d[\d,]{0,12} (?:more )?(?:characters|chars|lines|tokens|bytes) (?:truncated|omitted|in file)[^\]\n]{0,80}\](?: ?(?:…|\.\.\.))?/gi

/**
 * What was said, without what hosts and memory tools wrapped around it: recalled blocks (ours and others'), untrusted metadata with
 * its JSON, runtime and subagent context, time and channel prefixes, delivery hints, directives, reminders, cut marks,
 * acknowledgement tokens, terminal escapes and hidden characters. Linear in the text; idempotent on what people write.
 */
export function stripEnvelope(text: string, tally?: Tally): string {
  const message = cleanBy(tally, text, [
    ['control and hidden characters', cleanCharacters],
    ['slash commands', (rest) => rest.replace(COMMAND_ARGS, keepSentence)],
    ['recalled memory', dropRecalled],
    ['host blocks', (rest) => removeTaggedBlocks(rest, HOST_TAGS)],
    ['runtime context', removeRuntimeBlocks],
    ['chat history', dropHistory],
    ['untrusted metadata', (rest) => rest.replace(BARE_METADATA, '')],
    ['marks of outside text', unwrapExternalContent],
  ])
  const isQueue = QUEUED.test(message)
  const said = dropHostLines(message, tally)
  return cleanBy(tally, said, [
    ['time and channel prefixes', (rest) => (isQueue ? rest.split('\n').map(dropPrefixes).join('\n') : rest)],
    ['directives and ids', dropDirectives],
    ['time and channel prefixes', dropPrefixes],
    ['marks of cut text', dropCutMarks],
    ['blank lines', (rest) => tidyBlankLines(rest).trim()],
    ['acknowledgements', dropAcks],
  ])
}

function dropRecalled(text: string): string {
  return text.includes('<') ? removeTaggedBlocks(text.replace(RECALL_HEADER, ''), RECALL_TAGS) : text
}

function dropHistory(text: string): string {
  if (!HISTORY_START.test(text)) return text
  const end = HISTORY_END.exec(text)
  return end ? text.slice(end.index + end[0].length) : text.replace(HISTORY_START, '')
}

function dropDirectives(text: string): string {
  if (!text.includes('[')) return text
  return text.replace(DIRECTIVE, '').replace(INLINE_ID, '').replace(SUBAGENT_TASK, '')
}

/** Time and channel in front of a message; inside it, lines that look like them are somebody's log. */
function dropPrefixes(text: string): string {
  if (!text.includes('[')) return text
  for (;;) {
    const rest = text.replace(TIME_PREFIX, '').replace(CHANNEL_PREFIX, '')
    if (rest === text) return rest
    text = rest
  }
}

/** Flags and paths are machinery, a sentence is what somebody said. */
function keepSentence(_match: string, written: string): string {
  return SENTENCE.test(written) ? `\n${written}\n` : ''
}

function dropAcks(text: string): string {
  const start = text.slice(0, ACK_REACH)
  if (/heartbeat_ok|no_reply/i.test(start)) text = start.replace(LEADING_ACK, '') + text.slice(ACK_REACH)
  const end = text.slice(-ACK_REACH)
  if (/heartbeat_ok|no_reply/i.test(end)) text = text.slice(0, -ACK_REACH) + end.replace(TRAILING_ACK, '')
  return text.trim()
}

/** Removes the marks that say that a host shortened or cleared a text; what is left of the text stays. */
export function dropCutMarks(text: string): string {
  return /truncated|compacted|cleared|removed|omitted|in file/i.test(text) ? text.replace(CUT_MARK, '') : text
}

function tidyBlankLines(text: string): string {
  return text.includes('\n\n\n') || /[ \t]\n/.test(text)
    ? text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
    : text
}
