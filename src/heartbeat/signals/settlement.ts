import type { NotedCue } from '../../model/cue.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { CUES_A_KIND, PENDING } from '../heartbeat-options.ts'
import { wasSaid } from './said.ts'

/** Content words that two lines have to share, where they have so many. */
const MIN_SHARED = 2

/** What is known to be done, decided or over. */
export interface Settlement {
  /** The outcome that settles a line: said at the same time or later, and about most of what it is about. */
  find(cue: Pick<NotedCue, 'subject' | 'occurredAt' | 'memoryId'>): NotedCue | undefined
  /** How much of what `a` is about `b` is about, by the weight of its words, [0,1]: rare words count more. */
  share(a: Pick<NotedCue, 'subject'>, b: Pick<NotedCue, 'subject'>): number
}

/** Reads what was reported to be done, newest first, and weighs words by how few of these lines have them. */
export async function readSettlement(
  store: MemoryStore,
  { filter, now }: { filter: MemoryFilter; now: Date },
): Promise<Settlement> {
  const listed = await store.listCues({ kinds: ['outcome', 'good_news'], filter, limit: 2 * CUES_A_KIND })
  return createSettlement(listed.filter((cue) => wasSaid(cue, now)))
}

/** The same over outcomes that are at hand. */
export function createSettlement(outcomes: readonly NotedCue[]): Settlement {
  const byTerm = new Map<string, NotedCue[]>()
  for (const outcome of outcomes) {
    for (const term of outcome.subject) {
      const known = byTerm.get(term)
      if (known) known.push(outcome)
      else byTerm.set(term, [outcome])
    }
  }
  const weightOf = (term: string): number => Math.log(2 + outcomes.length / (1 + (byTerm.get(term)?.length ?? 0)))
  const share: Settlement['share'] = (a, b) => {
    const others = new Set(b.subject)
    let [shared, total, count] = [0, 0, 0]
    for (const term of a.subject) {
      const weight = weightOf(term)
      total += weight
      if (!others.has(term)) continue
      shared += weight
      count += 1
    }
    return count >= Math.min(MIN_SHARED, a.subject.length) && total > 0 ? shared / total : 0
  }
  /** It is about most of the line, or about nothing else: "Dropped the slot" settles "Drop the slot, the role and the rule". */
  const settles = (outcome: Pick<NotedCue, 'subject'>, cue: Pick<NotedCue, 'subject'>): boolean =>
    share(cue, outcome) >= PENDING.share ||
    (outcome.subject.length >= MIN_SHARED && share(outcome, cue) >= PENDING.whole)
  return {
    share,
    find(cue) {
      const candidates = new Set(cue.subject.flatMap((term) => byTerm.get(term) ?? []))
      return [...candidates].find((outcome) => isLater(outcome, cue) && settles(outcome, cue))
    },
  }
}

/** An outcome without a date settles what is in its own memory only. */
function isLater(outcome: NotedCue, cue: Pick<NotedCue, 'occurredAt' | 'memoryId'>): boolean {
  if (outcome.occurredAt === undefined || cue.occurredAt === undefined) return outcome.memoryId === cue.memoryId
  return Date.parse(outcome.occurredAt) >= Date.parse(cue.occurredAt)
}
