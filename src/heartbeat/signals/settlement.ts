import type { NotedCue } from '../../model/cue.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { CUES_A_KIND, PENDING } from '../heartbeat-options.ts'
import { wasSaid } from './said.ts'

/** Content words that two lines have to share, where they have so many. */
const MIN_SHARED = 2
/** Outcomes that are compared with one line: those that share its rarest words come first. */
const MAX_COMPARED = 60

/** What a line is about. */
type About = Pick<NotedCue, 'subject'>

/** What is known to be done, decided or over. */
export interface Settlement {
  /** The outcome that settles a line: said at the same time or later, and about most of what it is about. */
  find(cue: Pick<NotedCue, 'subject' | 'occurredAt' | 'memoryId'>): NotedCue | undefined
  /** How much of what `a` is about `b` is about, by the weight of its words, [0,1]: rare words count more. */
  share(a: About, b: About): number
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
  const byTerm = groupByTerm(outcomes)
  const weights = new Map<string, number>()
  const weightOf = (term: string): number => {
    const known = weights.get(term)
    if (known !== undefined) return known
    const weight = Math.log(2 + outcomes.length / (1 + (byTerm.get(term)?.length ?? 0)))
    weights.set(term, weight)
    return weight
  }
  const termsOf = rememberTerms()
  const share: Settlement['share'] = (a, b) => {
    const others = termsOf(b)
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
  const settles = (outcome: About, cue: About): boolean =>
    share(cue, outcome) >= PENDING.share ||
    (outcome.subject.length >= MIN_SHARED && share(outcome, cue) >= PENDING.whole)
  return {
    share,
    find(cue) {
      const rarestFirst = cue.subject.toSorted((a, b) => weightOf(b) - weightOf(a))
      const candidates = new Set<NotedCue>()
      for (const term of rarestFirst) {
        for (const outcome of byTerm.get(term) ?? []) if (candidates.size < MAX_COMPARED) candidates.add(outcome)
      }
      return [...candidates].find((outcome) => isLater(outcome, cue) && settles(outcome, cue))
    },
  }
}

function groupByTerm(outcomes: readonly NotedCue[]): Map<string, NotedCue[]> {
  const byTerm = new Map<string, NotedCue[]>()
  for (const outcome of outcomes) {
    for (const term of outcome.subject) {
      const known = byTerm.get(term)
      if (known) known.push(outcome)
      else byTerm.set(term, [outcome])
    }
  }
  return byTerm
}

/** One line is compared with many. */
function rememberTerms(): (about: About) => ReadonlySet<string> {
  const known = new WeakMap<About, ReadonlySet<string>>()
  return (about) => {
    const terms = known.get(about) ?? new Set(about.subject)
    known.set(about, terms)
    return terms
  }
}

/** An outcome without a date settles what is in its own memory only. */
function isLater(outcome: NotedCue, cue: Pick<NotedCue, 'occurredAt' | 'memoryId'>): boolean {
  if (outcome.occurredAt === undefined || cue.occurredAt === undefined) return outcome.memoryId === cue.memoryId
  return Date.parse(outcome.occurredAt) >= Date.parse(cue.occurredAt)
}
