import type { Occurrence } from '../canonical-place.ts'
import type { DocumentWrite } from '../memory-store.ts'
import { otherPartError } from '../store-errors.ts'
import type { HeldDocument } from './corpus.ts'

/** The position at which a part begins: after what the part that it follows settled. */
export function startOfPart({ head, part }: DocumentWrite, known: HeldDocument | undefined): number {
  if (part?.after === undefined) return 0
  if (known?.reading?.cursor !== part.after) throw otherPartError(head.path)
  return known.reading.settled
}

/** Memories that a document held and holds no more, to stand after all others. */
export function moveToEnd(before: readonly Occurrence[], now: readonly Occurrence[]): Occurrence[] {
  const present = new Set(now.map(({ content }) => content.id))
  let position = [...before, ...now].reduce((last, { place }) => Math.max(last, place.position), -1)
  return before.flatMap(({ content, place }) => {
    if (present.has(content.id)) return []
    present.add(content.id)
    position += 1
    return [{ content, place: { ...place, position } }]
  })
}
