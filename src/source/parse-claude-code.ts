import { createTurnCollector, type RawTurn } from './collect-turns.ts'
import { blocksText, contentBlocks, describeCall } from './message-content.ts'
import { instantOf, isObject, type JsonObject, type TranscriptParser, textField } from './transcript-format.ts'

/** An assistant message that is still coming in: the host writes its blocks as records of their own. */
interface OpenMessage {
  turn: RawTurn
  parts: string[]
  seen: Set<string>
}

/** Messages that may be coming in at once (agents work side by side); an older one is taken as complete. */
const MAX_OPEN_MESSAGES = 32

/**
 * Transcripts of Claude Code. Records of one assistant message become one turn; tool results, which stand in user records, become
 * turns of their tool. Copies that a resumed session makes keep uuid and timestamp, and so the turn's id.
 */
export function createClaudeCodeParser(): TranscriptParser {
  const turns = createTurnCollector()
  const open = new Map<string, OpenMessage>()
  const toolNames = new Map<string, string>()
  let sessionId: string | undefined
  let cwd: string | undefined

  const closeOldest = (): void => {
    for (const [key, { turn, parts }] of open) {
      open.delete(key)
      turns.add({ ...turn, raw: parts.join('\n') })
      return
    }
  }

  const acceptAssistant = (record: JsonObject, message: JsonObject, line: number): void => {
    const key = textField(message.id) ?? `line ${line}`
    let entry = open.get(key)
    if (!entry) {
      entry = {
        turn: { ...baseOf(record, line), role: 'assistant', raw: '', trust: 'agent' },
        parts: [],
        seen: new Set(),
      }
      if (open.size >= MAX_OPEN_MESSAGES) closeOldest()
      open.set(key, entry)
    }
    entry.turn.endLine = line
    for (const block of contentBlocks(message.content)) {
      if (block.type === 'tool_use' && textField(block.id))
        toolNames.set(String(block.id), textField(block.name) ?? 'unknown')
      const part = assistantPart(block)
      if (part === '' || entry.seen.has(part)) continue
      entry.seen.add(part)
      entry.parts.push(part)
    }
  }

  const acceptUser = (record: JsonObject, message: JsonObject, line: number): void => {
    const base = baseOf(record, line)
    const blocks = contentBlocks(message.content)
    blocks.forEach((block, index) => {
      if (block.type !== 'tool_result') return
      const tool = toolNames.get(textField(block.tool_use_id) ?? '') ?? 'unknown'
      const raw = blocksText(contentBlocks(block.content))
      const id = base.id && index > 0 ? `${base.id}:${index}` : base.id
      turns.add({ ...base, id, role: 'tool', tool, raw, trust: 'untrusted' })
    })
    const results = blocks.filter((block) => block.type === 'tool_result').length
    const said = blocksText(blocks)
    if (said === '' && results > 0) return
    const id = base.id && results > 0 ? `${base.id}:said` : base.id
    const trust = record.isSidechain === true ? 'agent' : 'owner'
    turns.add({ ...base, id, role: 'user', raw: said, trust })
  }

  return {
    accept(record, line) {
      sessionId ??= textField(record.sessionId)
      cwd ??= textField(record.cwd)
      if (record.type === 'summary' || record.isCompactSummary === true) turns.omit('summaries of earlier turns')
      else if (record.type === 'attachment') {
        const queued = queuedPrompt(record)
        if (queued) turns.add({ ...baseOf(record, line), role: 'user', raw: queued, trust: 'owner' })
      } else if (record.type === 'user' || record.type === 'assistant') {
        if (isHostMessage(record)) turns.omit('messages of the host')
        else if (!isObject(record.message)) turns.omit('messages without text')
        else if (record.type === 'assistant') acceptAssistant(record, record.message, line)
        else acceptUser(record, record.message, line)
      } else if (record.type === 'system') turns.omit('messages of the host')
    },
    finish() {
      while (open.size > 0) closeOldest()
      const taken = turns.take(sessionId ?? '')
      taken.turns.sort((a, b) => a.startLine - b.startLine)
      return { ...taken, ...(sessionId ? { sessionId } : {}), ...(cwd ? { cwd } : {}) }
    },
  }
}

/** Notes of the host to itself, and what it says in the model's place when the service fails. */
function isHostMessage(record: JsonObject): boolean {
  if (record.isMeta === true || record.isApiErrorMessage === true) return true
  return isObject(record.message) && record.message.model === '<synthetic>'
}

function baseOf(record: JsonObject, line: number): Pick<RawTurn, 'id' | 'startLine' | 'endLine' | 'occurredAt'> {
  const uuid = textField(record.uuid)
  const id = uuid ? `${uuid}@${textField(record.timestamp) ?? ''}` : undefined
  return { id, startLine: line, endLine: line, occurredAt: instantOf(record.timestamp) }
}

function assistantPart(block: JsonObject): string {
  if (block.type === 'text') return (textField(block.text) ?? '').trim()
  return block.type === 'tool_use' ? describeCall(textField(block.name) ?? 'unknown', block.input) : ''
}

/** What the user typed while the agent was busy: it is recorded as an attachment and nowhere else. */
function queuedPrompt(record: JsonObject): string | undefined {
  const attachment = record.attachment
  if (!isObject(attachment) || attachment.type !== 'queued_command') return undefined
  if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return undefined
  return blocksText(contentBlocks(attachment.prompt)) || undefined
}
