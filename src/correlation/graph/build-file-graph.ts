import { MadeleineError } from '../../errors.ts'
import type { BuildFileGraphParams, FileGraph, FileLink, FileNode } from '../../model/correlation.ts'
import { CATEGORIES, type Memory } from '../../model/memory.ts'
import type { Degraded, MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { type CorrelationContext, checkNumber, checkOneOf } from '../correlation-context.ts'
import { FILE_GRAPH } from '../correlation-options.ts'

/** A file with the memories that stand for it. */
interface ShownFile extends FileNode {
  key: string
  ids: string[]
}

/** Two memories of different files that are alike. */
interface AlikePair {
  aId: string
  bId: string
  cosine: number
}

/**
 * Which files say alike things. Each is represented by its most telling memories (important ones, then long ones); a pair of them links two
 * files from a cosine of `minCosine` on; the most alike pairs come first, until a memory has FILE_GRAPH.perMemory pairs or a file as
 * many other files as FILE_GRAPH.perFile. Where there are very many files, pairs that are far down each other's lists are missed.
 */
export async function buildFileGraph(
  { store, identity, filterOf }: CorrelationContext,
  params: BuildFileGraphParams = {},
): Promise<FileGraph> {
  const { paths, source = 'memory', minCosine = FILE_GRAPH.minCosine, ...asked } = params
  checkNumber('minCosine', minCosine, { from: 0, to: 1 })
  checkOneOf('source', source, [...CATEGORIES, 'all'])
  const filter = { ...filterOf(asked), ...(source !== 'all' && { category: source }) }
  const files = toFiles(await store.listMemories(filter))
  const wanted = paths ? pickFiles(files, paths) : files
  const model = identity()
  const degraded = await findMissingVectors(store, model)
  const pairs = model === null ? [] : await findPairs(store, { files, wanted, filter, identity: model, minCosine })
  const links = toLinks(pairs, files)
  const linked = new Set(links.flatMap(({ a, b }) => [keyOf(a), keyOf(b)]))
  const shown = files.filter((file) => wanted.includes(file) || linked.has(file.key))
  return {
    files: shown.map(({ root, path, memories, representatives }) => ({ root, path, memories, representatives })),
    links,
    // Without vectors nothing is known of any.
    orphans: pairs.length === 0 && degraded.length > 0 ? [] : toPlaces(wanted.filter(({ key }) => !linked.has(key))),
    degraded,
  }
}

function keyOf({ root, path }: { root: string; path: string }): string {
  return `${path}\0${root}`
}

function toPlaces(files: readonly ShownFile[]): Array<{ root: string; path: string }> {
  return files.map(({ root, path }) => ({ root, path }))
}

/** By path, then root; a memory counts for the file of its canonical place. */
function toFiles(memories: readonly Memory[]): ShownFile[] {
  const byFile = new Map<string, Memory[]>()
  for (const memory of memories) {
    const key = keyOf(memory.place)
    byFile.set(key, [...(byFile.get(key) ?? []), memory])
  }
  return [...byFile]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, own]) => {
      const [first] = own
      const telling = own.sort(
        (a, b) => b.importance - a.importance || b.text.length - a.text.length || (a.id < b.id ? -1 : 1),
      )
      const ids = telling.slice(0, FILE_GRAPH.representatives).map(({ id }) => id)
      if (!first) return []
      const { root, path } = first.place
      return [{ key, root, path, memories: own.length, representatives: ids.length, ids }]
    })
}

function pickFiles(files: readonly ShownFile[], paths: readonly string[]): ShownFile[] {
  const missing = paths.find((path) => !files.some((file) => file.path === path))
  if (missing === undefined) return files.filter(({ path }) => paths.includes(path))
  throw new MadeleineError('NOT_FOUND', `Cannot show what "${missing}" is like: no indexed file has this path`, {
    remedy: 'Use a path from search results, or run "madeleine index" first',
  })
}

async function findMissingVectors(store: MemoryStore, model: string | null): Promise<Degraded[]> {
  if (model === null) {
    return [{ part: 'vector', reason: 'no embedding is configured: files are compared by meaning alone' }]
  }
  const { pending, memories } = await store.counts(model)
  if (pending === 0 || memories === 0) return []
  return [{ part: 'vector', reason: `${pending} memories wait for their vectors: run "madeleine index"` }]
}

async function findPairs(
  store: MemoryStore,
  given: {
    files: readonly ShownFile[]
    wanted: readonly ShownFile[]
    filter: MemoryFilter
    identity: string
    minCosine: number
  },
): Promise<AlikePair[]> {
  const { files, wanted, filter, identity, minCosine } = given
  const fileOf = new Map(files.flatMap(({ key, ids }) => ids.map((id) => [id, key] as const)))
  const subjects = wanted.flatMap(({ ids }) => ids)
  const all = [...fileOf.keys()]
  // Few enough are compared each with each; of many, the nearest alone.
  const also = subjects.length * all.length <= FILE_GRAPH.exactPairs ? all : []
  const memories = subjects.map((id) => ({ id, keys: [], also }))
  const found = await store.findNeighbours({ memories, identity, filter, limit: FILE_GRAPH.nearest })
  const pairs = new Map<string, AlikePair>()
  for (const [id, neighbours] of found) {
    for (const { id: other, cosine } of neighbours) {
      const isOther = fileOf.has(other) && fileOf.get(other) !== fileOf.get(id)
      if (!isOther || cosine === undefined || cosine < minCosine) continue
      const [aId, bId] = id < other ? [id, other] : [other, id]
      pairs.set(`${aId}\0${bId}`, { aId, bId, cosine })
    }
  }
  return [...pairs.values()].sort(
    (a, b) => b.cosine - a.cosine || (`${a.aId}\0${a.bId}` < `${b.aId}\0${b.bId}` ? -1 : 1),
  )
}

/** The most alike first, as far as the memories and files have room for more. */
function toLinks(pairs: readonly AlikePair[], files: readonly ShownFile[]): FileLink[] {
  const fileOf = new Map(files.flatMap((file) => file.ids.map((id) => [id, file] as const)))
  const links = new Map<string, FileLink>()
  const pairsOf = new Map<string, number>()
  const filesOf = new Map<string, number>()
  for (const { aId, bId, cosine } of pairs) {
    const [first, second] = [fileOf.get(aId), fileOf.get(bId)]
    if (!first || !second) continue
    const isTurned = first.key > second.key
    const [a, b] = isTurned ? [second, first] : [first, second]
    const pair = isTurned ? { aId: bId, bId: aId, cosine } : { aId, bId, cosine }
    const link = links.get(`${a.key}\0${b.key}`)
    const hasRoom = link !== undefined || [a, b].every(({ key }) => (filesOf.get(key) ?? 0) < FILE_GRAPH.perFile)
    if (!hasRoom || [aId, bId].some((id) => (pairsOf.get(id) ?? 0) >= FILE_GRAPH.perMemory)) continue
    for (const id of [aId, bId]) pairsOf.set(id, (pairsOf.get(id) ?? 0) + 1)
    if (link) link.pairs.push(pair)
    else {
      for (const { key } of [a, b]) filesOf.set(key, (filesOf.get(key) ?? 0) + 1)
      const [placeA, placeB] = toPlaces([a, b])
      if (placeA && placeB) links.set(`${a.key}\0${b.key}`, { a: placeA, b: placeB, score: cosine, pairs: [pair] })
    }
  }
  return [...links.values()]
}
