import type { NotedCue } from '../../model/cue.ts'
import { occurredMs } from '../canonical-place.ts'
import { type CueQuery, compareCues, dueMs, noteCues } from '../noted-cues.ts'
import type { Corpus } from './corpus.ts'
import { passesFilter } from './find-by-brute-force.ts'

/** The cues that a query asks for, read from all memories that the filter lets through. */
export function findCuesByBruteForce(corpus: Corpus, query: CueQuery, timeZone: string): NotedCue[] {
  const { kinds, filter, due, saidFromMs, limit } = query
  const isAsked = (cue: NotedCue): boolean => {
    const [at, said] = [dueMs(cue), occurredMs(cue)]
    return (
      kinds.includes(cue.kind) &&
      (due === undefined || (at !== null && at >= due.fromMs && at < due.toMs)) &&
      (saidFromMs === undefined || (said !== null && said >= saidFromMs))
    )
  }
  return [...corpus.memories.values()]
    .filter((held) => passesFilter(held, filter))
    .flatMap(({ memory }) => noteCues({ content: memory, place: memory.place }, timeZone))
    .filter(isAsked)
    .sort((a, b) => compareCues(a, b, due !== undefined))
    .slice(0, limit)
}
