import type { Hit } from '../model/search.ts'

/** How a turn shows what it ran. */
const CALL = /^\[tool\] /m
/** Results stand right behind the turn that asked for them, one for each call. */
const MAX_CALLS = 8

/**
 * The hits with what came of a call right behind it, where both were found: what was run says little without what it gave, whose own words are
 * often not those of the question. Nothing is dropped, and the rest keep their order.
 */
export function bringOutcomes(hits: readonly Hit[]): Hit[] {
  const outcomes = new Map(hits.filter(({ memory }) => memory.role === 'tool').map((hit) => [placeOf(hit, 0), hit]))
  const taken = new Set<Hit>()
  return hits.flatMap((hit) => {
    if (taken.has(hit)) return []
    taken.add(hit)
    const own = outcomesOf(hit, outcomes).filter((outcome) => !taken.has(outcome))
    for (const outcome of own) taken.add(outcome)
    return [hit, ...own]
  })
}

function outcomesOf(hit: Hit, outcomes: ReadonlyMap<string, Hit>): Hit[] {
  if (hit.memory.role !== 'assistant' || !CALL.test(hit.memory.text)) return []
  const found: Hit[] = []
  for (let after = 1; after <= MAX_CALLS; after++) {
    const outcome = outcomes.get(placeOf(hit, after))
    if (!outcome) break
    found.push(outcome)
  }
  return found
}

function placeOf({ memory: { place } }: Hit, after: number): string {
  return `${place.root}\0${place.path}\0${place.position + after}`
}
