import type { HeartbeatResult } from '../../index.ts'
import { OPENCLAW_PLUGIN } from '../host-options.ts'
import type { HostLogger, PromptEvent, TurnContext } from './host-types.ts'
import type { PluginConfig } from './read-plugin-config.ts'
import { agentOfSession } from './recall-hook.ts'
import { isSharedSession } from './session-kind.ts'
import type { SharedEngine } from './shared-engine.ts'
import { within } from './within.ts'

export interface HeartbeatHookParts {
  engine: SharedEngine
  config: PluginConfig
  logger: HostLogger
  /** True for one caller for each event. */
  claim: (event: object) => boolean
  /** An agent's workspace, for a turn that does not name its own. */
  workspaceOf: (agentId: string) => string | undefined
  /** The text for the host; '' where nothing is to be said. */
  format?: (result: HeartbeatResult) => Promise<string>
}

/** What a newer host asks before a heartbeat's turn. */
export interface ContributionEvent {
  sessionKey?: string
  agentId?: string
  heartbeatName?: string
}

type Contribution = { prependContext: string } | undefined

export interface HeartbeatHook {
  /** For `heartbeat_prompt_contribution`. Never rejects. */
  contribute(event: ContributionEvent | undefined, context: TurnContext | undefined): Promise<Contribution>
  /**
   * For `before_prompt_build`: what hosts get that do not ask for a contribution; nothing for any other turn, and nothing where the host asks.
   * Never rejects.
   */
  beforePrompt(event: PromptEvent | undefined, context: TurnContext | undefined): Promise<Contribution>
}

/** How a heartbeat's prompt begins, after the host's own news, where nothing else tells what began the turn. */
const HEARTBEAT_PROMPT =
  /^\s*(?:System: [^\n]*\n\s*)*(?:Read HEARTBEAT\.md if it exists|Follow the heartbeat monitor scratch context|\[OpenClaw heartbeat poll\])/

/** Whether a heartbeat began the turn: the host says so; only where it says nothing, the prompt does. */
export function isHeartbeatTurn(event: PromptEvent, { trigger }: TurnContext): boolean {
  if (trigger !== undefined) return trigger === 'heartbeat'
  return typeof event.prompt === 'string' && HEARTBEAT_PROMPT.test(event.prompt)
}

/** What needs attention, said to the turns that a heartbeat begins; one tick a turn, and nothing in most of them. */
export function createHeartbeatHook(parts: HeartbeatHookParts): HeartbeatHook {
  let isAsked = false
  const say = async (event: object, who: TurnContext): Promise<Contribution> => {
    try {
      return await tick(parts, event, who)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      parts.logger.warn(`madeleine: nothing for this heartbeat: ${reason}`)
      return undefined
    }
  }
  return {
    async contribute(event = {}, context = {}) {
      isAsked = true
      return say(event, { ...event, ...context })
    },
    async beforePrompt(event = {}, context = {}) {
      if (isAsked || !isHeartbeatTurn(event, context)) return undefined
      return say(event, context)
    },
  }
}

async function tick(parts: HeartbeatHookParts, event: object, who: TurnContext): Promise<Contribution> {
  const { engine, config, claim, workspaceOf, logger, format = formatLazily } = parts
  if (!config.heartbeat.enabled) return undefined
  if (isSharedSession(who.sessionKey) && !config.recall.inGroups) return undefined
  if (!claim(event)) return undefined
  const agentId = who.agentId ?? agentOfSession(who.sessionKey) ?? 'main'
  const project = who.workspaceDir ?? workspaceOf(agentId)
  const result = await within(
    OPENCLAW_PLUGIN.heartbeatMs,
    engine.use((opened) => {
      // The host may have gone on without us: then nothing may count as told.
      who.hookInvocation?.assertActive()
      return opened.heartbeat({ related: true, agentId, ...(project !== undefined && { project }) })
    }),
  )
  if (result === undefined) {
    logger.warn('madeleine: nothing for this heartbeat: the store took too long')
    return undefined
  }
  const text = await format(result)
  return text === '' ? undefined : { prependContext: text }
}

/** The engine's code is loaded only with the first tick. */
async function formatLazily(result: HeartbeatResult): Promise<string> {
  return (await import('../../index.ts')).formatHeartbeatContext(result)
}
