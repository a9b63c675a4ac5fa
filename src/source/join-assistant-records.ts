import type { RawTurn, TurnCollector } from './collect-turns.ts'
import { contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, textField } from './transcript-format.ts'

/** An assistant message that is still coming in: the host writes its blocks as records of their own. */
interface OpenMessage {
  id?: string
  /** Where its first record begins, bytes. */
  offset: number
  /** Absent where a parser before this one has given it. */
  turn?: RawTurn
  parts: string[]
  seen: Set<string>
}

/** Messages that may be coming in at once (agents work side by side); an older one is taken as complete. */
const MAX_OPEN_MESSAGES = 32
/** Calls whose results are still to come: they come soon or never. */
const MAX_OPEN_CALLS = 256

/** Makes one turn of the records of each assistant message, and remembers which tool a call was for. */
export function joinAssistantRecords(turns: TurnCollector, saved: JsonObject) {
  const open = readOpenMessages(saved.open)
  const toolNames = readToolNames(saved.calls)

  const close = (key: string, { turn, parts, id }: OpenMessage): void => {
    open.delete(key)
    if (turn) turns.add({ ...turn, raw: parts.join('\n') })
    else turns.claim(id)
  }
  const addBlock = (block: JsonObject, message: OpenMessage): void => {
    const call = block.type === 'tool_use' ? textField(block.id) : undefined
    if (call) {
      toolNames.set(call, textField(block.name) ?? 'unknown')
      if (toolNames.size > MAX_OPEN_CALLS)
        for (const oldest of [...toolNames.keys()].slice(0, 1)) toolNames.delete(oldest)
    }
    const part = assistantPart(block, turns)
    if (part === '') return
    if (message.seen.has(part)) {
      turns.leaveOut('repeated parts of a message', part)
      return
    }
    message.seen.add(part)
    message.parts.push(part)
  }

  return {
    accept(record: JsonObject, message: JsonObject, { line, offset }: { line: number; offset: number }): void {
      const key = textField(message.id) ?? `line ${line}`
      const entry = open.get(key) ?? openMessage(record, line, offset)
      open.set(key, entry)
      if (entry.turn) entry.turn.endLine = line
      for (const block of contentBlocks(message.content)) addBlock(block, entry)
      for (const [oldest, one] of open) {
        if (open.size <= MAX_OPEN_MESSAGES) break
        close(oldest, one)
      }
    },
    /** The tool that a call was for, asked once. */
    toolName(callId: unknown): string {
      const call = textField(callId) ?? ''
      const name = toolNames.get(call) ?? 'unknown'
      toolNames.delete(call)
      return name
    },
    /** Takes messages that began before a byte as complete. */
    closeBefore(end: number): void {
      for (const [key, one] of open) {
        // In the order in which they began.
        if (one.offset >= end) return
        close(key, one)
      }
    },
    openSince(): number {
      for (const { turn } of open.values()) if (turn) return turn.startLine
      return Number.POSITIVE_INFINITY
    },
    save(): JsonObject {
      return {
        open: [...open].map(([key, { id, offset }]) => ({ key, id, offset })),
        calls: [...toolNames],
      }
    },
  }
}

function openMessage(record: JsonObject, line: number, offset: number): OpenMessage {
  const base = baseOf(record, line)
  return {
    ...(base.id !== undefined && { id: base.id }),
    offset,
    turn: { ...base, role: 'assistant', raw: '', trust: 'agent' },
    parts: [],
    seen: new Set(),
  }
}

function readOpenMessages(saved: unknown): Map<string, OpenMessage> {
  const list = Array.isArray(saved) ? saved.filter(isObject) : []
  return new Map(
    list.map(({ key, id, offset }) => [
      String(key),
      { ...(typeof id === 'string' && { id }), offset: Number(offset), parts: [], seen: new Set<string>() },
    ]),
  )
}

function readToolNames(saved: unknown): Map<string, string> {
  const list = Array.isArray(saved) ? saved.filter(Array.isArray) : []
  return new Map(list.map(([call, name]) => [String(call), String(name)]))
}

/** What all turns of a record have in common. */
export function baseOf(record: JsonObject, line: number): Pick<RawTurn, 'id' | 'startLine' | 'endLine' | 'occurredAt'> {
  const uuid = textField(record.uuid)
  const id = uuid ? `${uuid}@${textField(record.timestamp) ?? ''}` : undefined
  return { id, startLine: line, endLine: line, occurredAt: instantOf(record.timestamp) }
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
