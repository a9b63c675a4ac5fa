import type { CorpusHit, CorpusSupplement, HostHit } from './host-types.ts'
import { askerOf, readForHost, searchForHost, type ToolParts } from './memory-tools.ts'

const CORPUS = 'madeleine'

/**
 * Adds our memory to the host's own search, where another plugin owns it: `memory_search` with `corpus: "all"`. What the host
 * indexes itself, its notes, is left to it; what it does not, past sessions with what tools returned, comes from here.
 */
export function createCorpusSupplement(parts: ToolParts): CorpusSupplement {
  return {
    async search({ query, maxResults, agentId, agentSessionKey }) {
      const asker = askerOf(parts, toContext(agentId, agentSessionKey))
      const { hits } = await parts.engine.use((engine) =>
        searchForHost(engine, asker, {
          query,
          source: 'sessions',
          allProjects: parts.config.recall.allProjects,
          ...(maxResults !== undefined && { maxResults }),
        }),
      )
      return hits.map(toCorpusHit)
    },
    async get({ lookup, fromLine, lineCount, agentId, agentSessionKey }) {
      const asker = askerOf(parts, toContext(agentId, agentSessionKey))
      const read = { path: lookup, ...(fromLine && { from: fromLine }), ...(lineCount && { lines: lineCount }) }
      const answer = await parts.engine.use((engine) => readForHost(engine, asker, read))
      if (answer.status !== 'ok') return null
      const { path, text, from, lines } = answer
      return { corpus: CORPUS, path, content: text, fromLine: from, lineCount: lines }
    },
  }
}

function toContext(agentId: string | undefined, sessionKey: string | undefined) {
  return { ...(agentId !== undefined && { agentId }), ...(sessionKey !== undefined && { sessionKey }) }
}

function toCorpusHit({
  path,
  header,
  role,
  tool,
  score,
  snippet,
  id,
  startLine,
  endLine,
  occurredAt,
}: HostHit): CorpusHit {
  return {
    corpus: CORPUS,
    path,
    title: header || path,
    kind: tool ? `output of ${tool}` : (role ?? 'session'),
    score,
    snippet,
    id,
    startLine,
    endLine,
    source: CORPUS,
    ...(occurredAt !== undefined && { updatedAt: occurredAt }),
  }
}
