import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore, StoredDocument } from '../../store/memory-store.ts'
import { tokenize } from '../../text/tokenize.ts'
import { LINK_CANDIDATES } from '../correlation-options.ts'
import { meantPaths, namesOfPath, pathKeysOf, toName } from '../document-names.ts'
import type { WrittenLink } from '../read-links.ts'

/** A document, or a heading in it. */
type NamedPlace = Pick<StoredDocument, 'root' | 'path'>

/** What a link stands in. */
interface Linking {
  place: NamedPlace
}

interface ReadDocument {
  isVisible: boolean
  headings: ReadonlySet<string>
  /** Its first memory. */
  beginning: string[]
}

/** What a link means: one document; or none or several, of which it could be one of these. */
export type ResolvedLink = { place: NamedPlace } | { candidates: NamedPlace[] }

/**
 * Tells what links name: a document by its path or file name, else a heading, else a memory by its id. By exact name only, letter case
 * and Unicode composition aside: what is merely like the name is no answer. Of several documents of one name the one beside the
 * linking one is meant, where there is just one.
 */
export class LinkResolver {
  readonly #store: MemoryStore
  readonly #filter: MemoryFilter
  #documents: Promise<DocumentIndex> | undefined
  readonly #known = new Map<string, ReadDocument>()
  readonly #byHeading = new Map<string, NamedPlace[]>()

  constructor(store: MemoryStore, filter: MemoryFilter) {
    this.#store = store
    this.#filter = filter
  }

  async resolve({ kind, target, heading }: WrittenLink, from: Linking): Promise<ResolvedLink> {
    if (target === '') return this.#withHeading(from.place, heading)
    const documents = kind === 'markdown' ? await this.#findByPath(target, from) : await this.#findByName(target)
    const meant = chooseNear(documents, from)
    if (meant) return this.#withHeading(meant, heading)
    if (documents.length > 0 || kind === 'markdown') return { candidates: documents }
    if ((await this.#store.relationships.count([target], { filter: this.#filter })).length > 0) {
      return { place: from.place }
    }
    const named = await this.#findByHeading(target)
    const own = chooseNear(named, from)
    return own ? { place: own } : { candidates: named }
  }

  /** The id of the memory with which a document begins; none where the filter shows nothing of it. */
  async beginningOf(place: NamedPlace): Promise<string[]> {
    return (await this.#read(place)).beginning
  }

  /** The document where it has the heading; else it is what could be meant. */
  async #withHeading(place: NamedPlace, heading: string | undefined): Promise<ResolvedLink> {
    if (heading === undefined || (await this.#read(place)).headings.has(toName(heading))) return { place }
    return { candidates: [place] }
  }

  async #findByName(target: string): Promise<NamedPlace[]> {
    const { byName } = await this.#index()
    return this.#keepVisible(byName.get(toName(target)) ?? [])
  }

  async #findByPath(target: string, from: Linking): Promise<NamedPlace[]> {
    const { byPath } = await this.#index()
    for (const meant of meantPaths(target, from.place.path)) {
      const visible = await this.#keepVisible(byPath.get(meant) ?? [])
      if (visible.length > 0) return visible
    }
    return []
  }

  /** Documents that have the heading. The index proposes, the name alone decides. */
  async #findByHeading(target: string): Promise<NamedPlace[]> {
    const wanted = toName(target)
    const known = this.#byHeading.get(wanted)
    if (known) return known
    const terms = tokenize(target).map(({ term }) => ({ term, field: 'text' as const, weight: 1 }))
    if (terms.length === 0) return []
    const query = { terms, vectors: [], filter: this.#filter, limit: LINK_CANDIDATES.looked }
    const { candidates } = await this.#store.findCandidates(query)
    const places = candidates
      .filter(({ memory: { headerPath } }) => headerPath.some((header) => toName(header) === wanted))
      .map(({ memory: { place } }) => place)
    const named = [...new Map(places.map(({ root, path }) => [`${root}\0${path}`, { root, path }])).values()]
    this.#byHeading.set(wanted, named.sort(comparePlaces))
    return named
  }

  async #keepVisible(documents: readonly NamedPlace[]): Promise<NamedPlace[]> {
    const visible: NamedPlace[] = []
    for (const place of documents) if ((await this.#read(place)).isVisible) visible.push(place)
    return visible.sort(comparePlaces)
  }

  /** Each document once, however many links name it. */
  async #read({ root, path }: NamedPlace): Promise<ReadDocument> {
    const key = `${root}\0${path}`
    const known = this.#known.get(key)
    if (known) return known
    const placed = await this.#store.listDocumentMemories({ root, path }, this.#filter)
    const headings = new Set(placed.flatMap(({ memory }) => memory.headerPath.map(toName)))
    const beginning = placed.slice(0, 1).map(({ memory }) => memory.id)
    const read = { isVisible: placed.length > 0, headings, beginning }
    this.#known.set(key, read)
    return read
  }

  #index(): Promise<DocumentIndex> {
    this.#documents ??= this.#store.listDocuments().then(indexDocuments)
    return this.#documents
  }
}

/** Documents by what they can be called. */
interface DocumentIndex {
  byName: ReadonlyMap<string, readonly NamedPlace[]>
  byPath: ReadonlyMap<string, readonly NamedPlace[]>
}

function indexDocuments(documents: readonly StoredDocument[]): DocumentIndex {
  const byName = new Map<string, NamedPlace[]>()
  const byPath = new Map<string, NamedPlace[]>()
  const note = (index: Map<string, NamedPlace[]>, keys: readonly string[], place: NamedPlace): void => {
    for (const key of new Set(keys)) {
      const known = index.get(key)
      if (known) known.push(place)
      else index.set(key, [place])
    }
  }
  for (const { root, path } of documents) {
    note(byName, namesOfPath(path), { root, path })
    note(byPath, pathKeysOf({ root, path }), { root, path })
  }
  return { byName, byPath }
}

/** The only one; or the only one that stands where the linking memory does: in its document, else in its folder. */
function chooseNear(places: readonly NamedPlace[], { place: from }: Linking): NamedPlace | undefined {
  const beside = places.filter(({ root }) => root === from.root)
  const own = beside.filter(({ path }) => path === from.path)
  const near = beside.filter(({ path }) => folderOf(path) === folderOf(from.path))
  for (const some of [places, own, near]) if (some.length === 1) return some[0]
  return undefined
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function comparePlaces(a: NamedPlace, b: NamedPlace): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  if (a.root === b.root) return 0
  return a.root < b.root ? -1 : 1
}
