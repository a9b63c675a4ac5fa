import { MadeleineError } from '../errors.ts'
import type { Memory } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import type { Source } from '../source/source.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { PlacedMemory } from './read-lines.ts'

/**
 * What an id or a path names, as far as the filter lets it be seen: the memory and its document's memories, or a
 * document's memories alone; nothing when it is unknown or not the caller's to see. A path is relative to its root, or whole.
 */
export async function locateMemories(
  { store, sources }: { store: MemoryStore; sources: readonly Source[] },
  idOrPath: string,
  filter: MemoryFilter,
): Promise<{ memory?: Memory; placed: PlacedMemory[] }> {
  // Documents first: no memory that somebody gave the name of a file stands in the file's place.
  for (const key of [...wholePathKeys(sources, idOrPath), { path: idOrPath }]) {
    const placed = await store.listDocumentMemories(key, filter)
    if (placed.length > 0) return { placed }
  }
  const [memory] = await store.getMemories([idOrPath])
  if (memory) {
    const { root, path } = memory.place
    const placed = await store.listDocumentMemories({ root, path }, filter)
    if (placed.some((one) => one.memory.id === memory.id)) return { memory, placed }
  }
  return { placed: await findRespelled(store, idOrPath, filter) }
}

/** The document whose path is spelled with other code points for the same letters; which one a keyboard gives depends on the system. */
async function findRespelled(store: MemoryStore, path: string, filter: MemoryFilter): Promise<PlacedMemory[]> {
  if (/^[\x00-\x7f]*$/.test(path)) return []
  const wanted = path.normalize('NFC')
  for (const document of await store.listDocuments()) {
    if (document.path.normalize('NFC') !== wanted) continue
    const placed = await store.listDocumentMemories({ path: document.path }, filter)
    if (placed.length > 0) return placed
  }
  return []
}

/** The documents that a whole path on disk may be; transcripts have `sessions/` before their path below the root. */
function wholePathKeys(sources: readonly Source[], path: string): Array<{ root: string; path: string }> {
  return sources.flatMap(({ root }) => {
    if (!path.startsWith(root) || !/^[\\/]/.test(path.slice(root.length))) return []
    const below = path.slice(root.length + 1).replaceAll('\\', '/')
    return [
      { root, path: below },
      { root, path: `sessions/${below}` },
    ]
  })
}

/** Throws INVALID_OPTION for lines that a document does not have; `last` is its last line. */
export function checkLines(path: string, { from, lines, last }: { from: number; lines: number; last: number }): void {
  const isCount = Number.isInteger(from) && from >= 1 && Number.isInteger(lines) && lines >= 1
  if (isCount && from <= last) return
  const found = `Cannot get lines of ${path} from line ${from}: its text ends at line ${last}`
  throw new MadeleineError('INVALID_OPTION', found, {
    remedy: `Ask for a whole number of lines (here ${lines}), the first of them from 1 to ${last}`,
  })
}

/** What a caller named and nobody has, or may not see. */
export function notFound(action: string, idOrPath: string): MadeleineError {
  return new MadeleineError(
    'NOT_FOUND',
    `Cannot ${action} "${idOrPath}": no memory or indexed document has this id or path`,
    {
      remedy: 'Use an id or path from search results, or run "madeleine index" first',
    },
  )
}
