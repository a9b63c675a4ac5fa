import type { Chunk } from '../model/document.ts'
import { formatHeader, type Scope } from '../model/memory.ts'
import { MIN_DUPLICATE_CHARS } from '../options.ts'
import { shortHash } from '../text/hash.ts'
import { toNormalForm } from '../text/normal-form.ts'

/**
 * The id of a chunk: a function of whose it is and what it says, so that it stays when text above it moves or the file is
 * renamed, and texts that say the same in several places are one memory: equal ones, and near copies, which are equal in
 * normal form. A short text ("green", "done") means what its surroundings make it mean, so it is told apart by its message,
 * or by its day and headings. What a tool printed is compared to the letter: it is code, tables and differences of files.
 */
export function memoryId(scope: Scope, chunk: Chunk): string {
  const owner = [scope.tenant, scope.agent, scope.project, scope.visibility]
  const text = chunk.role === 'tool' ? joinWhiteSpace(chunk.text) : toNormalForm(chunk.text)
  const speaker = [chunk.role ?? '', chunk.tool ?? '']
  if (text.length >= MIN_DUPLICATE_CHARS) return shortHash('text', ...owner, ...speaker, text)
  const wording = joinWhiteSpace(chunk.text)
  if (chunk.turnId !== undefined) return shortHash('turn', ...owner, ...speaker, chunk.turnId, wording)
  const day = chunk.dateOrigin === 'mtime' ? '' : (chunk.occurredAt ?? '').slice(0, 10)
  return shortHash('section', ...owner, day, formatHeader(chunk.headerPath), wording)
}

/** White space at line ends and runs of it never make a text another one. */
function joinWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
