import { contextAfter } from '../chunk/index.ts'
import type { SourceDocument, Turn } from '../model/document.ts'
import type { ReadPart } from '../source/source.ts'
import type { DocumentWrite } from '../store/memory-store.ts'
import { toDocumentWrite, type WriteFacts } from './to-document-write.ts'

/** What has to be known of the parts before to read and cut the next one; kept in the store as a document's cursor. */
export interface PartCursor {
  /** Of the source. */
  source: string
  /** What the next turn is embedded with. */
  context: string
}

export function packPartCursor({ source, context }: PartCursor): string {
  return JSON.stringify([source, context])
}

export function unpackPartCursor(cursor: string): PartCursor {
  const [source, context] = JSON.parse(cursor) as [string, string]
  return { source, context }
}

/**
 * Cuts a part of a document into memories, ready to be stored after those of the part with the cursor `after`. Nothing that is among
 * the `forgotten` memories goes on to the next part.
 */
export function toPartWrite(
  part: ReadPart,
  facts: WriteFacts & { after?: string | undefined; forgotten?: ReadonlySet<string> },
): DocumentWrite {
  const { document, isLast } = part
  const { after, forgotten, ...rest } = facts
  const context = after === undefined ? '' : unpackPartCursor(after).context
  const [settled, open] = splitTurns(document, part.settled)
  const write = toDocumentWrite(withTurns(document, settled), { ...rest, context })
  const nextContext = endsForgotten(write, forgotten) ? '' : contextAfter(settled, context)
  const settledMemories = write.memories.length
  const others = open.length > 0 ? toDocumentWrite(withTurns(document, open), { ...rest, context: nextContext }) : null
  return {
    ...write,
    memories: [...write.memories, ...(others?.memories ?? [])],
    part: {
      ...(after !== undefined && { after }),
      settled: settledMemories,
      cursor: packPartCursor({ source: part.cursor, context: nextContext }),
      isLast,
    },
  }
}

/** Whether the last turn of talk is one that was forgotten. */
function endsForgotten({ memories }: DocumentWrite, forgotten: ReadonlySet<string> = new Set()): boolean {
  const isTalk = ({ content: { role } }: DocumentWrite['memories'][number]): boolean =>
    role === 'user' || role === 'assistant'
  const turnId = memories.findLast(isTalk)?.place.turnId
  return memories.some(({ content, place }) => place.turnId === turnId && forgotten.has(content.id))
}

function splitTurns(document: SourceDocument, settled: number): [settled: Turn[], open: Turn[]] {
  if (document.form === 'markdown') return [[], []]
  return [document.turns.slice(0, settled), document.turns.slice(settled)]
}

function withTurns(document: SourceDocument, turns: Turn[]): SourceDocument {
  return document.form === 'markdown' ? document : { ...document, turns }
}
