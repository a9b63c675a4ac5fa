import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { resolvePath } from './paths.ts'
import type { Surroundings } from './surroundings.ts'
import { formatCount } from './words.ts'

export type FoundKind =
  | 'openclaw-workspace'
  | 'openclaw-transcripts'
  | 'claude-code-transcripts'
  | 'skills'
  | 'markdown'

/** A folder that is worth remembering from. */
export interface FoundSource {
  kind: FoundKind
  /** Which setting it belongs to. */
  setting: 'workspaces' | 'transcripts' | 'extraPaths'
  path: string
  /** How many notes or transcripts it holds, as far as a quick look tells. */
  files: number
  /** What the user should know before taking it. */
  note?: string
}

export type Places = Pick<Surroundings, 'home' | 'cwd' | 'env' | 'platform'>

/** Files that make a folder a workspace of notes. */
const WORKSPACE_MARKS = ['MEMORY.md', 'memory', 'AGENTS.md', 'CLAUDE.md']
/** A quick look need not be exact: it ends after so many folder entries. */
const MAX_ENTRIES = 20_000
const SKIPPED_FOLDERS = new Set(['node_modules'])

const isNote = (name: string) => /\.(?:md|markdown)$/i.test(name)
const isTranscript = (name: string) => /\.jsonl(?:\.|$)/i.test(name)
const isSessionStore = (name: string) => name === 'openclaw-agent.sqlite'

/** How a skill is called, and how all of them below a folder are named in the configuration. */
const SKILL = 'SKILL.md'
const SKILLS_PATTERN = join('**', SKILL)

/** Finds the notes and transcripts of OpenClaw and Claude Code on this machine, and a workspace of notes in the current folder. */
export function detectSources(places: Places): FoundSource[] {
  const found = [
    ...detectOpenClaw(places),
    ...detectClaudeCode(places),
    ...detectSkills(places),
    ...detectMarkdown(places),
  ]
  const seen = new Set<string>()
  return found.filter(({ path }) => {
    const real = realPath(path)
    const isNew = !seen.has(real)
    seen.add(real)
    return isNew
  })
}

function detectOpenClaw(places: Places): FoundSource[] {
  const state = openClawState(places)
  const workspaces = [
    ...(places.env.OPENCLAW_WORKSPACE_DIR ? [resolve(places.env.OPENCLAW_WORKSPACE_DIR, places)] : []),
    ...listFolders(state).filter((path) => /^workspace(?:-.+)?$/.test(basename(path))),
    ...configuredWorkspaces(join(state, 'openclaw.json'), places),
  ]
  const agents = listFolders(join(state, 'agents'))
  return [...workspaces.map((path) => notesIn('openclaw-workspace', path)), ...agents.map(sessionsOf)].filter(
    ({ files }) => files > 0,
  )
}

/** An agent's transcripts. Newer hosts keep sessions in a database beside them, which is read with them. */
function sessionsOf(agent: string): FoundSource {
  const sessions = join(agent, 'sessions')
  const transcripts = transcriptsIn('openclaw-transcripts', sessions)
  const databases = findFiles(join(agent, 'agent'), isSessionStore).length
  if (databases === 0) return transcripts
  return {
    ...transcripts,
    path: existsSync(sessions) ? sessions : join(agent, 'agent'),
    files: transcripts.files + databases,
    note: 'and the sessions that newer versions keep in a database',
  }
}

function openClawState(places: Places): string {
  const { OPENCLAW_STATE_DIR: state, OPENCLAW_PROFILE: profile } = places.env
  if (state) return resolve(state, places)
  return join(places.home, profile && profile !== 'default' ? `.openclaw-${profile}` : '.openclaw')
}

/** Workspaces that the host's own configuration names. It may carry comments; what cannot be read names none. */
function configuredWorkspaces(file: string, places: Places): string[] {
  if (!existsSync(file)) return []
  let config: unknown
  try {
    config = parse(readFileSync(file, 'utf8'), { logLevel: 'silent' })
  } catch {
    return []
  }
  const agents = fieldOf(config, 'agents')
  const list = fieldOf(agents, 'list')
  const holders = [fieldOf(agents, 'defaults'), ...(Array.isArray(list) ? list : [])]
  return holders
    .map((holder) => fieldOf(holder, 'workspace'))
    .filter((path) => typeof path === 'string')
    .map((path) => resolve(path, places))
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function detectClaudeCode(places: Places): FoundSource[] {
  const { CLAUDE_CONFIG_DIR: configured } = places.env
  const projects = join(configured ? resolve(configured, places) : join(places.home, '.claude'), 'projects')
  const transcripts = transcriptsIn('claude-code-transcripts', projects)
  const notes = listFolders(projects).flatMap((project) => findNotes(join(project, 'memory'))).length
  if (transcripts.files + notes === 0) return []
  return [{ ...transcripts, ...(notes > 0 && { note: `and ${formatCount(notes, 'note')} that it keeps beside them` }) }]
}

/** Skills that a user keeps for all projects; those of a workspace are among its notes. */
function detectSkills(places: Places): FoundSource[] {
  const { CLAUDE_CONFIG_DIR: configured } = places.env
  const claude = configured ? resolve(configured, places) : join(places.home, '.claude')
  return [join(openClawState(places), 'skills'), join(claude, 'skills')]
    .map((folder): FoundSource => {
      const files = findFiles(folder, (name) => name === SKILL).length
      return { kind: 'skills', setting: 'extraPaths', path: join(folder, SKILLS_PATTERN), files }
    })
    .filter(({ files }) => files > 0)
}

/** The home folder itself is no workspace, whatever it holds: it would take in everything. */
function detectMarkdown({ cwd, home }: Places): FoundSource[] {
  const isWorkspace = WORKSPACE_MARKS.some((mark) => existsSync(join(cwd, mark)))
  if (!isWorkspace || realPath(cwd) === realPath(home)) return []
  return [notesIn('markdown', cwd)].filter(({ files }) => files > 0)
}

function notesIn(kind: FoundKind, path: string): FoundSource {
  return { kind, setting: 'workspaces', path, files: findFiles(path, isNote).length }
}

function transcriptsIn(kind: FoundKind, path: string): FoundSource {
  return { kind, setting: 'transcripts', path, files: findFiles(path, isTranscript).length }
}

function resolve(path: string, { home, cwd, platform }: Places): string {
  return resolvePath(path, { home, base: cwd, platform })
}

function listFolders(path: string): string[] {
  return readEntries(path)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort()
}

/** Notes below a folder, as far as a quick look goes. */
export function findNotes(path: string): string[] {
  return findFiles(path, isNote)
}

/** Files below a folder whose name fits; hidden and vendored folders do not count. */
function findFiles(path: string, fits: (name: string) => boolean): string[] {
  const found: string[] = []
  let visited = 0
  const folders = [path]
  for (let folder = folders.pop(); folder !== undefined && visited < MAX_ENTRIES; folder = folders.pop()) {
    for (const entry of readEntries(folder)) {
      visited++
      const entryPath = join(folder, entry.name)
      if (entry.isFile() && fits(entry.name)) found.push(entryPath)
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name)) {
        folders.push(entryPath)
      }
    }
  }
  return found
}

/** What a folder holds; one that is missing or closed to us holds nothing that we could offer. */
function readEntries(path: string) {
  try {
    return statSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : []
  } catch {
    return []
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
