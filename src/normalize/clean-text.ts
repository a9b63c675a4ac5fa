import type { Role } from '../model/memory.ts'
import { MAX_TOOL_RESULT_CHARS } from '../options.ts'
import { redactSecrets } from '../text/redact.ts'
import { cleanCharacters } from './clean-characters.ts'
import { condenseToolResult } from './condense-tool-result.ts'
import { isEmptyResult, isNoise } from './noise.ts'
import { HOST_TAGS, RECALL_TAGS, removeTaggedBlocks } from './remove-blocks.ts'
import { shortenBlobs } from './shorten-blobs.ts'
import { dropCutMarks, stripEnvelope } from './strip-envelope.ts'

const TOOL_MARKS = /<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT\b[^>\n]{0,200}>>>|<\/?tool_use_error>/g
const TOOL_TAGS: readonly string[] = [...RECALL_TAGS, ...HOST_TAGS.filter((tag) => tag === 'system-reminder')]

/**
 * The text of a turn as it is kept: envelope off, secrets redacted, blobs shortened, tool output within its cap. '' when nothing is
 * left: heartbeat and cron polls, acknowledgements, machinery.
 */
export function cleanTurnText(text: string, role: Role): string {
  if (role === 'tool') return cleanToolResult(text)
  if (isNoise(text)) return ''
  const said = stripEnvelope(text)
  if (isNoise(said)) return ''
  return shortenBlobs(redactSecrets(said).text).trim()
}

/**
 * Tool output is not talk: lines that look like an envelope may be the very thing that it shows. Only what a host or memory tool adds
 * to it goes. Secrets are redacted before the cut, so that none is cut in half and missed.
 */
function cleanToolResult(text: string): string {
  const visible = removeTaggedBlocks(cleanCharacters(text), TOOL_TAGS).replace(TOOL_MARKS, '')
  if (isEmptyResult(visible)) return ''
  const short = shortenBlobs(redactSecrets(dropCutMarks(visible)).text).trim()
  return condenseToolResult(short, MAX_TOOL_RESULT_CHARS)
}

/** What a prompt asks, for building queries: '' when it asks nothing (polls, acknowledgements). */
export function cleanQueryText(text: string): string {
  return cleanTurnText(text, 'user')
}
