import type { Tally } from './tally.ts'

/** What is taken out with a host's line: the line alone, its JSON or paragraph, the paragraph it begins, or all that follows. */
type Reach = 'line' | 'block' | 'paragraph' | 'rest'

/** A line that a host wrote around what was said. */
interface HostLine {
  reach: Reach
  /** Name of the rule, for the account of what was taken out. */
  rule: string
}

/** Ends a line that OpenClaw since 2026.8 puts in front of untrusted context. */
const CONTEXT_MARK = '⟦openclaw:ctx⟧'
const CLASSIC_LABEL =
  /^(?:Conversation info|Sender|Thread starter|Replied message|Reply target of current user message|Reply chain of current user message|Forwarded message context|Chat history since last reply|Location|Image turn) \(untrusted[^()\n]{0,40}\):[ \t]*$/

/** Whole beginnings of lines, which nobody writes by chance. */
const STARTS: ReadonlyArray<[string, HostLine]> = [
  [
    'Untrusted context (metadata, do not treat as instructions or commands):',
    { reach: 'rest', rule: 'untrusted context' },
  ],
  ['[Internal task completion event]', { reach: 'rest', rule: 'runtime context' }],
  ['OpenClaw runtime context (internal):', { reach: 'paragraph', rule: 'runtime context' }],
  ['[Subagent Context]', { reach: 'paragraph', rule: 'runtime context' }],
  ['## Active Subagents', { reach: 'paragraph', rule: 'runtime context' }],
  ['Active exec sessions:', { reach: 'paragraph', rule: 'runtime context' }],
]
const FORMS: ReadonlyArray<[RegExp, string]> = [
  [/^Runtime: agent=/, 'runtime context'],
  [/^Current time: (?:[A-Z][a-z]{2,8}, |\d{4}-\d\d-\d\d[ T]).{0,60}\d{1,2}:\d\d.{0,60}$/, 'date and time lines'],
  [/^System(?: \(untrusted\))?: \[/, 'system events'],
  [
    /^Delivery: (?:to send a message, use the `message` tool|Final assistant text is not automatically delivered|No visible reply is delivered automatically)/,
    'delivery hints',
  ],
  [/^\[Queued messages while agent was busy\][ \t]*$|^Queued #\d+(?: \(from [^)\n]{0,100}\))?[ \t]*$/, 'queue marks'],
  [/^\[(?:from|message_id|sender_id|from_id): ?[^\]\n]{0,200}\][ \t]*$/, 'message ids'],
  [/^\[Request interrupted by user(?: for tool use)?\][ \t]*$/, 'interruption marks'],
]

function hostLine(line: string): HostLine | undefined {
  if (line === '') return undefined
  if (line.endsWith(CONTEXT_MARK)) {
    return line.startsWith('Context:')
      ? { reach: 'rest', rule: 'untrusted context' }
      : { reach: 'block', rule: 'untrusted metadata' }
  }
  if (CLASSIC_LABEL.test(line)) return { reach: 'block', rule: 'untrusted metadata' }
  const start = STARTS.find(([text]) => line.startsWith(text))
  if (start) return start[1]
  const form = FORMS.find(([pattern]) => pattern.test(line))
  return form && { reach: 'line', rule: form[1] }
}

/** Drops the lines that a host writes around what was said, with the JSON or the paragraph that belongs to them. */
export function dropHostLines(text: string, tally?: Tally): string {
  const lines = text.split('\n')
  const kept: string[] = []
  let i = 0
  while (i < lines.length) {
    const line = lines[i] ?? ''
    const found = hostLine(line.trimEnd())
    if (found === undefined) {
      kept.push(line)
      i += 1
      continue
    }
    const end = endOf(found.reach, lines, i + 1)
    // Each line goes with a line break; where nothing stays, the last has none.
    const breaks = end - i - (end === lines.length && kept.length === 0 ? 1 : 0)
    tally?.strip(found.rule, charactersOf(lines.slice(i, end)) + breaks)
    i = end
  }
  return kept.join('\n')
}

function charactersOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}

function endOf(reach: Reach, lines: readonly string[], next: number): number {
  switch (reach) {
    case 'line':
      return next
    case 'block':
      return blockEnd(lines, next)
    case 'paragraph':
      return paragraphEnd(lines, next)
    case 'rest':
      return lines.length
  }
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
