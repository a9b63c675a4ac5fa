import type { Trust } from '../model/memory.ts'
import { createTurnCollector, type RawTurn } from './collect-turns.ts'
import { blocksText, contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, type TranscriptParser, textField } from './transcript-format.ts'

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

  const acceptMessage = (entry: JsonObject, message: JsonObject, line: number): void => {
    const at = instantOf(entry.timestamp, message.timestamp)
    const base = { id: entryId(entry), startLine: line, endLine: line, occurredAt: at }
    switch (message.role) {
      case 'user':
        if (isHeartbeat(message)) turns.omit('heartbeat and system messages')
        else
          turns.add({
            ...base,
            role: 'user',
            raw: blocksText(contentBlocks(message.content)),
            trust: userTrust(message),
          })
        return
      case 'assistant':
        turns.add({ ...base, role: 'assistant', raw: assistantText(message), trust: 'agent' })
        return
      case 'toolResult': {
        const result = unwrapResult(message)
        const call = textField(message.toolCallId)
        if (call && answers.has(call)) answers.set(call, result.text)
        turns.add({ ...base, role: 'tool', tool: result.tool, raw: result.text, trust: 'untrusted' })
        return
      }
      case 'bashExecution':
        turns.add({ ...base, role: 'tool', tool: 'bash', raw: bashText(message), trust: 'untrusted' })
        return
      case 'custom': {
        const turn = nestedResult(message)
        if (!turn) return turns.omit('messages of extensions')
        if (turn.parent) answers.set(turn.parent, answers.get(turn.parent))
        nested.push({ parent: turn.parent, turn: { ...base, ...turn.turn } })
        return
      }
      default:
        turns.omit('messages of extensions')
    }
  }

  return {
    accept(entry, line) {
      if (entry.type === 'session') {
        sessionId ??= textField(entry.id)
        cwd ??= textField(entry.cwd)
      } else if (entry.type === 'message' && isObject(entry.message)) acceptMessage(entry, entry.message, line)
      else if (entry.type === 'compaction' || entry.type === 'branch_summary') turns.omit('summaries of earlier turns')
      else if (entry.type === 'custom_message') turns.omit('messages of extensions')
    },
    finish() {
      for (const { parent, turn } of nested) {
        const answer = parent === undefined ? undefined : answers.get(parent)
        if (answer?.includes(turn.raw)) turns.omit('repeated messages')
        else turns.add(turn)
      }
      const taken = turns.take(sessionId ?? '')
      taken.turns.sort((a, b) => a.startLine - b.startLine)
      return { ...taken, ...(sessionId ? { sessionId } : {}), ...(cwd ? { cwd } : {}) }
    },
  }
}

function entryId(entry: JsonObject): string | undefined {
  const id = textField(entry.id)
  return id ? `${id}@${textField(entry.timestamp) ?? ''}` : undefined
}

function isHeartbeat(message: JsonObject): boolean {
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
    return undefined
  }
}

function bashText(message: JsonObject): string {
  const output = textField(message.output) ?? ''
  return `$ ${textField(message.command) ?? ''}\n${output}`.trim()
}

/** The result of a tool that another tool called; its parent usually repeats it. */
function nestedResult(
  message: JsonObject,
): { parent: string | undefined; turn: Pick<RawTurn, 'role' | 'tool' | 'raw' | 'trust'> } | undefined {
  const details = message.details
  if (typeof message.customType !== 'string' || !message.customType.startsWith('openclaw.nested-tool')) return undefined
  if (!isObject(details) || !isObject(details.result)) return undefined
  const raw = blocksText(contentBlocks(details.result.content))
  const tool = textField(details.toolName) ?? 'unknown'
  return { parent: textField(details.parentToolCallId), turn: { role: 'tool', tool, raw, trust: 'untrusted' } }
}
