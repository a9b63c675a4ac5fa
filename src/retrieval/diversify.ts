import { formatHeader } from '../model/memory.ts'
import { CURATED_MIN_SHARE, MAX_PIECES_PER_SECTION } from '../options.ts'
import type { FusedCandidate } from './fuse.ts'

const FIRST = 5
const CURATED_PLACE = 2

function sectionOf({ candidate: { memory } }: FusedCandidate): string {
  // A turn is its own section: pieces of one long message count together, messages of one talk do not.
  return `${memory.place.root}\0${memory.place.path}\0${memory.place.turnId ?? formatHeader(memory.headerPath)}`
}

/** Moves all but the best two pieces of one section behind the first five results. Nothing is dropped. */
function spreadSections(ranked: readonly FusedCandidate[]): FusedCandidate[] {
  const { first, rest } = fillFirst(ranked)
  return [...first, ...rest]
}

function fillFirst(ranked: readonly FusedCandidate[]): { first: FusedCandidate[]; rest: FusedCandidate[] } {
  const counts = new Map<string, number>()
  const first: FusedCandidate[] = []
  const rest: FusedCandidate[] = []
  for (const one of ranked) {
    if (first.length >= FIRST) {
      rest.push(one)
      continue
    }
    const section = sectionOf(one)
    const count = counts.get(section) ?? 0
    if (count >= MAX_PIECES_PER_SECTION) rest.push(one)
    else {
      counts.set(section, count + 1)
      first.push(one)
    }
  }
  return { first, rest }
}

/** Lifts the best curated note to the third place when talk alone fills the first three and the note is nearly as good. */
function liftCurated(ranked: readonly FusedCandidate[]): FusedCandidate[] {
  const top = ranked[0]
  const index = ranked.findIndex(({ candidate }) => candidate.memory.category === 'memory')
  const note = ranked[index]
  if (!top || !note || index <= CURATED_PLACE || note.fused < CURATED_MIN_SHARE * top.fused) return [...ranked]
  const others = ranked.filter((one) => one !== note)
  return [...others.slice(0, CURATED_PLACE), note, ...others.slice(CURATED_PLACE)]
}

/**
 * Whether those after `next` and it can no longer change the first `count` of the diversified order of `ranked`: the first places
 * are filled, and no note that is still to come could be lifted.
 */
export function isSettled(ranked: readonly FusedCandidate[], next: FusedCandidate, count: number): boolean {
  const top = ranked[0]
  if (!top || ranked.length < count) return false
  const hasNote = ranked.some(({ candidate }) => candidate.memory.category === 'memory')
  if (!hasNote && next.fused >= CURATED_MIN_SHARE * top.fused) return false
  const { first } = fillFirst(ranked)
  return first.length >= FIRST
}

/** Keeps the first results different from each other: pieces of one section, and talk that crowds out the note on it. */
export function diversify(ranked: readonly FusedCandidate[]): FusedCandidate[] {
  return liftCurated(spreadSections(ranked))
}
