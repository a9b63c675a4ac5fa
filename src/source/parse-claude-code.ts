import type { Tally } from '../normalize/tally.ts'
import { createTurnCollector, type RawTurn, type TurnCollector } from './collect-turns.ts'
import { blocksText, contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, type TranscriptParser, textField } from './transcript-format.ts'

/**
 * Transcripts of Claude Code. Records of one assistant message become one turn; tool results, which stand in user records, become
 * turns of their tool. Copies that a resumed session makes keep uuid and timestamp, and so the turn's id.
 */
export function createClaudeCodeParser(tally?: Tally): TranscriptParser {
  const turns = createTurnCollector(tally)
  const answers = joinAssistantRecords(turns)
  let sessionId: string | undefined
  let cwd: string | undefined
  return {
    accept(record, line) {
      sessionId ??= textField(record.sessionId)
      cwd ??= textField(record.cwd)
      if (record.type === 'attachment') {
        const queued = queuedPrompt(record)
        if (queued) turns.add({ ...baseOf(record, line), role: 'user', raw: queued, trust: 'owner' })
        turns.leaveOut('attachments', record.attachment, queued?.length)
        return
      }
      const reason = reasonToOmit(record)
      turns.leaveOut('details of tool results', record.toolUseResult)
      if (reason !== undefined) turns.omit(reason, contentOf(record))
      else if (record.type === 'assistant' && isObject(record.message)) answers.accept(record, record.message, line)
      else if (record.type === 'user' && isObject(record.message)) {
        const context = { line, turns, toolName: answers.toolName }
        for (const turn of readUserRecord(record, record.message, context)) turns.add(turn)
      } else turns.leaveOut('bookkeeping of the host', contentOf(record) ?? record.snapshot ?? record.data)
    },
    finish() {
      answers.finish()
      return { ...turns.take(sessionId ?? ''), ...(sessionId ? { sessionId } : {}), ...(cwd ? { cwd } : {}) }
    },
  }
}

/** Why a record is no turn; undefined for turns, and for bookkeeping, of which nothing is lost. */
function reasonToOmit(record: JsonObject): string | undefined {
  if (record.type === 'summary' || record.isCompactSummary === true) return 'summaries of earlier turns'
  if (record.type === 'system') return 'messages of the host'
  if (record.type !== 'user' && record.type !== 'assistant') return undefined
  if (record.isMeta === true || record.isApiErrorMessage === true) return 'messages of the host'
  if (!isObject(record.message)) return 'messages without text'
  // What the host says in the model's place when the service fails.
  return record.message.model === '<synthetic>' ? 'messages of the host' : undefined
}

/** Where a record keeps what it says, whatever its kind. */
function contentOf(record: JsonObject): unknown {
  return isObject(record.message) ? record.message.content : (record.content ?? record.summary)
}

/** An assistant message that is still coming in: the host writes its blocks as records of their own. */
interface OpenMessage {
  turn: RawTurn
  parts: string[]
  seen: Set<string>
}

/** Messages that may be coming in at once (agents work side by side); an older one is taken as complete. */
const MAX_OPEN_MESSAGES = 32

function joinAssistantRecords(turns: TurnCollector): {
  accept(record: JsonObject, message: JsonObject, line: number): void
  toolName(callId: unknown): string
  finish(): void
} {
  const open = new Map<string, OpenMessage>()
  const toolNames = new Map<string, string>()
  const closeUntil = (size: number): void => {
    for (const [key, { turn, parts }] of open) {
      if (open.size <= size) return
      open.delete(key)
      turns.add({ ...turn, raw: parts.join('\n') })
    }
  }
  return {
    accept(record, message, line) {
      const key = textField(message.id) ?? `line ${line}`
      const entry = open.get(key) ?? {
        turn: { ...baseOf(record, line), role: 'assistant', raw: '', trust: 'agent' },
        parts: [],
        seen: new Set(),
      }
      open.set(key, entry)
      entry.turn.endLine = line
      for (const block of contentBlocks(message.content)) {
        const call = block.type === 'tool_use' ? textField(block.id) : undefined
        if (call) toolNames.set(call, textField(block.name) ?? 'unknown')
        const part = assistantPart(block, turns)
        if (part === '') continue
        if (entry.seen.has(part)) {
          turns.leaveOut('repeated parts of a message', part)
          continue
        }
        entry.seen.add(part)
        entry.parts.push(part)
      }
      closeUntil(MAX_OPEN_MESSAGES)
    },
    toolName: (callId) => toolNames.get(textField(callId) ?? '') ?? 'unknown',
    finish: () => closeUntil(0),
  }
}

