import { MadeleineError } from '../errors.ts'
import type { NamedMemory } from '../model/engine.ts'
import { formatHeader, type Memory } from '../model/memory.ts'
import { type NamedLines, parsePlaceName } from '../model/place-name.ts'
import type { MemoryFilter } from '../model/search.ts'
import { NAMED_CANDIDATES } from '../options.ts'
import type { Source } from '../source/source.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { foldText } from '../text/word-tokens.ts'
import { locateMemories } from './locate-memories.ts'
import type { PlacedMemory } from './read-lines.ts'

interface NameParts {
  store: MemoryStore
  sources: readonly Source[]
}

/**
 * The memories that a name stands for, as far as the filter lets them be seen: the one of an id; those of a document, or of
 * lines of it (`path:12-20`); or those of an exact title, which is a heading or a file name with or without ending, letter case and
 * Unicode composition aside. What merely resembles a name is never taken for it. Rejects with INVALID_OPTION for lines that no document has.
 */
export async function findNamed(parts: NameParts, name: string, filter: MemoryFilter): Promise<NamedMemory[]> {
  const { memory, placed } = await locateMemories(parts, name, filter)
  if (placed.length > 0) return placed.filter((one) => !memory || one.memory.id === memory.id).map(toNamed)
  const lines = parsePlaceName(name)
  if (lines) {
    const document = await locateMemories(parts, lines.path, filter)
    if (document.placed.length > 0) assertLines(lines)
    const within = document.placed.filter(({ place }) => place.startLine <= lines.to && place.endLine >= lines.from)
    if (within.length > 0) return within.map(toNamed)
  }
  return findTitled(parts.store, name, filter)
}

/** Throws INVALID_OPTION for lines that no document has: before the first, or last before first. */
export function assertLines({ from, to }: NamedLines): void {
  if (from >= 1 && to >= from) return
  throw new MadeleineError('INVALID_OPTION', `Cannot use lines ${from} to ${to}: there are no such lines`, {
    remedy: 'Lines count from 1, the first one comes first: path:12-20',
  })
}

/** Reads every note: a title is asked for by people, and rarely. */
async function findTitled(store: MemoryStore, title: string, filter: MemoryFilter): Promise<NamedMemory[]> {
  const wanted = toTitle(title)
  if (wanted === '') return []
  const documents = new Map<string, Memory[]>()
  for (const memory of await store.listMemories({ ...filter, category: 'memory' })) {
    const key = `${memory.place.root}\u0000${memory.place.path}`
    documents.set(key, [...(documents.get(key) ?? []), memory])
  }
  const found = [...documents.values()].flatMap((memories) => {
    const own = memories.filter(({ headerPath }) =>
      [headerPath.at(-1) ?? '', formatHeader(headerPath)].some((header) => toTitle(header) === wanted),
    )
    if (own.length > 0) return own
    return memories.filter((memory) => isTitleOf(memory, wanted))
  })
  return found
    .sort((a, b) => compare(a.place.path, b.place.path) || a.place.startLine - b.place.startLine || compare(a.id, b.id))
    .map((memory) => toNamed({ memory, place: memory.place }))
}

/** Whether a title is that of the whole document that a memory stands in. */
function isTitleOf({ headerPath, place: { path } }: Memory, wanted: string): boolean {
  const file = path.split('/').at(-1) ?? path
  return [headerPath[0] ?? '', file, withoutEnding(file), withoutEnding(path)].some((name) => toTitle(name) === wanted)
}

const withoutEnding = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,8}$/, '')
const toTitle = (name: string): string => foldText(name.normalize('NFC').trim().replace(/\s+/g, ' '))
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function toNamed({ memory: { id, text, tier, headerPath }, place }: PlacedMemory): NamedMemory {
  const { path, startLine, endLine } = place
  return { id, path, startLine, endLine, text, tier, header: formatHeader(headerPath) }
}

/**
 * The one memory that a name stands for. Throws NOT_FOUND where nothing has the name, and INVALID_OPTION where several have it,
 * with the candidates to choose from: none is ever picked silently.
 */
export function chooseNamed(action: string, name: string, found: readonly NamedMemory[]): NamedMemory {
  const [first] = found
  if (first && found.length === 1) return first
  if (!first) {
    throw new MadeleineError('NOT_FOUND', `Cannot ${action} "${name}": no memory has this id, path or title`, {
      remedy: 'Use an id or path from search results, or a whole title as it is written',
    })
  }
  const listed = found.slice(0, NAMED_CANDIDATES).map(({ id, path, startLine, endLine, header }) => {
    const lines = endLine === startLine ? startLine : `${startLine}-${endLine}`
    return `\n    ${id}  ${path}:${lines}${header === '' ? '' : `  ${header}`}`
  })
  const more = found.length > listed.length ? `\n    and ${found.length - listed.length} more` : ''
  throw new MadeleineError('INVALID_OPTION', `Cannot ${action} "${name}": ${found.length} memories have this name`, {
    remedy: `Name one of them by its id:${listed.join('')}${more}`,
  })
}
