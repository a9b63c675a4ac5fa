import { statSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import ignore from 'ignore'
import { MadeleineError, messageOf } from '../errors.ts'
import type { MarkdownDocument } from '../model/document.ts'
import type { Scope, Visibility } from '../model/memory.ts'
import { cleanNoteText } from '../normalize/clean-text.ts'
import type { Tally } from '../normalize/tally.ts'
import { MAX_MARKDOWN_BYTES } from '../options.ts'
import { cleanCharacters, countCovertCharacters } from '../text/clean-characters.ts'
import { sha256, shortHash } from '../text/hash.ts'
import { accountSkipped } from './account-skipped.ts'
import { dateInFields, dayInPath, importanceOfNote, tierOfNote, titleOfNote, typeOfNote } from './classify-note.ts'
import { countUndecoded, decodeText } from './decode-text.ts'
import { splitFrontMatter } from './front-matter.ts'
import { createPatternMatcher, patternDepth } from './path-pattern.ts'
import { findProject } from './project-root.ts'
import type { OnSkip, ReadResult, Source, SourceEntry } from './source.ts'
import { assertRoot, resolveRoot, type WalkRules, walkFiles } from './walk-files.ts'

export interface MarkdownSourceOptions {
  /** The workspace or folder of notes. */
  root: string
  tenant: string
  agent: string
  /** Default private. */
  visibility?: Visibility
  /** Default: real path of the Git root at or above the root, else of the root. */
  project?: string
  /** Only files below the root whose relative path fits this pattern; default all Markdown files. */
  pattern?: string
  /** Only this file of the root, by its name. */
  file?: string
  /** Patterns in the style of .gitignore, beside those in `.madeleineignore` files. */
  ignore?: readonly string[]
}

/** Rule file that may stand in any folder. Not `.gitignore`: people keep private notes out of Git, not out of memory. */
const IGNORE_FILE = '.madeleineignore'
/** Folders that tools fill and people do not write notes in. */
const TOOL_FOLDERS: ReadonlySet<string> = new Set(
  'node_modules bower_components venv __pycache__ site-packages dist'.split(' '),
)
const MARKDOWN_NAME = /\.(?:md|markdown)$/i

/** Markdown notes below a root: an agent's workspace with its core files, or any folder of notes. */
export function createMarkdownSource(options: MarkdownSourceOptions): Source {
  const root = resolveRoot(options.root)
  const scope: Scope = {
    tenant: options.tenant,
    agent: options.agent,
    project: options.project ?? findProject(root),
    visibility: options.visibility ?? 'private',
  }
  const { file, pattern = file } = options
  return {
    kind: 'markdown',
    root,
    recipe: { form: 'markdown', options: { ...options, root, project: scope.project } },
    owner: { tenant: scope.tenant, mark: shortHash(...Object.values(scope)) },
    ...(pattern !== undefined && { pattern }),
    async *list(onSkip) {
      await assertRoot(root)
      if (file !== undefined) assertFile(root, file)
      const rules = noteRules(root, options.ignore ?? [], onSkip)
      yield* walkFiles(root, pattern === undefined ? rules : onlyFitting(rules, options), onSkip)
    },
    read: (entry, tally) => accountSkipped(entry, readNote(entry, { root, scope }, tally), tally),
  }
}

/** The names that hold notes, with the rule files met on the way. */
function noteRules(root: string, patterns: readonly string[], onSkip: OnSkip): WalkRules {
  const rules = [{ prefix: '', matcher: ignore().add([...patterns]) }]
  const entered = new Set<string>()
  const isIgnored = (relativePath: string): boolean =>
    rules.some(({ prefix, matcher }) => {
      const below = relativePath.slice(prefix.length)
      return relativePath.startsWith(prefix) && below !== '' && below !== '/' && matcher.ignores(below)
    })
  const enterFolder = async (prefix: string, names: readonly string[]): Promise<boolean> => {
    if (entered.has(prefix)) return true
    entered.add(prefix)
    if (!names.includes(IGNORE_FILE)) return true
    try {
      const text = await readRuleFile(path.join(root, prefix, IGNORE_FILE))
      rules.push({ prefix, matcher: ignore().add(text) })
      return true
    } catch (error) {
      // Without its rules the folder might give away what they hide.
      const reason = `ignore file cannot be read, so its folder is left out: ${messageOf(error)}`
      onSkip({ path: prefix + IGNORE_FILE, reason, failed: true }, prefix)
      return false
    }
  }
  const skipFolder = (relativePath: string, name: string): string | undefined => {
    if (name === '.git') return ''
    if (name.startsWith('.')) return 'hidden folder'
    if (TOOL_FOLDERS.has(name)) return 'folder that tools fill'
    return isIgnored(`${relativePath}/`) ? 'ignored by rule' : undefined
  }
  return {
    enterFolder,
    skipFolder,
    judgeFile(relativePath, name) {
      if (!MARKDOWN_NAME.test(name)) return ''
      if (name.startsWith('.')) return 'hidden file'
      return isIgnored(relativePath) ? 'ignored by rule' : 'read'
    },
    async judgeTarget(relativePath, isFolder) {
      const parts = relativePath.split('/').filter((part) => part !== '')
      const folders = isFolder ? parts.length : parts.length - 1
      for (let depth = 0; depth <= folders; depth++) {
        const folder = parts.slice(0, depth).join('/')
        const reason = depth > 0 ? skipFolder(folder, parts[depth - 1] ?? '') : undefined
        if (reason !== undefined) return reason || 'hidden folder'
        const isEntered = await enterFolder(depth > 0 ? `${folder}/` : '', await namesIn(path.join(root, folder)))
        if (!isEntered) return 'its ignore file cannot be read'
      }
      if (isFolder) return undefined
      if (parts.at(-1)?.startsWith('.')) return 'hidden file'
      return isIgnored(relativePath) ? 'ignored by rule' : undefined
    },
  }
}

/** The text of a rule file. Rejects for anything but a file: reading a pipe may never end. */
async function readRuleFile(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) throw new Error('it is no regular file')
  return readFile(file, 'utf8')
}

