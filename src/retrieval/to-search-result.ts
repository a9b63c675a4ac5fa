import { formatHeader } from '../model/memory.ts'
import type { Hit, SearchResult } from '../model/search.ts'
import { makeSnippet } from './snippet.ts'

/** A hit as the row that every front end shows. */
export function toSearchResult(hit: Hit, options: { explain: boolean; withRoot: boolean }): SearchResult {
  const { memory, explanation } = hit
  const { place } = memory
  return {
    id: memory.id,
    path: place.path,
    ...(options.withRoot && { root: place.root }),
    startLine: place.startLine,
    endLine: place.endLine,
    score: Math.round(hit.score * 10_000) / 10_000,
    snippet: makeSnippet(memory.text, explanation.matchedTerms),
    header: formatHeader(memory.headerPath),
    source: memory.category,
    tier: memory.tier,
    type: memory.type,
    ...(memory.role && { role: memory.role }),
    ...(memory.tool && { tool: memory.tool }),
    ...(memory.speaker && { speaker: memory.speaker }),
    ...(place.sessionId && { sessionId: place.sessionId }),
    ...(place.turnId && { turnId: place.turnId }),
    // When a file was last touched is not when something happened.
    ...(place.occurredAt && place.dateOrigin !== 'mtime' && { occurredAt: place.occurredAt }),
    ...(options.explain && { ...explanation }),
    ...(hit.links && hit.links.length > 0 && { links: hit.links }),
  }
}
