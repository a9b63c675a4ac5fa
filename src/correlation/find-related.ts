import type { Memory } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import type { MemoryStore, Neighbour } from '../store/memory-store.ts'
import { compareSketches } from './compare-sketches.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { CANDIDATES, LINKING } from './correlation-options.ts'
import { KeyBook } from './key-book.ts'
import { LinkMeanings } from './link-meanings.ts'
import { type FoundRelationship, type PairQuestion, relatePair } from './relate-pair.ts'
import { listNamedIds, listSubjectKeys } from './subject-keys.ts'
import { shareReading } from './text-reading.ts'
import { isRelatable, toCompared } from './to-compared.ts'

/** What is looked through, and how strong a relationship has to be. */
export interface RelatedSearch {
  identity: string | null
  filter: MemoryFilter
  minScore: number
}

/** A candidate that is worth comparing. */
interface Contender extends Neighbour, Pick<PairQuestion, 'seeksConflict' | 'known'> {}

/** Finds the relationships of stored memories; keeps what it read for the next ones. */
export class RelatedFinder {
  readonly #store: MemoryStore
  readonly #book = new KeyBook()
  readonly #meanings = new Map<string, LinkMeanings>()
  /** Those read last, taken apart, the last one at the end. */
  readonly #memories = new Map<string, ComparedMemory>()
  /** What has no relationships. */
  readonly #unrelatable = new Set<string>()
  /** Pairs that were compared in full. */
  pairs = 0

  constructor(store: MemoryStore) {
    this.#store = store
  }

  /** For each memory what relates it to any other that the filter shows, as `relatePair` has it. */
  async find(memories: readonly Memory[], search: RelatedSearch): Promise<Map<string, FoundRelationship[]>> {
    const { identity, filter, minScore } = search
    this.#book.makeRoom()
    const meanings = this.#meaningsUnder(filter)
    const subjects: Array<{ memory: ComparedMemory; also: string[] }> = []
    for (const compared of memories.filter(isRelatable).map((memory) => this.#renew(memory))) {
      const also = [...listNamedIds(compared), ...(await meanings.listBeginnings(compared))]
      subjects.push({ memory: await meanings.read(compared), also })
    }
    const neighbours = await this.#store.findNeighbours({
      memories: subjects.map(({ memory, also }) => ({ id: memory.id, keys: listSubjectKeys(memory), also })),
      ...(identity !== null && { identity }),
      filter,
      limit: CANDIDATES.nearest,
    })
    await this.#sketch([...neighbours.values()].flat().map(({ id }) => id))
    const contenders = subjects.map(({ memory }) => ({
      memory,
      list: this.#pickContenders(memory, neighbours.get(memory.id) ?? [], minScore),
    }))
    const found = new Map<string, FoundRelationship[]>()
    for (const { memory, list } of contenders) {
      const others = await this.#read(list.map(({ id }) => id))
      const relationships: FoundRelationship[] = []
      for (const { id, ...question } of list) {
        const other = others.get(id)
        if (!other) continue
        this.pairs += 1
        relationships.push(...relatePair(memory, await meanings.read(other), { minScore, ...question }))
      }
      found.set(memory.id, relationships)
    }
    return found
  }

  #meaningsUnder(filter: MemoryFilter): LinkMeanings {
    const key = JSON.stringify(filter)
    const known = this.#meanings.get(key) ?? new LinkMeanings(this.#store, filter)
    this.#meanings.set(key, known)
    return known
  }

  /** Those whose score may suffice or who may state something, and of the rest those most alike, which may say the contrary. */
  #pickContenders(memory: ComparedMemory, neighbours: readonly Neighbour[], minScore: number): Contender[] {
    const own = this.#book.renew(memory)
    const rated = neighbours.flatMap(({ id, cosine }) => {
      const other = this.#book.find(id)
      const signals = cosine === undefined ? {} : { cosine }
      return other ? [{ id, ...signals, outlook: compareSketches(own, other, { ...signals, minScore }) }] : []
    })
    const doubtful = new Set(
      rated
        .filter(({ outlook }) => outlook.mayConflict)
        .sort((a, b) => b.outlook.alike - a.outlook.alike || (a.id < b.id ? -1 : 1))
        .slice(0, CANDIDATES.conflicts)
        .map(({ id }) => id),
    )
    return rated
      .filter(({ id, outlook }) => outlook.mayState || outlook.mayReach || doubtful.has(id))
      .map(({ id, cosine, outlook }) => ({
        id,
        seeksConflict: doubtful.has(id),
        known: outlook,
        ...(cosine !== undefined && { cosine }),
      }))
  }

  /** Ids of the memories that are held taken apart, the last one first. */
  listHeld(): string[] {
    return [...this.#memories.keys()].reverse()
  }

  /** The memory as it is now, with what was made of its text where that is the same. */
  #renew(memory: Memory): ComparedMemory {
    const compared = toCompared(memory)
    const held = this.#memories.get(memory.id)
    if (held) shareReading(held, compared)
    this.#hold(compared)
    return compared
  }

  /** Reads what is not sketched yet, a round at a time. Hardly any of it will be compared: it takes no place of what is held. */
  async #sketch(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#book.find(id) && !this.#unrelatable.has(id))
    for (let at = 0; at < unknown.length; at += LINKING.batch) {
      for (const memory of await this.#store.getMemories(unknown.slice(at, at + LINKING.batch))) {
        if (!isRelatable(memory)) {
          if (this.#unrelatable.size >= LINKING.sketches) this.#unrelatable.clear()
          this.#unrelatable.add(memory.id)
          continue
        }
        const compared = toCompared(memory)
        this.#book.add(compared)
        if (this.#memories.size < LINKING.readings) this.#hold(compared)
      }
    }
  }

  async #read(ids: readonly string[]): Promise<Map<string, ComparedMemory>> {
    const unknown = ids.filter((id) => !this.#memories.has(id))
    const read = new Map<string, ComparedMemory>()
    if (unknown.length > 0)
      for (const memory of await this.#store.getMemories(unknown)) read.set(memory.id, toCompared(memory))
    return new Map(
      ids.flatMap((id): [string, ComparedMemory][] => {
        const memory = read.get(id) ?? this.#memories.get(id)
        if (!memory) return []
        this.#hold(memory)
        return [[id, memory]]
      }),
    )
  }

  /** Keeps the memories read last, with what was made of their texts. */
  #hold(memory: ComparedMemory): void {
    this.#memories.delete(memory.id)
    this.#memories.set(memory.id, memory)
    for (const oldest of this.#memories.keys()) {
      if (this.#memories.size <= LINKING.readings) break
      this.#memories.delete(oldest)
    }
  }
}
