import type { MemoryFilter } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { LinkResolver } from './graph/resolve-link.ts'
import type { WrittenLink } from './read-links.ts'
import { readingOf, shareReading } from './text-reading.ts'

/** Looks up what the links of memories mean among the documents that a filter shows: two texts alone do not tell which of several is meant. */
export class LinkMeanings {
  readonly #resolver: LinkResolver
  readonly #known = new WeakMap<ComparedMemory, ComparedMemory>()

  constructor(store: MemoryStore, filter: MemoryFilter) {
    this.#resolver = new LinkResolver(store, filter)
  }

  /** The memory with what its wikilinks mean; the same one where it has none. */
  async read(memory: ComparedMemory): Promise<ComparedMemory> {
    const known = this.#known.get(memory)
    if (known) return known
    const wikilinks = readingOf(memory).links.filter(({ kind }) => kind === 'wikilink')
    const meant = new Map<number, { root: string; path: string } | null>()
    for (const link of wikilinks) meant.set(link.start, await this.#placeOf(link, memory))
    const read = wikilinks.length === 0 ? memory : { ...memory, meant }
    shareReading(memory, read)
    this.#known.set(memory, read)
    return read
  }

  /** Ids of the memories with which the documents begin that it links to or names by path. */
  async listBeginnings(memory: ComparedMemory): Promise<string[]> {
    const { text, links, entities } = readingOf(memory)
    const { meant } = await this.read(memory)
    const paths = [
      ...links.filter(({ kind }) => kind === 'markdown'),
      ...entities.flatMap(({ kind, start, end }): WrittenLink[] =>
        kind === 'path' ? [{ kind: 'markdown', target: text.slice(start, end), start, end }] : [],
      ),
    ]
    const ids: string[] = []
    for (const place of meant?.values() ?? []) if (place) ids.push(...(await this.#resolver.beginningOf(place)))
    for (const path of paths) {
      const place = await this.#placeOf(path, memory)
      if (place) ids.push(...(await this.#resolver.beginningOf(place)))
    }
    return [...new Set(ids)].filter((id) => id !== memory.id)
  }

  async #placeOf(link: WrittenLink, from: ComparedMemory): Promise<{ root: string; path: string } | null> {
    const resolved = await this.#resolver.resolve(link, from)
    return 'place' in resolved ? resolved.place : null
  }
}
