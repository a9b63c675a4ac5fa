import type { Trust } from '../model/memory.ts'
import { MAX_OPEN_BYTES } from '../options.ts'
import { createTurnCollector, type RawTurn, type TurnCollector } from './collect-turns.ts'
import { createHeadFacts } from './head-facts.ts'
import { blocksText, contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, type TranscriptParser, textField } from './transcript-format.ts'

/** What an entry says: a turn, the result of a call within a call, or why it is left out. */
type Said =
  | { turn: RawTurn; call?: string }
  | { nested: RawTurn; parent: string | undefined }
  | { omit: string; content: unknown }

const EXTENSION = 'messages of extensions'

/**
 * Transcripts of OpenClaw and of the pi agent under it: a header, then entries that form a tree. Every entry is taken once, those on
 * abandoned branches too: they were said. Summaries are left out, since the turns that they summarise are there. `saved` is what
 * the parser before it saved, where this one goes on with a file.
 */
export function createOpenClawParser(turns: TurnCollector = createTurnCollector(), saved?: unknown): TranscriptParser {
  const state = isObject(saved) ? saved : {}
  const facts = createHeadFacts(state)
  const nested = holdNestedResults(turns, state.nested)

  const acceptSaid = (said: Said, offset: number): void => {
    if ('omit' in said) turns.omit(said.omit, said.content)
    else if ('nested' in said) nested.accept(said, offset)
    else {
      if (said.call) nested.decide(said.call, said.turn.raw)
      turns.add(said.turn)
    }
  }
  const close = (): void => nested.closeBefore(Number.POSITIVE_INFINITY)

  return {
    accept(entry, line, offset = 0) {
      nested.closeBefore(offset - MAX_OPEN_BYTES)
      if (entry.type === 'session') {
        facts.note({ sessionId: entry.id, cwd: entry.cwd })
      } else if (entry.type === 'message' && isObject(entry.message)) {
        const said = readMessage(entry, entry.message, { line, turns })
        if (!('omit' in said)) leaveOutParts(entry.message, turns)
        acceptSaid(said, offset)
      } else if (entry.type === 'compaction' || entry.type === 'branch_summary') {
        turns.omit('summaries of earlier turns', entry.summary)
        turns.leaveOut('bookkeeping of the host', entry.details)
      } else if (entry.type === 'custom_message') {
        turns.omit(EXTENSION, entry.content)
        turns.leaveOut('bookkeeping of the host', entry.details)
      } else turns.leaveOut('bookkeeping of the host', entry.data)
    },
    closeHead: () => facts.close(),
    facts: () => facts.get(),
    openSince: () => nested.openSince(),
    close,
    save: () => ({ ...facts.get(), nested: nested.save() }),
    finish() {
      close()
      const { sessionId = '' } = facts.get()
      return { ...facts.get(), turns: turns.take(sessionId), omitted: turns.omitted }
    },
  }
}

/** The result of a call within a call, until its parent has answered. Without its text it is one of a parser before this one. */
interface NestedResult {
  parent?: string
  id?: string
  offset: number
  turn?: RawTurn
}

/** Holds results of calls within calls until it is known whether the answer of the outer call repeats them. */
function holdNestedResults(turns: TurnCollector, saved: unknown) {
  let held: NestedResult[] = (Array.isArray(saved) ? saved.filter(isObject) : []).map(({ parent, id, offset }) => ({
    ...(typeof parent === 'string' && { parent }),
    ...(typeof id === 'string' && { id }),
    offset: Number(offset),
  }))
  const settle = (isDue: (one: NestedResult) => boolean, answer = ''): void => {
    const due = held.filter(isDue)
    if (due.length > 0) held = held.filter((one) => !isDue(one))
    for (const { id, turn } of due) {
      if (!turn) turns.claim(id)
      else if (answer.includes(turn.raw)) {
        turns.claim(id)
        turns.repeat(turn.raw)
      } else turns.add(turn)
    }
  }
  return {
    accept({ nested: turn, parent }: { nested: RawTurn; parent: string | undefined }, offset: number): void {
      const { id } = turn
      held.push({ offset, turn, ...(parent !== undefined && { parent }), ...(id !== undefined && { id }) })
    },
    /** The outer call answered. */
    decide: (call: string, answer: string): void => settle(({ parent }) => parent === call, answer),
    /** What began before has waited long enough. */
    closeBefore: (end: number): void => settle(({ offset }) => offset < end),
    openSince: () => Math.min(...held.map(({ turn }) => turn?.startLine ?? Number.POSITIVE_INFINITY)),
    save: (): unknown => held.map(({ parent, id, offset }) => ({ parent, id, offset })),
  }
}

