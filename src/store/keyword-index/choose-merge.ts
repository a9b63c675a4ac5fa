import { SEGMENT_FAN_IN, SEGMENT_MAX_MEMORIES } from '../../options.ts'

/** A part of the inverted index: the memories of a range of ordinals. */
export interface Segment {
  id: number
  /** First and last ordinal of the range. */
  first: number
  last: number
  memories: number
}

function sizeClass({ memories }: Segment): number {
  return Math.floor(Math.log(Math.max(1, memories)) / Math.log(SEGMENT_FAN_IN))
}

/** Neighbours of one size class or below. `isFull`: another one would not fit into one segment with them. */
interface Run {
  segments: Segment[]
  isFull: boolean
}

/** Many segments, or a full one's worth; and twice as much as the largest: what is large is not written again for little. */
function isWorthwhile({ segments, isFull }: Run): boolean {
  const sizes = segments.map(({ memories }) => memories)
  const isMuch = segments.length >= SEGMENT_FAN_IN || isFull
  return isMuch && sizes.reduce((sum, size) => sum + size, 0) >= 2 * Math.max(...sizes)
}

/**
 * Picks neighbouring segments (given in order) that should become one; none when nothing is due. It looks for runs
 * of small ones first, then lets larger and larger ones join in. So each memory is merged a few times in its life, and the
 * number of segments grows with the logarithm of what was written bit by bit.
 */
export function chooseMerge(segments: readonly Segment[]): Segment[] {
  const limits = [...new Set(segments.map(sizeClass))].sort((a, b) => a - b)
  for (const limit of limits) {
    const run = splitRuns(segments, limit).find(isWorthwhile)
    if (run) return run.segments
  }
  return []
}

/** Longest runs of neighbours of this size class or below that fit into one segment. */
function splitRuns(segments: readonly Segment[], limit: number): Run[] {
  const runs: Run[] = []
  let run: Segment[] = []
  let total = 0
  const end = (isFull: boolean): void => {
    if (run.length > 0) runs.push({ segments: run, isFull })
    run = []
    total = 0
  }
  for (const segment of segments) {
    const isSmall = sizeClass(segment) <= limit && segment.memories < SEGMENT_MAX_MEMORIES
    if (!isSmall) end(false)
    else if (total + segment.memories > SEGMENT_MAX_MEMORIES) end(true)
    if (!isSmall) continue
    run.push(segment)
    total += segment.memories
  }
  end(false)
  return runs
}
