import { MadeleineError, type RecallRequest, type RecentTurn, type Role } from '../index.ts'
import { dropUndefined } from './invocation.ts'

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  tool: 'tool',
  toolresult: 'tool',
  tool_result: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
}

/**
 * Reads what was piped in: a JSON event of an agent host, or plain text, which is the prompt.
 * With `mustBeEvent` anything but an event is refused with INVALID_OPTION.
 */
export function parseRecallInput(input: string, mustBeEvent: boolean): RecallRequest {
  const event = parseObject(input)
  if (event && (mustBeEvent || 'prompt' in event || 'messages' in event)) return readEvent(event)
  if (!mustBeEvent) return { prompt: input }
  throw refuse('it is not a JSON object')
}

function parseObject(input: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(input)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readEvent(event: Record<string, unknown>): RecallRequest {
  const turns = [...readTurns(event.messages, 'messages'), ...readTurns(event.recentTurns, 'recentTurns')]
  const last = turns.at(-1)
  const given = readText(event, 'prompt')
  // A host may list the present message too; it is the prompt and no turn before it.
  const isPromptLast = last?.role === 'user' && (given === undefined || last.text.trim() === given.trim())
  const prompt = given ?? (isPromptLast ? last.text : undefined)
  if (prompt === undefined) throw refuse('it has neither a prompt nor a last message of the user')
  const recentTurns = isPromptLast ? turns.slice(0, -1) : turns
  return {
    prompt,
    ...(recentTurns.length > 0 && { recentTurns }),
    ...dropUndefined({
      sessionId: readText(event, 'sessionId') ?? readText(event, 'session_id'),
      agentId: readText(event, 'agentId') ?? readText(event, 'agent_id'),
      project: readText(event, 'project') ?? readText(event, 'cwd'),
      expand: readSwitch(event, 'expand'),
    }),
  }
}

function readText(event: Record<string, unknown>, key: string): string | undefined {
  const value = event[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw refuse(`${key} is not text`)
}

function readSwitch(event: Record<string, unknown>, key: string): boolean | undefined {
  const value = event[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw refuse(`${key} is neither true nor false`)
}

function readTurns(value: unknown, key: string): RecentTurn[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw refuse(`${key} is not a list`)
  return value.flatMap((item: unknown) => {
    if (!isObject(item)) throw refuse(`${key} holds something that is no message`)
    const text = textOf(item.text ?? item.content)
    const role = ROLES[String(item.role).toLowerCase()]
    if (!role) throw refuse(`${key} holds a message with the role ${JSON.stringify(item.role)}`)
    return text === '' ? [] : [{ role, text }]
  })
}

/** The words of a message, whose content is text or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter(Boolean)
    .join('\n')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(reason: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot read the event on stdin: ${reason}`, {
    remedy: 'Pipe in a JSON object such as {"prompt":"…","recentTurns":[{"role":"user","text":"…"}],"sessionId":"…"}.',
  })
}
