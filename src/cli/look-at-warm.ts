import { readLastFailure } from '../host/claude-code/failure-log.ts'
import { askWarm, readCard } from '../host/warm/ask-warm.ts'
import type { Finding } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { dataFolderOf, warmPlaceOf } from './warm-place-of.ts'

/** Whether a process keeps the store open for hooks. */
export type WarmReport =
  | { running: false; allowed: boolean }
  | { running: true; allowed: boolean; pid: number; version: string; startedAt: string; errands: number }

/** Longest wait for it to say so, ms: it may be in the middle of a write. */
const PING_MS = 1000
/** A failure longer ago than this, ms, is no concern any more. */
const RECENT_MS = 7 * 86_400_000

/** Asks the warm process of this invocation's store. */
export async function lookAtWarm(invocation: Invocation): Promise<WarmReport> {
  const allowed = invocation.settings.values.warm
  const { place } = warmPlaceOf(invocation)
  const card = readCard(place)
  const answer = card && (await askWarm(place, { method: 'ping' }, { token: card.token, waitMs: PING_MS }))
  if (!answer?.ok) return { running: false, allowed }
  const { pid, version, startedAt, errands } = answer.result
  return { running: true, allowed, pid, version, startedAt, errands }
}

export function describeWarm(report: WarmReport): string {
  if (!report.running) return report.allowed ? 'not running: the next hook starts it' : 'off (warm: false)'
  const busy = report.errands > 0 ? `, ${report.errands} transcripts to index` : ''
  return `process ${report.pid} since ${report.startedAt.slice(0, 19).replace('T', ' ')} UTC${busy}`
}

/** Hooks ask a store in PostgreSQL through the warm process alone: without it they would stay silent for ever. */
export function findSilentHooks({ settings }: Invocation): Finding[] {
  if (settings.values.warm || !/^postgres(?:ql)?:/i.test(settings.values.store)) return []
  return [
    {
      id: 'hook-without-warm',
      severity: 'warning',
      message:
        'Hooks say nothing: the store is in PostgreSQL, which the warm process alone asks, and that is switched off',
      remedy:
        'Take `warm: false` out of the configuration (and MADELEINE_WARM out of the environment), where hooks are used',
    },
  ]
}

/** The last hook that failed lately: it printed nothing then, so that nobody has seen it. */
export function findFailedHook({ surroundings }: Invocation, now: Date): Finding[] {
  const failure = readLastFailure(dataFolderOf(surroundings))
  if (failure === null || !(now.getTime() - Date.parse(failure.at) < RECENT_MS)) return []
  return [
    {
      id: 'hook-failed',
      severity: 'warning',
      message: `A hook gave nothing on ${failure.at.slice(0, 19).replace('T', ' ')} UTC (${failure.event}): ${failure.reason}`,
      remedy: `See hook.log in ${dataFolderOf(surroundings)}; run the hook by hand with MADELEINE_DEBUG=1`,
    },
  ]
}
