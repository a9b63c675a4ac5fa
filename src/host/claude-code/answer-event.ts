import type { Clock } from '../../model/clock.ts'
import { monotonicMs } from '../../model/monotonic.ts'
import type { RecallRequest } from '../../model/recall.ts'
import type { RecallReader } from '../../open-recall.ts'
import { BRIEFING, RECALL_DEADLINE_MS, RESTORE_TOKENS } from '../../options.ts'
import { HOOK_MAX_CHARS, HOOK_WARM_SHARE } from '../host-options.ts'
import type { HookSettings } from './hook-settings.ts'
import { loadRecall, type Recall, type RecallBundle } from './load-recall.ts'
import type { HookEvent } from './read-event.ts'
import { readRecentTurns } from './read-recent-turns.ts'
import type { WarmDoor } from './warm-door.ts'

export interface AnswerParts {
  settings: HookSettings
  warm: WarmDoor
  now: Clock
  recallBundle: RecallBundle
}

/** What Claude Code takes from a hook's stdout. */
export interface HookOutput {
  hookSpecificOutput: { hookEventName: string; additionalContext: string }
}

/** What a hook found out: what to print, if anything, and what was wrong, if anything. */
export interface HookAnswer {
  output?: HookOutput
  problem?: string
  /** To be called when the answer is out: it makes the next hook faster. Never rejects. */
  finish?(): Promise<void>
}

const NOTHING: HookAnswer = {}

/** Answers one event. Nothing is printed where there is nothing to say. Rejects when the store cannot be used. */
export async function answerEvent(event: HookEvent, parts: AnswerParts): Promise<HookAnswer> {
  switch (event.name) {
    case 'UserPromptSubmit':
      return event.isFromUser ? recallFor(event, parts) : NOTHING
    case 'SessionStart':
      return beginSession(event, parts)
    default:
      if (event.transcriptPath !== undefined) await parts.warm.indexTranscript(event.transcriptPath)
      return NOTHING
  }
}

async function recallFor(
  event: HookEvent & { name: 'UserPromptSubmit' },
  { settings, warm, now, recallBundle }: AnswerParts,
): Promise<HookAnswer> {
  const turns = event.transcriptPath === undefined ? [] : readRecentTurns(event.transcriptPath)
  // A host may write the prompt down before it asks its hooks.
  const isWritten = turns.at(-1)?.text.trim() === event.prompt.trim()
  const request: RecallRequest = {
    prompt: event.prompt,
    recentTurns: isWritten ? turns.slice(0, -1) : turns,
    sessionId: event.sessionId,
    ...placeOf(event, settings),
  }
  const deadlineMs = settings.recall.deadlineMs ?? RECALL_DEADLINE_MS
  const startedAt = monotonicMs()
  const fromWarm = await warm.recall(request, deadlineMs * HOOK_WARM_SHARE)
  if (fromWarm) return toAnswer(event.name, fromWarm.text)
  const { recall, keepCode } = await loadRecall(recallBundle)
  if (!recall.mayRecall(event.prompt)) return { finish: async () => warm.start() }
  const leftMs = deadlineMs - (monotonicMs() - startedAt)
  const reader = await openReader(recall, settings, { now, deadlineMs: leftMs })
  if (reader === null) return { finish: async () => warm.start() }
  const response = await reader.recall(request)
  const problem = ['timeout', 'error'].includes(response.reason ?? '') ? response.degraded.at(-1)?.reason : undefined
  return {
    ...toAnswer(event.name, response.text),
    ...(problem !== undefined && { problem }),
    async finish() {
      keepCode(response.text !== '')
      await reader.keepForNext()
      await reader.close()
      // The next prompt finds it warm.
      warm.start()
    },
  }
}

async function beginSession(
  event: HookEvent & { name: 'SessionStart' },
  { settings, warm, now, recallBundle }: AnswerParts,
): Promise<HookAnswer> {
  const session = { sessionId: event.sessionId, ...placeOf(event, settings) }
  const deadlineMs = settings.recall.deadlineMs ?? RECALL_DEADLINE_MS
  const { recall, keepCode } = await loadRecall(recallBundle)
  const reader = await openReader(recall, settings, { now, deadlineMs })
  const context =
    event.source === 'compact'
      ? await reader?.restore({ ...session, tokenBudget: RESTORE_TOKENS })
      : await reader?.brief({ ...session, tokenBudget: BRIEFING.tokens })
  return {
    ...toAnswer(event.name, context?.text ?? ''),
    async finish() {
      keepCode(false)
      await reader?.close()
      warm.start()
    },
  }
}

/** Claude Code says where the user works; whose memories those are is the configuration's to say. */
function placeOf({ cwd }: HookEvent, { agent }: HookSettings): { agentId: string; project?: string } {
  return { agentId: agent ?? 'main', ...(cwd !== undefined && { project: cwd }) }
}

/** Null where there is no store yet. It is open until the process ends with its answer. */
function openReader(
  { openRecall }: Recall,
  { store, tenant, team, timeZone, recall }: HookSettings,
  { now, deadlineMs }: { now: Clock; deadlineMs: number },
): Promise<RecallReader | null> {
  return openRecall({ store, tenant, team, timeZone, now, busyMs: deadlineMs, recall: { ...recall, deadlineMs } })
}

/** A block that is longer than the host shows would be torn: there is none then. */
function toAnswer(hookEventName: string, text: string): HookAnswer {
  if (text === '') return NOTHING
  const output = { hookSpecificOutput: { hookEventName, additionalContext: text } }
  const { length } = JSON.stringify(output)
  if (length <= HOOK_MAX_CHARS) return { output }
  return { problem: `the block has ${length} characters, more than a hook may give` }
}
