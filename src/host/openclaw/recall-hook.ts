import type { RecallRequest } from '../../index.ts'
import { RECALL_DEADLINE_MS } from '../../options.ts'
import { OPENCLAW_PLUGIN } from '../host-options.ts'
import type { HostLogger, PromptEvent, TurnContext } from './host-types.ts'
import { holdsInjectedBlock, readMessages } from './read-messages.ts'
import type { PluginConfig } from './read-plugin-config.ts'
import { isSharedSession } from './session-kind.ts'
import type { SharedEngine } from './shared-engine.ts'
import { within } from './within.ts'

export interface RecallHookParts {
  engine: SharedEngine
  config: PluginConfig
  logger: HostLogger
  /** A turn that may not use this tool gets no memories either. */
  tool: string
  /** Whether the host keeps what is injected in its history. */
  injectionPersists: boolean
  /** True for one caller for each event: several registrations in a process may hear of the same turn. */
  claim: (event: object) => boolean
  /** An agent's workspace, for a turn that does not name its own. */
  workspaceOf: (agentId: string) => string | undefined
}

export type RecallHook = (
  event: PromptEvent | undefined,
  context: TurnContext | undefined,
) => Promise<{ prependContext: string } | undefined>

/**
 * What to put before a turn. Answers nothing for turns that no user began, for shared sessions unless they are allowed, and for turns
 * that may not search memory. Never rejects, and ends within the recall's deadline, to which only the first turn of a process adds
 * what opening the store takes, bounded too.
 */
export function createRecallHook(parts: RecallHookParts): RecallHook {
  const { logger } = parts
  return async (event, context) => {
    try {
      return await recallForTurn(parts, event ?? {}, context ?? {})
    } catch (error) {
      logger.warn(`madeleine: no recall for this turn: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
}

async function recallForTurn(
  parts: RecallHookParts,
  event: PromptEvent,
  context: TurnContext,
): Promise<{ prependContext: string } | undefined> {
  const { engine, config, claim } = parts
  if (!config.recall.enabled || !mayRecall(parts, context)) return undefined
  const request = toRecallRequest(parts, event, context)
  if (request === undefined || !claim(event)) return undefined
  const { graceMs, openingMs } = OPENCLAW_PLUGIN
  const deadlineMs = (config.recall.deadlineMs ?? RECALL_DEADLINE_MS) + graceMs
  const answer = await within(
    engine.isOpen ? deadlineMs : deadlineMs + openingMs,
    engine.use(async (opened) => {
      // The host may have gone on without us while the store was opened: then nothing may be noted as shown.
      context.hookInvocation?.assertActive()
      return opened.recall(request)
    }),
  )
  if (answer === undefined)
    parts.logger.warn('madeleine: no recall for this turn: the store or the model took too long')
  context.hookInvocation?.assertActive()
  return answer === undefined || answer.text === '' ? undefined : { prependContext: answer.text }
}

function mayRecall({ config, tool }: RecallHookParts, context: TurnContext): boolean {
  if (context.trigger !== undefined && context.trigger !== 'user') return false
  if (context.inputProvenance?.kind === 'internal_system') return false
  if (isSharedSession(context.sessionKey) && !config.recall.inGroups) return false
  return context.toolAuthority === undefined || context.toolAuthority.allows(tool)
}

function toRecallRequest(
  { config, injectionPersists, workspaceOf }: RecallHookParts,
  event: PromptEvent,
  context: TurnContext,
): RecallRequest | undefined {
  const said = [event.currentUserMessage, event.prompt].find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof said !== 'string') return undefined
  const recentTurns = readMessages(event.messages)
  const agentId = context.agentId ?? agentOfSession(context.sessionKey) ?? 'main'
  const project = context.workspaceDir ?? workspaceOf(agentId)
  return {
    prompt: said,
    recentTurns,
    agentId,
    injectionPersists: injectionPersists || holdsInjectedBlock(recentTurns),
    ...(context.sessionId !== undefined && { sessionId: context.sessionId }),
    ...(config.recall.allProjects ? { allProjects: true } : project !== undefined && { project }),
  }
}

/** The agent in a session's key, `agent:<id>:…`. */
export function agentOfSession(sessionKey: string | undefined): string | undefined {
  return /^agent:([^:]+):/.exec(sessionKey ?? '')?.[1]
}