/** None where the folder cannot be read: then nothing of it will be. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** The rules, for what fits a pattern or is the one file that was named. */
function onlyFitting(rules: WalkRules, { file, pattern = '' }: MarkdownSourceOptions): WalkRules {
  const fits = file === undefined ? createPatternMatcher(pattern) : (relativePath: string) => relativePath === file
  const depth = file === undefined ? patternDepth(pattern) : 0
  return {
    ...rules,
    skipFolder: (relativePath, name) =>
      relativePath.split('/').length > depth ? '' : rules.skipFolder(relativePath, name),
    judgeFile(relativePath, name) {
      if (!fits(relativePath)) return ''
      return MARKDOWN_NAME.test(name) ? rules.judgeFile(relativePath, name) : 'no Markdown (.md)'
    },
  }
}

function assertFile(root: string, file: string): void {
  if (statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile()) return
  throw new MadeleineError(
    'SOURCE_UNREADABLE',
    `Cannot read the notes ${path.join(root, file)}: there is no such regular file`,
    {
      remedy: 'Create the file, correct its path, or take it out of the configuration.',
    },
  )
}

async function readNote(
  entry: SourceEntry,
  { root, scope }: { root: string; scope: Scope },
  tally: Tally | undefined,
): Promise<ReadResult> {
  const tooLarge = (bytes: number): ReadResult => ({
    skipped: `file is larger than ${MAX_MARKDOWN_BYTES / 1024 / 1024} MB (${(bytes / 1024 / 1024).toFixed(1)} MB)`,
  })
  if (entry.bytes > MAX_MARKDOWN_BYTES) return tooLarge(entry.bytes)
  const bytes = await readBytes(entry)
  if (bytes.length > MAX_MARKDOWN_BYTES) return tooLarge(bytes.length)
  const decoded = decodeText(bytes)
  if (decoded === undefined) return { skipped: 'file is binary, not text' }
  tally?.read(decoded.length)
  const visible = cleanCharacters(decoded)
  tally?.step('control and hidden characters', { before: decoded, after: visible })
  const { fields, text, isBroken } = splitFrontMatter(visible)
  tally?.step('front matter', { before: visible, after: text })
  const clean = cleanNoteText(text, tally)
  const type = typeOfNote(fields)
  const document: MarkdownDocument = {
    form: 'markdown',
    root,
    path: entry.path,
    category: 'memory',
    scope,
    contentHash: sha256(bytes),
    ...datedBy(entry, fields),
    text: clean,
    title: cleanNoteText(titleOfNote(entry.path, fields)).replace(/\s+/g, ' '),
    tier: tierOfNote(entry.path, fields),
    ...(type ? { type } : {}),
    importance: importanceOfNote(fields, text),
    trust: 'owner',
  }
  const omitted = {
    'front matter that is not valid YAML, but for its plain lines': isBroken ? 1 : 0,
    secrets: countMarks(clean) - countMarks(text),
    'hidden characters': countCovertCharacters(decoded),
    'characters that are in no known encoding: save the file as UTF-8': countUndecoded(bytes, decoded),
  }
  return {
    document,
    problems: [],
    omitted: Object.fromEntries(Object.entries(omitted).filter(([, count]) => count > 0)),
  }
}

function countMarks(text: string): number {
  return text.split('[redacted:').length - 1
}

function datedBy(entry: SourceEntry, fields: Record<string, unknown>): Pick<MarkdownDocument, 'date' | 'dateOrigin'> {
  const named = dayInPath(entry.path)
  if (named) return { date: named, dateOrigin: 'name' }
  const stated = dateInFields(fields)
  if (stated) return { date: stated, dateOrigin: 'text' }
  return { date: new Date(entry.modifiedMs).toISOString(), dateOrigin: 'mtime' }
}

async function readBytes(entry: SourceEntry): Promise<Buffer> {
  try {
    return await readFile(entry.absolutePath)
  } catch (cause) {
    throw new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${entry.absolutePath}: ${messageOf(cause)}`, {
      remedy: 'Make the file readable, or add it to .madeleineignore.',
      cause,
    })
  }
}
