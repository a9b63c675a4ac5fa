import type { Anchor, LinkedMemory, RelationshipRows } from './kept.ts'
import { sketchOf } from './sketch.ts'

/** The anchor of a memory as it stands now. */
export function makeAnchor({ content, place }: LinkedMemory): Anchor {
  const { root, path, position, turnId } = place
  return {
    id: content.id,
    scope: { ...content.scope },
    root,
    path,
    position,
    ...(turnId !== undefined && { turnId }),
    sketch: sketchOf(content.text),
  }
}

/** Notes where the ends of what cannot be rebuilt stand, as far as they are there. */
export function anchorEnds(rows: RelationshipRows, ids: readonly string[]): void {
  for (const id of ids) {
    if (rows.anchor(id)) continue
    const memory = rows.memory(id)
    if (memory) rows.writeAnchor(makeAnchor(memory))
  }
}
