import path from 'node:path'
import type { DateOrigin, Scope, Visibility } from '../model/memory.ts'
import { findProject } from './project-root.ts'
import type { SourceEntry } from './source.ts'
import type { TranscriptFacts, TranscriptFormat } from './transcript-format.ts'

/** What is said of a transcript as a whole, once it is settled. */
export interface TranscriptHead {
  scope: Scope
  sessionId: string
  date: string
  dateOrigin: DateOrigin
}

/** Of a transcript source: whose transcripts they are, and where they lie. */
export interface TranscriptContext {
  root: string
  options: {
    tenant: string
    agent?: string
    visibility?: Visibility
    workspace?: string
    format?: TranscriptFormat
  }
}

/** Whose a transcript is: by what it says, where it lies, and what was configured. */
export function scopeOf(entry: SourceEntry, { options }: TranscriptContext, { cwd }: TranscriptFacts): Scope {
  const inPath = /(?:^|[/\\])agents[/\\]([^/\\]+)[/\\](?:sessions|agent)(?:[/\\]|$)/.exec(entry.absolutePath)
  const folder = cwd ?? options.workspace
  return {
    tenant: options.tenant,
    agent: options.agent ?? inPath?.[1] ?? 'main',
    project: folder === undefined ? '' : findProject(folder),
    visibility: options.visibility ?? 'private',
  }
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.tenant === b.tenant && a.agent === b.agent && a.project === b.project && a.visibility === b.visibility
}

/** The file's name up to `.jsonl`: hosts name files after sessions. */
export function sessionOfName(filePath: string): string {
  return path.posix.basename(filePath).replace(/\.jsonl.*$/i, '')
}
