import type { Memory } from '../../model/memory.ts'
import { compareText } from '../canonical-place.ts'
import { alters } from '../relationships/alters.ts'
import type { MemoryChange } from '../relationships/follow-edits.ts'
import type { Corpus, HeldDocument } from './corpus.ts'

/** What came, went and changed between two states of the memories. */
export function describeChange(
  before: Corpus,
  after: Corpus,
  documents: { before: ReadonlyMap<string, HeldDocument>; after: ReadonlyMap<string, HeldDocument> },
): MemoryChange {
  const added: string[] = []
  const changed: string[] = []
  const reworded: string[] = []
  const unlinked: string[] = []
  for (const [id, { memory }] of after.memories) {
    const known = before.memories.get(id)?.memory
    if (!known) added.push(id)
    else if (alters(known, memory)) changed.push(id)
    else if (isSamePath(known, memory)) continue
    if (known && known.text !== memory.text) reworded.push(id)
    unlinked.push(id)
  }
  const removed = [...before.memories.keys()].filter((id) => !after.memories.has(id)).sort(compareText)
  return {
    added: added.sort(compareText),
    removed,
    changed,
    reworded,
    unlinked,
    documents: listDocuments(documents),
  }
}

function isSamePath(a: Memory, b: Memory): boolean {
  return a.place.path === b.place.path
}

function* listDocuments({
  before,
  after,
}: {
  before: ReadonlyMap<string, HeldDocument>
  after: ReadonlyMap<string, HeldDocument>
}): Generator<{ root: string; path: string; isPartial: boolean }> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const record = after.get(key)?.record ?? before.get(key)?.record
    if (!record) continue
    const { root, path } = record
    yield { root, path, isPartial: after.get(key)?.record.isPartial === true }
  }
}