function assistantPart(block: JsonObject, turns: TurnCollector): string {
  if (block.type === 'text') {
    const text = textField(block.text) ?? ''
    turns.strip('blank lines', text.length - text.trim().length)
    return text.trim()
  }
  if (block.type === 'tool_use') {
    const line = describeCall(textField(block.name) ?? 'unknown', block.input)
    turns.leaveOut('arguments of tool calls', block.input, line.length)
    return line
  }
  if (block.type === 'thinking') turns.leaveOut('thinking', block.thinking)
  return ''
}

const REFUSAL =
  /^The user doesn't want to (?:proceed with|take) this (?:tool use|action)[^\n]*?(?:the user said:\n([\s\S]*))?$/
/** A command that the user ran in the shell of the host, and what it printed: records of the user, but output like any other. */
const SHELL_COMMAND = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/
const SHELL_OUTPUT = /^\s*<bash-stdout>([\s\S]*?)<\/bash-stdout>\s*(?:<bash-stderr>([\s\S]*?)<\/bash-stderr>)?\s*$/
const NUMBERED_LINE = /^ {0,8}\d{1,7}(?:→|\t)/

/** The numbers that reading tools put before each line are no part of the file. */
function dropLineNumbers(text: string): string {
  return NUMBERED_LINE.test(text) && text.includes('→')
    ? text
        .split('\n')
        .map((line) => line.replace(NUMBERED_LINE, ''))
        .join('\n')
    : text
}

/** A user record holds what the user said, results of tools, or both. */
function readUserRecord(
  record: JsonObject,
  message: JsonObject,
  { line, turns, toolName }: { line: number; turns: TurnCollector; toolName: (callId: unknown) => string },
): RawTurn[] {
  const base = baseOf(record, line)
  const blocks = contentBlocks(message.content)
  const results = blocks.filter((block) => block.type === 'tool_result')
  const found = results.map((block, index): RawTurn => {
    const id = base.id && index > 0 ? `${base.id}:${index}` : base.id
    const parts = contentBlocks(block.content)
    turns.leaveOut(
      'images',
      parts.filter(({ type }) => type === 'image').map(({ source }) => source),
    )
    const whole = blocksText(parts)
    const answer = whole.trimEnd()
    turns.strip('blank lines', whole.length - answer.length)
    const refusal = REFUSAL.exec(answer)
    // A refused call gave nothing; the words with which it was refused are the user's.
    if (refusal) {
      const raw = refusal[1] ?? ''
      turns.strip('notices of refused calls', answer.length - raw.length)
      return { ...base, id, role: 'user', raw, trust: 'owner' }
    }
    const raw = dropLineNumbers(answer)
    turns.strip('line numbers of reading tools', answer.length - raw.length)
    return { ...base, id, role: 'tool', tool: toolName(block.tool_use_id), raw, trust: 'untrusted' }
  })
  turns.leaveOut(
    'images',
    blocks.filter(({ type }) => type === 'image').map(({ source }) => source),
  )
  const said = blocksText(blocks)
  if (said === '' && found.length > 0) return found
  const id = base.id && found.length > 0 ? `${base.id}:said` : base.id
  const shell = readShell(said)
  if (shell !== undefined) {
    turns.strip('marks of tool output', said.length - shell.length)
    return [...found, { ...base, id, role: 'tool', tool: 'bash', raw: shell, trust: 'untrusted' }]
  }
  // In a side chain the agent itself is the one who asks.
  return [...found, { ...base, id, role: 'user', raw: said, trust: record.isSidechain === true ? 'agent' : 'owner' }]
}

function readShell(said: string): string | undefined {
  const command = SHELL_COMMAND.exec(said)
  if (command) return `$ ${(command[1] ?? '').trim()}`
  const output = SHELL_OUTPUT.exec(said)
  return output
    ? [output[1], output[2]].filter((part) => part !== undefined && part.trim() !== '').join('\n')
    : undefined
}

function baseOf(record: JsonObject, line: number): Pick<RawTurn, 'id' | 'startLine' | 'endLine' | 'occurredAt'> {
  const uuid = textField(record.uuid)
  const id = uuid ? `${uuid}@${textField(record.timestamp) ?? ''}` : undefined
  return { id, startLine: line, endLine: line, occurredAt: instantOf(record.timestamp) }
}

/** What the user typed while the agent was busy: it is recorded as an attachment and nowhere else. */
function queuedPrompt(record: JsonObject): string | undefined {
  const attachment = record.attachment
  if (!isObject(attachment) || attachment.type !== 'queued_command') return undefined
  if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return undefined
  return blocksText(contentBlocks(attachment.prompt)) || undefined
}
