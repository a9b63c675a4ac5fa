import type { Finding } from '../model/engine.ts'
import type { RecalledTurn } from '../model/recall.ts'
import { DEGRADED_RECALLS, TURN_LOG } from '../options.ts'
import { toIsoWithOffset } from '../text/dates.ts'
import { isPause } from './model-breaker.ts'

/** What a recall may go without: in words, how bad that is, and what to do. */
interface Part {
  name: string
  severity: Finding['severity']
  remedy: string
}

const MORE_TIME = 'give recall more time (recall.deadlineMs; "madeleine config" shows it)'
const PARTS: Record<string, Part> = {
  vector: {
    name: 'the model',
    severity: 'warning',
    remedy: `See whether other findings speak of the model; where it answers but too late, ${MORE_TIME} or choose another embedding`,
  },
  'vector-identity': {
    name: 'the model',
    severity: 'warning',
    remedy: 'Run "madeleine index": it embeds anew what is of another model',
  },
  'vector-dimensions': {
    name: 'the model',
    severity: 'warning',
    remedy: 'Check the model behind the configured name, or run "madeleine index --full" to embed everything anew',
  },
  recall: {
    name: 'an answer',
    severity: 'warning',
    remedy: `Where time ran out, ${MORE_TIME}; else do what the reason says`,
  },
  context: {
    name: 'the words of the conversation',
    severity: 'info',
    remedy: `Let the prompts stand alone, or ${MORE_TIME}`,
  },
  'injected-state': {
    name: 'noting what was shown, so that a session may be shown it again',
    severity: 'info',
    remedy: 'See that the store may be written to, and that no other process writes to it all the time',
  },
}

/** Vectors that were never made are the one lack that the model has no part in. */
const VECTORS_PENDING = /wait for their vectors/

/**
 * What the last DEGRADED_RECALLS or more recalls all went without: one is a busy minute, so many are a fault that nobody sees, since
 * a recall goes on with less. `turns` are the newest first; those that needed no memory prove nothing.
 */
export function findRecallTroubles(turns: readonly RecalledTurn[], timeZone: string): Finding[] {
  const asked = turns.slice(0, TURN_LOG.turns).filter(({ skipped }) => !skipped)
  const parts = new Set(asked[0]?.degraded.map(({ part }) => part))
  return [...parts].flatMap((part): Finding[] => {
    const firstWhole = asked.findIndex(({ degraded }) => degraded.every((lack) => lack.part !== part))
    const run = firstWhole === -1 ? asked : asked.slice(0, firstWhole)
    const [newest] = run
    if (!newest || run.length < DEGRADED_RECALLS) return []
    const reason = mostFrequent(
      run.flatMap(({ degraded }) => degraded.find((lack) => lack.part === part)?.reason ?? []),
    )
    const { name, severity, remedy } = PARTS[part] ?? {
      name: part,
      severity: 'warning',
      remedy: 'Do what the reason says',
    }
    const until = toIsoWithOffset(new Date(newest.at.replace(/\.\d+/, '')), timeZone)
    return [
      {
        id: 'recall-degraded',
        severity,
        message: `The last ${run.length} recalls, up to ${until}, all went without ${name}: ${reason}`,
        remedy: VECTORS_PENDING.test(reason) ? 'Run "madeleine index": it makes the vectors' : remedy,
      },
    ]
  })
}

/** The reason that was given most often, of equals the first; that the model is paused is none while another is known. */
function mostFrequent(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const rank = ([reason, count]: readonly [string, number]): number => (isPause(reason) ? 0 : count)
  return [...counts].sort((a, b) => rank(b) - rank(a))[0]?.[0] ?? ''
}
