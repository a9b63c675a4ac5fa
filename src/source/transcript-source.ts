import path from 'node:path'
import type { Turn } from '../model/document.ts'
import type { Visibility } from '../model/memory.ts'
import type { Tally } from '../normalize/tally.ts'
import { shortHash } from '../text/hash.ts'
import { accountSkippedParts } from './account-skipped.ts'
import { type ListTranscriptsOptions, listTranscripts, storeBeside } from './list-transcripts.ts'
import { findProject } from './project-root.ts'
import { readTranscript } from './read-transcript.ts'
import type { OnSkip, ReadResult, Source, SourceEntry } from './source.ts'
import type { TranscriptFormat } from './transcript-format.ts'
import type { TranscriptPart } from './transcript-reading.ts'
import { assertRoot, resolveRoot } from './walk-files.ts'

export interface TranscriptSourceOptions extends ListTranscriptsOptions {
  /** A folder that holds transcripts, at any depth. */
  root: string
  tenant: string
  /** Default: from the path (`agents/<id>/sessions`), else `main`. */
  agent?: string
  /** Default private. */
  visibility?: Visibility
  /** Whose project a session is that names no working folder; default none. */
  workspace?: string
  /** Only transcripts of this host; default any, told apart file by file. */
  format?: TranscriptFormat
}

/** Transcripts of any supported host below a folder: each file is read as what it is, and what is none is skipped with a reason. */
export function createTranscriptSource(options: TranscriptSourceOptions): Source {
  const root = resolveRoot(options.root)
  const readParts = (entry: SourceEntry, { cursor, tally }: { cursor?: string; tally?: Tally } = {}) =>
    accountSkippedParts(entry, readTranscript(entry, { root, options }, { cursor, tally }), tally)
  return {
    kind: options.format ?? 'transcripts',
    root,
    recipe: { form: 'transcripts', options: { ...options, root } },
    owner: ownerOf(options),
    watch: [path.dirname(storeBeside(root))],
    async *list(onSkip) {
      await assertRoot(root)
      const skipSession: OnSkip = (problem, hides) =>
        onSkip({ ...problem, path: sessionPath(problem.path) }, hides === undefined ? undefined : sessionPath(hides))
      for await (const entry of listTranscripts(root, options, skipSession)) {
        yield { ...entry, path: sessionPath(entry.path) }
      }
    },
    read: (entry, tally) => readWhole(readParts(entry, { ...(tally && { tally }) })),
    readParts,
  }
}

/** All that decides whose a session is, but for what it says itself and the folders that it names. */
function ownerOf({ tenant, agent = '', visibility, workspace }: TranscriptSourceOptions): {
  tenant: string
  mark: string
} {
  const project = workspace === undefined ? '' : findProject(workspace)
  return { tenant, mark: shortHash(tenant, agent, visibility ?? '', project) }
}

/** Sessions of OpenClaw: a `sessions` folder of an agent. */
export function createOpenClawSource(options: Omit<TranscriptSourceOptions, 'format'>): Source {
  return createTranscriptSource({ ...options, format: 'openclaw' })
}

/** Sessions of Claude Code: `~/.claude/projects`, one project, or a folder of transcripts. */
export function createClaudeCodeSource(options: Omit<TranscriptSourceOptions, 'format' | 'workspace'>): Source {
  return createTranscriptSource({ ...options, format: 'claude-code' })
}

function sessionPath(relativePath: string): string {
  return `sessions/${relativePath}`
}

/** All parts of a transcript as one. */
async function readWhole(parts: AsyncIterable<TranscriptPart | { skipped: string }>): Promise<ReadResult> {
  const turns: Turn[] = []
  for await (const part of parts) {
    if ('skipped' in part) return part
    const { document, problems, omitted, isLast } = part
    for (const turn of document.turns) turns.push(turn)
    if (isLast) return { document: { ...document, turns }, problems, omitted }
  }
  throw new Error('Cannot read a transcript: its last part did not come')
}
