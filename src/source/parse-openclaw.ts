import type { Trust } from '../model/memory.ts'
import { createTurnCollector, type RawTurn } from './collect-turns.ts'
import { blocksText, contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, type TranscriptParser, textField } from './transcript-format.ts'

/** What an entry says: a turn, the result of a call within a call, or why it is left out. */
type Said = { turn: RawTurn; call?: string } | { nested: RawTurn; parent: string | undefined } | { omit: string }

const EXTENSION: Said = { omit: 'messages of extensions' }

/**
 * Transcripts of OpenClaw and of the pi agent under it: a header, then entries that form a tree. Every entry is taken once, those on
 * abandoned branches too: they were said. Summaries are left out, since the turns that they summarise are there.
 */
export function createOpenClawParser(): TranscriptParser {
  const turns = createTurnCollector()
  const nested: Array<{ parent: string | undefined; turn: RawTurn }> = []
  /** What the calls that nested results belong to answered; undefined while the answer is still to come. */
  const answers = new Map<string, string | undefined>()
  let sessionId: string | undefined
  let cwd: string | undefined

  const acceptSaid = (said: Said): void => {
    if ('omit' in said) turns.omit(said.omit)
    else if ('nested' in said) {
      if (said.parent) answers.set(said.parent, answers.get(said.parent))
      nested.push({ parent: said.parent, turn: said.nested })
    } else {
      if (said.call && answers.has(said.call)) answers.set(said.call, said.turn.raw)
      turns.add(said.turn)
    }
  }

  return {
    accept(entry, line) {
      if (entry.type === 'session') {
        sessionId ??= textField(entry.id)
        cwd ??= textField(entry.cwd)
      } else if (entry.type === 'message' && isObject(entry.message)) {
        acceptSaid(readMessage(entry, entry.message, line))
      } else if (entry.type === 'compaction' || entry.type === 'branch_summary') {
        turns.omit('summaries of earlier turns')
      } else if (entry.type === 'custom_message') acceptSaid(EXTENSION)
    },
    finish() {
      for (const { parent, turn } of nested) {
        const answer = parent === undefined ? undefined : answers.get(parent)
        if (answer?.includes(turn.raw)) turns.omit('repeated messages')
        else turns.add(turn)
      }
      return { ...turns.take(sessionId ?? ''), ...(sessionId ? { sessionId } : {}), ...(cwd ? { cwd } : {}) }
    },
  }
}

function readMessage(entry: JsonObject, message: JsonObject, line: number): Said {
  const id = textField(entry.id)
  const senderName = textField(message.senderName)
  const base = {
    id: id ? `${id}@${textField(entry.timestamp) ?? ''}` : undefined,
    startLine: line,
    endLine: line,
    occurredAt: instantOf(entry.timestamp, message.timestamp),
    ...(senderName ? { senderName } : {}),
  }
  switch (message.role) {
    case 'user': {
      if (isOfTheHost(message)) return { omit: 'heartbeat and system messages' }
      const raw = blocksText(contentBlocks(message.content))
      return { turn: { ...base, role: 'user', raw, trust: userTrust(message) } }
    }
    case 'assistant':
      return { turn: { ...base, role: 'assistant', raw: assistantText(message), trust: 'agent' } }
    case 'toolResult': {
      const { tool, text } = unwrapResult(message)
      const call = textField(message.toolCallId)
      return { turn: { ...base, role: 'tool', tool, raw: text, trust: 'untrusted' }, ...(call ? { call } : {}) }
    }
    case 'bashExecution':
      return { turn: { ...base, role: 'tool', tool: 'bash', raw: bashText(message), trust: 'untrusted' } }
    case 'custom': {
      const result = nestedResult(message)
      if (!result) return EXTENSION
      const { parent, tool, raw } = result
      return { nested: { ...base, role: 'tool', tool, raw, trust: 'untrusted' }, parent }
    }
    default:
      return EXTENSION
  }
}

/** Written by the host in the user's place: a heartbeat poll or a notice. */
function isOfTheHost(message: JsonObject): boolean {
  const origin = message.provenance
  if (!isObject(origin)) return false
  return origin.sourceTool === 'heartbeat' || origin.kind === 'internal_system'
}

/** Not everyone who writes in a group is the owner, and another session of the agent is the agent. */
function userTrust(message: JsonObject): Trust {
  const mark = message.__openclaw
  if (isObject(mark) && mark.senderIsOwner === false) return 'untrusted'
  const origin = message.provenance
  return isObject(origin) && origin.kind === 'inter_session' ? 'agent' : 'owner'
}

function assistantText(message: JsonObject): string {
  const blocks = contentBlocks(message.content)
  const calls = blocks
    .filter((block) => block.type === 'toolCall')
    .map((block) => {
      const wrapped = block.name === 'tool_call' && isObject(block.arguments) ? block.arguments : undefined
      const name = textField(wrapped?.name) ?? textField(wrapped?.id) ?? textField(block.name) ?? 'unknown'
      return describeCall(name, wrapped ? wrapped.args : block.arguments)
    })
  return [blocksText(blocks).trim(), ...calls].filter((part) => part !== '').join('\n')
}

/** The tool and its output; `tool_call` carries another tool's result as JSON in its text. */
function unwrapResult(message: JsonObject): { tool: string; text: string } {
  const outer = textField(message.toolName) ?? 'unknown'
  const text = blocksText(contentBlocks(message.content))
  if (outer !== 'tool_call') return { tool: outer, text }
  const wrapper = parseObject(text)
  const tool = isObject(wrapper?.tool) ? wrapper.tool : isObject(message.details) ? message.details.tool : undefined
  const inner = isObject(tool) ? textField(tool.name) : undefined
  const result = isObject(wrapper?.result) ? blocksText(contentBlocks(wrapper.result.content)) : ''
  return { tool: inner ?? outer, text: result === '' ? text : result }
}

function parseObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // Cut or foreign: then the text stands as it is.
    return undefined
  }
}

function bashText(message: JsonObject): string {
  const output = textField(message.output) ?? ''
  return `$ ${textField(message.command) ?? ''}\n${output}`.trim()
}

/** The result of a tool that another tool called; its parent usually repeats it. */
function nestedResult(message: JsonObject): { parent: string | undefined; tool: string; raw: string } | undefined {
  const details = message.details
  if (typeof message.customType !== 'string' || !message.customType.startsWith('openclaw.nested-tool')) return undefined
  if (!isObject(details) || !isObject(details.result)) return undefined
  const raw = blocksText(contentBlocks(details.result.content))
  return { parent: textField(details.parentToolCallId), tool: textField(details.toolName) ?? 'unknown', raw }
}
