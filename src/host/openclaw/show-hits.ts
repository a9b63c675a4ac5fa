import type { SearchResult } from '../../index.ts'
import type { HostConfig, HostHit } from './host-types.ts'
import { isSharedSession } from './session-kind.ts'

/** A result in the host's words. */
export function toHostHit(result: SearchResult): HostHit {
  const { id, path, startLine, endLine, score, snippet, source, header, role, tool, occurredAt, signals } = result
  return {
    path,
    startLine,
    endLine,
    score,
    ...(signals && { vectorScore: signals.vector, textScore: signals.keyword }),
    snippet,
    source,
    corpus: source,
    header,
    id,
    ...(role !== undefined && { role }),
    ...(tool !== undefined && { tool }),
    ...(occurredAt !== undefined && { occurredAt }),
  }
}

/** Whether hits name their place: as configured, else in sessions that the owner alone reads. */
export function citationsOf(
  config: HostConfig | undefined,
  sessionKey: string | undefined,
): { mode: 'auto' | 'on' | 'off'; isOn: boolean } {
  const written = config?.memory?.citations
  const mode = written === 'on' || written === 'off' ? written : 'auto'
  return { mode, isOn: mode === 'auto' ? !isSharedSession(sessionKey) : mode === 'on' }
}

/** The same with its place, in a field of its own and below the snippet. */
export function cite(hit: HostHit): HostHit {
  const { path, startLine, endLine } = hit
  const citation = `${path}#L${startLine}${endLine === startLine ? '' : `-L${endLine}`}`
  return { ...hit, snippet: `${hit.snippet.trim()}\n\nSource: ${citation}`, citation }
}
