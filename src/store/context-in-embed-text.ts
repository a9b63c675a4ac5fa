import type { MemoryContent, Place } from '../model/memory.ts'

/** A memory as it stands in a document, as far as its context is concerned. */
interface Standing {
  content: MemoryContent
  place: Pick<Place, 'turnId'>
}

/**
 * A turn is embedded with the end of what was said before it. For the memories of a document in their order, says which have the words
 * of a forgotten one in their embed text: those up to and with the next turn of talk after it.
 */
export function findQuoting(memories: readonly Standing[], isForgotten: (id: string) => boolean): Set<number> {
  const found = new Set<number>()
  let before: Turn | undefined
  let current: Turn | undefined
  memories.forEach(({ content, place }, index) => {
    const { id, role } = content
    if (role !== 'user' && role !== 'assistant') return
    const turnId = place.turnId ?? id
    if (turnId !== current?.turnId) {
      before = current
      current = { turnId, isForgotten: false }
    }
    if (isForgotten(id)) current.isForgotten = true
    else if (before?.isForgotten) found.add(index)
  })
  return found
}

interface Turn {
  turnId: string
  isForgotten: boolean
}

/**
 * From which character of an embed text on a memory speaks for itself, the name of who says it included. The titles above a
 * section are its own; what was said before a turn is not.
 */
export function ownStart(embedText: string, text: string, isTurn: boolean): number {
  const at = isTurn ? embedText.lastIndexOf(text) : -1
  return at <= 0 ? 0 : embedText.lastIndexOf('\n', at - 1) + 1
}

/** The memory with an embed text of its own words alone, after the name of who says them. */
export function withoutContext(content: MemoryContent): MemoryContent {
  const { embedText, text } = content
  const own = embedText.includes(text) ? embedText.slice(ownStart(embedText, text, true)) : text
  return own === embedText ? content : { ...content, embedText: own }
}
