import { type ChunkTally, chunkMarkdown, chunkTranscript } from '../chunk/index.ts'
import type { Chunk, SourceDocument } from '../model/document.ts'
import type { MemoryContent, Place, Tier } from '../model/memory.ts'
import { CHUNKER_VERSION } from '../options.ts'
import type { DocumentWrite } from '../store/memory-store.ts'
import { cleanDocumentNames } from './clean-document-names.ts'
import { memoryId } from './memory-identity.ts'

/** What a write says beside the document. */
export interface WriteFacts {
  fingerprint: string
  /** IANA zone in which a date in a note is a day. */
  timeZone: string
  tally?: ChunkTally
}

/** Cuts a document into memories, ready to be stored. `context`: what a transcript's first turn is embedded with. */
export function toDocumentWrite(
  given: SourceDocument,
  { fingerprint, timeZone, tally, context }: WriteFacts & { context?: string },
): DocumentWrite {
  const document = cleanDocumentNames(given)
  const chunks =
    document.form === 'markdown'
      ? chunkMarkdown(document, { timeZone, ...(tally && { tally }) })
      : chunkTranscript(document, tally, context)
  const tier: Tier = document.form === 'markdown' ? document.tier : 'episodic'
  const { root, path, category, scope, contentHash, date, dateOrigin } = document
  return {
    head: { root, path, category, scope, contentHash, ...(date && { date }), ...(dateOrigin && { dateOrigin }) },
    fingerprint,
    chunkerVersion: CHUNKER_VERSION,
    memories: chunks.map((chunk) => ({ content: toContent(document, chunk, tier), place: toPlace(chunk) })),
  }
}

function toContent({ scope, category }: SourceDocument, chunk: Chunk, tier: Tier): MemoryContent {
  return {
    id: memoryId(scope, chunk),
    scope,
    category,
    tier,
    type: chunk.type,
    trust: chunk.trust,
    importance: chunk.importance,
    text: chunk.text,
    headerPath: chunk.headerPath,
    embedText: chunk.embedText,
    ...(chunk.role && { role: chunk.role }),
    ...(chunk.speaker && { speaker: chunk.speaker }),
    ...(chunk.tool && { tool: chunk.tool }),
  }
}

function toPlace(chunk: Chunk): Omit<Place, 'root' | 'path' | 'position'> {
  return {
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    ...(chunk.occurredAt && { occurredAt: chunk.occurredAt }),
    ...(chunk.dateOrigin && { dateOrigin: chunk.dateOrigin }),
    ...(chunk.sessionId && { sessionId: chunk.sessionId }),
    ...(chunk.turnId && { turnId: chunk.turnId }),
  }
}
