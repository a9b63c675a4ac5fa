import type { MemoryStore } from './memory-store.ts'
import type { RelationshipStore } from './relationship-store.ts'

/** Asks one store or another. */
export type Ask = (question: (store: MemoryStore) => Promise<unknown>) => Promise<unknown>

/** What a search or a recall asks, and what changes nothing. */
const READS: ReadonlySet<PropertyKey> = new Set<keyof MemoryStore>([
  'listDocuments',
  'getMemories',
  'listPlaces',
  'listDocumentMemories',
  'listMemories',
  'countMemories',
  'findCandidates',
  'countHolders',
  'findNeighbours',
  'getVectors',
  'compareWords',
  'counts',
])
const RELATIONSHIP_READS: ReadonlySet<PropertyKey> = new Set<keyof RelationshipStore>([
  'list',
  'count',
  'listConnected',
  'page',
  'listReviews',
])

/** A store whose reads `ask` answers; all else is the store's own affair: what is written, waited for, or kept by name. */
export function routeReads(store: MemoryStore, ask: Ask): MemoryStore {
  const relationships = route(store.relationships, RELATIONSHIP_READS, (from) => from.relationships, ask)
  const routed = route(store, READS, (from) => from, ask)
  return new Proxy(routed, {
    get: (target, name) => (name === 'relationships' ? relationships : Reflect.get(target, name)),
  })
}

function route<T extends object>(
  own: T,
  reads: ReadonlySet<PropertyKey>,
  partOf: (store: MemoryStore) => T,
  ask: Ask,
): T {
  return new Proxy(own, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!reads.has(name)) return value.bind(target)
      return (...given: unknown[]) => ask((store) => callMethod(partOf(store), name, given))
    },
  })
}

async function callMethod(of: object, name: PropertyKey, given: readonly unknown[]): Promise<unknown> {
  const method = Reflect.get(of, name, of) as (...given: readonly unknown[]) => unknown
  return method.apply(of, [...given])
}
