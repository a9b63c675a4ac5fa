import path from 'node:path'
import { MadeleineError, messageOf } from '../errors.ts'
import type { Problem, TranscriptDocument } from '../model/document.ts'
import type { Scope, Visibility } from '../model/memory.ts'
import type { Tally } from '../normalize/tally.ts'
import { MAX_FORMAT_PROBE_RECORDS, MAX_TRANSCRIPT_LINE_BYTES } from '../options.ts'
import { shortHash } from '../text/hash.ts'
import { accountSkipped } from './account-skipped.ts'
import { type ListTranscriptsOptions, listTranscripts, storeBeside } from './list-transcripts.ts'
import { textCharacters } from './message-content.ts'
import { createClaudeCodeParser } from './parse-claude-code.ts'
import { createOpenClawParser } from './parse-openclaw.ts'
import { findProject } from './project-root.ts'
import { type JsonLine, type JsonLinesFile, openJsonLines } from './read-json-lines.ts'
import type { OnSkip, ReadResult, Source, SourceEntry } from './source.ts'
import {
  formatOf,
  isObject,
  type JsonObject,
  type ParsedTranscript,
  type TranscriptFormat,
  type TranscriptParser,
} from './transcript-format.ts'
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
  return {
    kind: options.format ?? 'transcripts',
    root,
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
    read: (entry, tally) => accountSkipped(entry, readTranscript(entry, { root, options }, tally), tally),
  }
}

/** All that decides whose a session is, but for what it says itself and the folders that it names. */
function ownerOf({ tenant, agent = '', visibility = '', workspace }: TranscriptSourceOptions): Source['owner'] {
  const project = workspace === undefined ? '' : findProject(workspace)
  return { tenant, mark: shortHash(tenant, agent, visibility, project) }
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

async function readTranscript(
  entry: SourceEntry,
  { root, options }: { root: string; options: TranscriptSourceOptions },
  tally: Tally | undefined,
): Promise<ReadResult> {
  const file = openJsonLines(entry.absolutePath, MAX_TRANSCRIPT_LINE_BYTES, tally)
  const problems: Problem[] = []
  const recognised = await parseLines(file.lines, { filePath: entry.path, problems }, tally)
  if ('skipped' in recognised) {
    if (file.lost.length > 0) throw allLost(entry, file.lost)
    return recognised
  }
  for (const { reason, count } of file.lost) problems.push({ path: entry.path, reason, count })
  const { format, parser, isUnfinished } = recognised
  if (options.format && options.format !== format) return { skipped: `transcript of another host (${format})` }
  const parsed = parser.finish()
  const document: TranscriptDocument = {
    form: 'transcript',
    root,
    path: entry.path,
    category: 'sessions',
    scope: scopeOf(entry, parsed, options),
    contentHash: file.contentHash(),
    ...datedBy(entry, parsed),
    sessionId: parsed.sessionId ?? sessionOfName(entry.path),
    turns: parsed.turns,
  }
  const unfinished = isUnfinished ? { 'last line that is still being written': 1 } : {}
  return { document, problems, omitted: { ...parsed.omitted, ...unfinished } }
}

/** Not the same as a file that holds nothing: what is known of it stays. */
function allLost(entry: SourceEntry, lost: JsonLinesFile['lost']): MadeleineError {
  const reasons = lost.map(({ reason, count }) => `${count} ${reason}`).join('; ')
  return new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${entry.path}: ${reasons}`, {
    remedy: 'Run Madeleine with a newer Node (22.15 or later).',
  })
}

/** The parser of the host that wrote a file, fed with all of it. */
interface Recognised {
  format: TranscriptFormat
  parser: TranscriptParser
  /** The file's last line was not complete. */
  isUnfinished: boolean
}

/** Feeds the lines to the parser of the host that wrote them, which the first telling record names. */
async function parseLines(
  lines: AsyncIterable<JsonLine>,
  { filePath, problems }: { filePath: string; problems: Problem[] },
  tally: Tally | undefined,
): Promise<Recognised | { skipped: string }> {
  let recognised: Omit<Recognised, 'isUnfinished'> | undefined
  let isUnfinished = false
  const early: Array<{ record: JsonObject; line: number }> = []
  try {
    for await (const item of lines) {
      if ('unfinished' in item) {
        isUnfinished = true
        continue
      }
      if ('problem' in item) {
        problems.push({ path: filePath, line: item.line, reason: item.problem })
      } else if (!isObject(item.value)) {
        tally?.skip('lines that are no JSON object', textCharacters(item.value))
        problems.push({ path: filePath, line: item.line, reason: 'line is not a JSON object' })
      } else if (item.value.origin === 'madeleine') return { skipped: 'written by Madeleine itself' }
      else if (recognised) recognised.parser.accept(item.value, item.line)
      else {
        early.push({ record: item.value, line: item.line })
        const format = formatOf(item.value)
        if (format) {
          recognised = {
            format,
            parser: format === 'openclaw' ? createOpenClawParser(tally) : createClaudeCodeParser(tally),
          }
          for (const { record, line } of early) recognised.parser.accept(record, line)
        }
      }
      if (!recognised && early.length + problems.length >= MAX_FORMAT_PROBE_RECORDS) break
    }
  } catch (error) {
    if (error instanceof MadeleineError) throw error
    problems.push({ path: filePath, reason: `file is damaged, the rest was not read: ${messageOf(error)}` })
  }
  return recognised ? { ...recognised, isUnfinished } : { skipped: 'no transcript of a known host' }
}

function scopeOf(entry: SourceEntry, parsed: ParsedTranscript, options: TranscriptSourceOptions): Scope {
  const inPath = /(?:^|[/\\])agents[/\\]([^/\\]+)[/\\](?:sessions|agent)(?:[/\\]|$)/.exec(entry.absolutePath)
  const folder = parsed.cwd ?? options.workspace
  return {
    tenant: options.tenant,
    agent: options.agent ?? inPath?.[1] ?? 'main',
    project: folder === undefined ? '' : findProject(folder),
    visibility: options.visibility ?? 'private',
  }
}

function datedBy(entry: SourceEntry, parsed: ParsedTranscript): Pick<TranscriptDocument, 'date' | 'dateOrigin'> {
  const first = parsed.turns.find((turn) => turn.occurredAt !== undefined)?.occurredAt
  if (first) return { date: first, dateOrigin: 'timestamp' }
  return { date: new Date(entry.modifiedMs).toISOString(), dateOrigin: 'mtime' }
}

/** The file's name up to `.jsonl`: hosts name files after sessions. */
function sessionOfName(filePath: string): string {
  return path.posix.basename(filePath).replace(/\.jsonl.*$/i, '')
}
