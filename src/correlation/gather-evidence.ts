import type { EvidenceSpan } from '../model/relationship.ts'
import type { ComparedMemory } from './compared-memory.ts'
import type { Conflict } from './conflict.ts'
import { type Rarity, weighKeys } from './correlation-score.ts'
import { findConflict } from './find-conflict.ts'
import { findReferences } from './find-references.ts'
import type { Reference } from './reference.ts'
import { readingOf, type TextReading } from './text-reading.ts'

/** All that is known of how two memories bear on each other; what `classifyRelationship` decides by. */
export interface RelationshipEvidence {
  /** Explicit references, each side's to the other. */
  references: { fromA: Reference[]; fromB: Reference[] }
  conflict: Conflict | null
  /** Share of what one says that the other says as well, by weight, [0,1]. */
  coverage: { ofA: number; ofB: number }
  /** How many terms and entities they have in common. */
  shared: number
  /** Entities that both name, with the first place in each. */
  sharedEntities: { key: string; a: { start: number; end: number }; b: { start: number; end: number } }[]
  /** Cosine of the two; absent where there are no vectors. */
  cosine?: number
}

export interface EvidenceSignals {
  cosine?: number
  rarity?: Rarity
  /** Where they are known already. */
  references?: RelationshipEvidence['references']
  conflict?: Conflict | null
}

/** Looks at both texts for everything that may relate them. Costs what their lengths are, whichever order they come in; each is taken apart once for as long as the memory is held. */
export function gatherEvidence(
  a: ComparedMemory,
  b: ComparedMemory,
  signals: EvidenceSignals = {},
): RelationshipEvidence {
  const { cosine, rarity, references = findBothReferences(a, b), conflict } = signals
  const [readA, readB] = [readingOf(a), readingOf(b)]
  const [keysA, keysB] = [weighKeys(readA, rarity), weighKeys(readB, rarity)]
  const common = [...keysA.keys()].filter((key) => keysB.has(key))
  const share = (keys: ReadonlyMap<string, number>): number => {
    let [all, held] = [0, 0]
    for (const weight of keys.values()) all += weight
    for (const key of common) held += keys.get(key) ?? 0
    return all === 0 ? 0 : Math.min(1, held / all)
  }
  return {
    references,
    conflict: conflict === undefined ? findConflict(readA, readB, rarity) : conflict,
    coverage: { ofA: share(keysA), ofB: share(keysB) },
    shared: common.length,
    sharedEntities: findSharedEntities(readA, readB),
    ...(cosine !== undefined && Number.isFinite(cosine) && { cosine }),
  }
}

/** Explicit references, each side's to the other. */
export function findBothReferences(a: ComparedMemory, b: ComparedMemory): RelationshipEvidence['references'] {
  return { fromA: findReferences(a, b), fromB: findReferences(b, a) }
}

/** The same evidence, seen from the other memory. */
export function exchangeSides(evidence: RelationshipEvidence): RelationshipEvidence {
  const { references, conflict, coverage, sharedEntities } = evidence
  const turn = ({ side, start, end }: EvidenceSpan): EvidenceSpan => ({
    side: side === 'source' ? 'target' : 'source',
    start,
    end,
  })
  return {
    ...evidence,
    references: { fromA: references.fromB, fromB: references.fromA },
    conflict: conflict && {
      ...conflict,
      evidence: conflict.evidence.map(turn).reverse(),
      words: [conflict.words[1], conflict.words[0]],
      statements: [conflict.statements[1], conflict.statements[0]],
    },
    coverage: { ofA: coverage.ofB, ofB: coverage.ofA },
    sharedEntities: sharedEntities.map(({ key, a, b }) => ({ key, a: b, b: a })),
  }
}

function findSharedEntities(a: TextReading, b: TextReading): RelationshipEvidence['sharedEntities'] {
  const places = new Map(
    b.entities.map((entity) => [entity.key, entity]).reverse() as [string, { start: number; end: number }][],
  )
  const found = new Map<string, RelationshipEvidence['sharedEntities'][number]>()
  for (const { key, start, end } of a.entities) {
    const place = places.get(key)
    if (place && !found.has(key)) found.set(key, { key, a: { start, end }, b: { start: place.start, end: place.end } })
  }
  return [...found.values()]
}
