import { ROSTER_PART_MEMORIES } from '../../options.ts'

/** Which part of its document's roster holds the memory at a position. */
export function partOf(position: number): number {
  return Math.floor(position / ROSTER_PART_MEMORIES)
}

/** The first position of a part. */
export function firstOf(part: number): number {
  return part * ROSTER_PART_MEMORIES
}
