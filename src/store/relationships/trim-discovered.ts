import { isStated } from '../../model/relationship.ts'
import { compareStrength, otherEnd } from './canonical.ts'
import type { KeptRelationship, RelationshipRows } from './kept.ts'

/** RelationshipStore.trimDiscovered over the rows of a store. */
export function trimDiscovered(rows: RelationshipRows, ids: readonly string[], keep: number): number {
  let removed = 0
  for (const id of new Set(ids)) {
    const found = rows.withEnd(id).filter(({ origin }) => origin === 'discovered')
    if (found.length <= keep) continue
    const counts = new Map<string, number>()
    found.sort((a, b) => Number(isStated(b)) - Number(isStated(a)) || compareStrength(a, b))
    for (const one of found) {
      const audience = audienceOf(rows, one, id)
      const count = (counts.get(audience) ?? 0) + 1
      counts.set(audience, count)
      if (count <= keep) continue
      rows.drop(one)
      removed += 1
    }
  }
  return removed
}

/** Who may see the other end: what one agent is not shown takes the place of nothing that it is shown. */
function audienceOf(rows: RelationshipRows, one: KeptRelationship, id: string): string {
  const scope = rows.scopeOf(otherEnd(one, id))
  return !scope || scope.visibility === 'global' ? '' : `${scope.agent}\0${scope.project}`
}
