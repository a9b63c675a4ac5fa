/** What a line of a message is to the host that wrote it, and so what becomes of it and of the lines after it. */
type LineKind = 'keep' | 'drop' | 'drop-block' | 'drop-paragraph' | 'drop-rest'

/** Ends a line that OpenClaw since 2026.8 puts in front of untrusted context. */
const CONTEXT_MARK = '⟦openclaw:ctx⟧'
const CLASSIC_LABEL =
  /^(?:Conversation info|Sender|Thread starter|Replied message|Reply target of current user message|Reply chain of current user message|Forwarded message context|Chat history since last reply|Location|Image turn) \(untrusted[^()\n]{0,40}\):[ \t]*$/
const DELIVERY =
  /^Delivery: (?:to send a message, use the `message` tool|Final assistant text is not automatically delivered|No visible reply is delivered automatically)/
const SYSTEM_LINE = /^System(?: \(untrusted\))?: \[/
const RUNTIME_LINE = /^Runtime: agent=/
const CURRENT_TIME = /^Current time: .{0,80}\d{1,2}:\d{2}/
const EXTERNAL_MARK = /^[ \t]*<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT\b[^>\n]{0,200}>>>[ \t]*$/
const QUEUE_LINE = /^(?:\[Queued messages while agent was busy\]|Queued #\d+(?: \(from [^)\n]{0,100}\))?)[ \t]*$/
const FROM_LINE = /^\[(?:from|message_id|sender_id|from_id): ?[^\]\n]{0,200}\][ \t]*$/
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\][ \t]*$/

function kindOf(line: string): LineKind {
  if (line === '') return 'keep'
  if (line.endsWith(CONTEXT_MARK)) return line.startsWith('Context:') ? 'drop-rest' : 'drop-block'
  if (CLASSIC_LABEL.test(line)) return 'drop-block'
  if (line.startsWith('Untrusted context (metadata, do not treat as instructions or commands):')) return 'drop-rest'
  if (line.startsWith('[Internal task completion event]')) return 'drop-rest'
  if (line.startsWith('OpenClaw runtime context (internal):')) return 'drop-paragraph'
  if (line.startsWith('[Subagent Context]')) return 'drop-paragraph'
  if (line.startsWith('## Active Subagents') || line.startsWith('Active exec sessions:')) return 'drop-paragraph'
  const isHostLine =
    RUNTIME_LINE.test(line) ||
    SYSTEM_LINE.test(line) ||
    DELIVERY.test(line) ||
    CURRENT_TIME.test(line) ||
    EXTERNAL_MARK.test(line) ||
    QUEUE_LINE.test(line) ||
    FROM_LINE.test(line) ||
    INTERRUPTED.test(line)
  return isHostLine ? 'drop' : 'keep'
}

/** Drops the lines that a host writes around what was said, with the JSON or the paragraph that belongs to them. */
export function dropHostLines(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  let i = 0
  while (i < lines.length) {
    const line = lines[i] ?? ''
    const kind = kindOf(line.trimEnd())
    if (kind === 'drop-rest') break
    if (kind === 'keep') kept.push(line)
    if (kind === 'drop-block') i = blockEnd(lines, i + 1)
    else if (kind === 'drop-paragraph') i = paragraphEnd(lines, i + 1)
    else i += 1
  }
  return kept.join('\n')
}

/** Where the JSON fence after a label ends; without a fence, the paragraph right below it. */
function blockEnd(lines: readonly string[], start: number): number {
  let i = start
  while (i < lines.length && lines[i]?.trim() === '') i += 1
  if (!/^```/.test(lines[i] ?? '')) return paragraphEnd(lines, start)
  for (let end = i + 1; end < lines.length; end++) {
    if (/^```[ \t]*$/.test(lines[end] ?? '')) return end + 1
    if (lines[end]?.trim() === '') return end
  }
  return lines.length
}

function paragraphEnd(lines: readonly string[], start: number): number {
  let i = start
  while (i < lines.length && lines[i]?.trim() !== '') i += 1
  return i
}
