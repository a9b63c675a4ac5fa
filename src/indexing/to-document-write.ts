import { type ChunkTally, chunkMarkdown, chunkTranscript } from '../chunk/index.ts'
import type { Chunk, SourceDocument } from '../model/document.ts'
import type { MemoryContent, Place, Tier } from '../model/memory.ts'
import { CHUNKER_VERSION } from '../options.ts'
import type { DocumentWrite } from '../store/memory-store.ts'
import { memoryId } from './memory-identity.ts'

/** Cuts a document into memories, ready to be stored. */
export function toDocumentWrite(
  document: SourceDocument,
  { fingerprint, timeZone, tally }: { fingerprint: string; timeZone: string; tally?: ChunkTally },
): DocumentWrite {
  const chunks =
    document.form === 'markdown'
      ? chunkMarkdown(document, { timeZone, ...(tally && { tally }) })
      : chunkTranscript(document, tally)
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