function readMessage(
  entry: JsonObject,
  message: JsonObject,
  { line, turns }: { line: number; turns: TurnCollector },
): Said {
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
      if (isOfTheHost(message)) return { omit: 'heartbeat and system messages', content: message.content }
      const raw = blocksText(contentBlocks(message.content))
      return { turn: { ...base, role: 'user', raw, trust: userTrust(message) } }
    }
    case 'assistant':
      return { turn: { ...base, role: 'assistant', raw: assistantText(message, turns), trust: 'agent' } }
    case 'toolResult': {
      const { tool, text } = unwrapResult(message, turns)
      const call = textField(message.toolCallId)
      return { turn: { ...base, role: 'tool', tool, raw: text, trust: 'untrusted' }, ...(call ? { call } : {}) }
    }
    case 'bashExecution':
      return { turn: { ...base, role: 'tool', tool: 'bash', raw: bashText(message), trust: 'untrusted' } }
    case 'custom': {
      const result = nestedResult(message)
      if (!result) return { omit: EXTENSION, content: message.content }
      const { parent, tool, raw } = result
      return { nested: { ...base, role: 'tool', tool, raw, trust: 'untrusted' }, parent }
    }
    default:
      return { omit: EXTENSION, content: message.content }
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

function assistantText(message: JsonObject, turns: TurnCollector): string {
  const blocks = contentBlocks(message.content)
  const calls = blocks
    .filter((block) => block.type === 'toolCall')
    .map((block) => {
      const line = callLine(block)
      turns.leaveOut('arguments of tool calls', block.arguments, line.length)
      return line
    })
  const said = blocksText(blocks)
  turns.strip('blank lines', said.length - said.trim().length)
  return [said.trim(), ...calls].filter((part) => part !== '').join('\n')
}

function callLine(block: JsonObject): string {
  const wrapped = block.name === 'tool_call' && isObject(block.arguments) ? block.arguments : undefined
  const name = textField(wrapped?.name) ?? textField(wrapped?.id) ?? textField(block.name) ?? 'unknown'
  const input = wrapped ? wrapped.args : block.arguments
  // How newer hosts have a heartbeat answered: what it tells the user is what was said.
  if (name === 'heartbeat_respond' && isObject(input)) {
    return input.notify === false ? '' : (textField(input.notificationText) ?? '')
  }
  return describeCall(name, input)
}

/** Parts of a message that are not its text. `details` repeat in another form what a tool's answer says. */
function leaveOutParts(message: JsonObject, turns: TurnCollector): void {
  if (message.role !== 'custom') turns.leaveOut('details of tool results', message.details)
  for (const block of contentBlocks(message.content)) {
    if (block.type === 'thinking') turns.leaveOut('thinking', block.thinking)
    else if (block.type === 'image') turns.leaveOut('images', block.data ?? block.source)
  }
}

/** The tool and its output; `tool_call` carries another tool's result as JSON in its text. */
function unwrapResult(message: JsonObject, turns: TurnCollector): { tool: string; text: string } {
  const outer = textField(message.toolName) ?? 'unknown'
  const text = blocksText(contentBlocks(message.content))
  if (outer !== 'tool_call') return { tool: outer, text }
  const wrapper = parseObject(text)
  const tool = isObject(wrapper?.tool) ? wrapper.tool : isObject(message.details) ? message.details.tool : undefined
  const inner = isObject(tool) ? textField(tool.name) : undefined
  const result = isObject(wrapper?.result) ? blocksText(contentBlocks(wrapper.result.content)) : ''
  if (result === '') return { tool: inner ?? outer, text }
  turns.strip('wrappers of tool calls', text.length - result.length)
  return { tool: inner ?? outer, text: result }
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
