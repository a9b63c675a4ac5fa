import { MadeleineError } from '../../errors.ts'

/** What all events say. */
interface EventBase {
  sessionId: string
  /** Absolute path of the session's transcript. */
  transcriptPath?: string
  /** The folder that the user works in. */
  cwd?: string
}

export type SessionStartSource = 'startup' | 'resume' | 'clear' | 'compact' | 'fork'

/** An event of Claude Code that the memory has something to do with. */
export type HookEvent = EventBase &
  (
    | { name: 'UserPromptSubmit'; prompt: string; isFromUser: boolean }
    | { name: 'SessionStart'; source: SessionStartSource }
    | { name: 'PreCompact' | 'Stop' | 'SessionEnd' }
  )

const STARTS: readonly string[] = ['startup', 'resume', 'clear', 'compact', 'fork'] satisfies SessionStartSource[]

/**
 * Reads the JSON event that Claude Code writes to a hook; null for an event that the memory has nothing to do with. Throws
 * INVALID_OPTION for what is no event.
 */
export function readHookEvent(json: string): HookEvent | null {
  const event = parseObject(json)
  const name = textOf(event, 'hook_event_name')
  const sessionId = textOf(event, 'session_id')
  if (name === undefined) throw refuse('it names no event (hook_event_name)')
  if (sessionId === undefined) throw refuse('it names no session (session_id)')
  const transcriptPath = textOf(event, 'transcript_path')
  const cwd = textOf(event, 'cwd')
  const base = { sessionId, ...(transcriptPath && { transcriptPath }), ...(cwd && { cwd }) }
  switch (name) {
    case 'UserPromptSubmit': {
      const prompt = textOf(event, 'prompt')
      if (prompt === undefined) throw refuse('it has no prompt')
      const source = textOf(event, 'source')
      return { ...base, name, prompt, isFromUser: source === undefined || source === 'user' }
    }
    case 'SessionStart': {
      const source = STARTS.find((known) => known === event.source) as SessionStartSource | undefined
      // A way to begin that is not known yet is a way to begin.
      return { ...base, name, source: source ?? 'startup' }
    }
    case 'PreCompact':
    case 'Stop':
    case 'SessionEnd':
      return { ...base, name }
    default:
      return null
  }
}

function parseObject(json: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    throw refuse('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('it is not a JSON object')
  return { ...value }
}

/** Absent also where it is something else than text: the rest of the event may serve all the same. */
function textOf(event: Record<string, unknown>, key: string): string | undefined {
  const value = event[key]
  return typeof value === 'string' ? value : undefined
}

function refuse(reason: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot read the event on stdin: ${reason}`, {
    remedy: 'Pipe in the JSON object that Claude Code gives its hooks.',
  })
}
