import type { ListedMemory, Madeleine } from '../model/engine.ts'
import { describeGoldPlace, type GoldPlace, type LabelledQuestion } from './labelled-question.ts'

/** Gold that counts once: places that share a memory are found together. */
export interface GoldUnit {
  /** As a person would write them. */
  places: string[]
  /** Memories of which any one answers. */
  ids: Set<string>
}

/** A labelled place that names nothing in the store, or nothing that the caller may see. */
export interface UnresolvedPlace {
  query: string
  line?: number
  place: string
  of: 'gold' | 'stale'
  reason: string
}

/** A question with what its labels name in the store. */
export interface ResolvedQuestion {
  question: LabelledQuestion
  gold: GoldUnit[]
  /** Memories that hold an older statement and no gold. */
  stale: Set<string>
  unresolved: UnresolvedPlace[]
}

/** Gives a function that finds what the labels of a question name, in a project where one is given; documents are read once. */
export function createGoldResolver(
  engine: Pick<Madeleine, 'listMemories'>,
  scope: { project?: string } = {},
): (question: LabelledQuestion) => Promise<ResolvedQuestion> {
  const documents = new Map<string, Promise<ListedMemory[]>>()
  const list = (idOrPath: string): Promise<ListedMemory[]> => {
    const known = documents.get(idOrPath) ?? engine.listMemories(idOrPath, scope)
    documents.set(idOrPath, known)
    return known
  }
  return async (question) => {
    const unresolved: UnresolvedPlace[] = []
    const find = async (place: GoldPlace, of: UnresolvedPlace['of']): Promise<GoldUnit[]> => {
      const memories = await list('id' in place ? place.id : place.path)
      const ids = new Set(memories.filter((memory) => isAt(memory, place)).map(({ id }) => id))
      const shown = describeGoldPlace(place)
      if (ids.size > 0) return [{ places: [shown], ids }]
      const { query, line } = question
      const reason = reasonFor(place, memories)
      unresolved.push({ query, ...(line !== undefined && { line }), place: shown, of, reason })
      return []
    }
    const gold: GoldUnit[] = []
    for (const place of question.gold) for (const unit of await find(place, 'gold')) addUnit(gold, unit)
    const stale = new Set<string>()
    for (const place of question.stale ?? []) {
      for (const { ids } of await find(place, 'stale')) for (const id of ids) stale.add(id)
    }
    for (const { ids } of gold) for (const id of ids) stale.delete(id)
    return { question, gold, stale, unresolved }
  }
}

function isAt(memory: ListedMemory, place: GoldPlace): boolean {
  if ('id' in place) return memory.id === place.id
  if ('startLine' in place) return memory.startLine <= place.endLine && memory.endLine >= place.startLine
  return place.contains === undefined || foldSpace(memory.text).includes(foldSpace(place.contains))
}

/** A label is written by hand: where lines break is nothing that it says. */
function foldSpace(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function reasonFor(place: GoldPlace, memories: readonly ListedMemory[]): string {
  if ('id' in place) return 'no memory that may be seen has this id'
  if (memories.length === 0) return 'no document that may be seen has this path in the store'
  return 'startLine' in place ? 'no memory stands on these lines' : 'no memory of this document holds these words'
}

/** Joins what shares a memory with it: one result would count as two answers otherwise. */
function addUnit(units: GoldUnit[], added: GoldUnit): void {
  const joined = units.filter(({ ids }) => [...added.ids].some((id) => ids.has(id)))
  const rest = units.filter((unit) => !joined.includes(unit))
  const all = [...joined, added]
  const unit = { places: all.flatMap(({ places }) => places), ids: new Set(all.flatMap(({ ids }) => [...ids])) }
  units.splice(0, units.length, ...rest, unit)
}
