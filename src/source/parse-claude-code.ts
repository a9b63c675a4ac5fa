import { MAX_OPEN_BYTES } from '../options.ts'
import { createTurnCollector, type RawTurn, type TurnCollector } from './collect-turns.ts'
import { createHeadFacts } from './head-facts.ts'
import { baseOf, joinAssistantRecords } from './join-assistant-records.ts'
import { blocksText, contentBlocks } from './message-content.ts'
import { isObject, type JsonObject, type TranscriptParser } from './transcript-format.ts'

/**
 * Transcripts of Claude Code. Records of one assistant message become one turn; tool results, which stand in user records, become
 * turns of their tool. Copies that a resumed session makes keep uuid and timestamp, and so the turn's id. `saved` is what the
 * parser before it saved, where this one goes on with a file.
 */
export function createClaudeCodeParser(
  turns: TurnCollector = createTurnCollector(),
  saved?: unknown,
): TranscriptParser {
  const state = isObject(saved) ? saved : {}
  const facts = createHeadFacts(state)
  const answers = joinAssistantRecords(turns, state)
  const close = (): void => answers.closeBefore(Number.POSITIVE_INFINITY)
  return {
    accept(record, line, offset = 0) {
      answers.closeBefore(offset - MAX_OPEN_BYTES)
      facts.note(record)
      if (record.type === 'attachment') {
        const queued = queuedPrompt(record)
        if (queued) turns.add({ ...baseOf(record, line), role: 'user', raw: queued, trust: 'owner' })
        turns.leaveOut('attachments', record.attachment, queued?.length)
        return
      }
      const reason = reasonToOmit(record)
      turns.leaveOut('details of tool results', record.toolUseResult)
      if (reason !== undefined) turns.omit(reason, contentOf(record))
      else if (record.type === 'assistant' && isObject(record.message)) {
        answers.accept(record, record.message, { line, offset })
      } else if (record.type === 'user' && isObject(record.message)) {
        const context = { line, turns, toolName: answers.toolName }
        for (const turn of readUserRecord(record, record.message, context)) turns.add(turn)
      } else turns.leaveOut('bookkeeping of the host', contentOf(record) ?? record.snapshot ?? record.data)
    },
    closeHead: () => facts.close(),
    facts: () => facts.get(),
    openSince: () => answers.openSince(),
    close,
    save: () => ({ ...facts.get(), ...answers.save() }),
    finish() {
      close()
      const { sessionId = '' } = facts.get()
      return { ...facts.get(), turns: turns.take(sessionId), omitted: turns.omitted }
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

/** What the user typed while the agent was busy: it is recorded as an attachment and nowhere else. */
function queuedPrompt(record: JsonObject): string | undefined {
  const attachment = record.attachment
  if (!isObject(attachment) || attachment.type !== 'queued_command') return undefined
  if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return undefined
  return blocksText(contentBlocks(attachment.prompt)) || undefined
}
