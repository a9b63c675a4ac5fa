/** What kind of knowledge a memory is: episodic (what happened), semantic (what is so), procedural (how to). */
export type Tier = 'episodic' | 'semantic' | 'procedural'
export const TIERS: readonly Tier[] = ['episodic', 'semantic', 'procedural']

export type MemoryType = 'identity' | 'preference' | 'relationship' | 'event' | 'activity' | 'plan' | 'context' | 'fact'
export const MEMORY_TYPES: readonly MemoryType[] = [
  'identity',
  'preference',
  'relationship',
  'event',
  'activity',
  'plan',
  'context',
  'fact',
]

export type MemoryState = 'active' | 'stale' | 'archived'

/** Who may see a memory: its agent only, the agents configured as one team, or every agent of the tenant. */
export type Visibility = 'private' | 'team' | 'global'
export const VISIBILITIES: readonly Visibility[] = ['private', 'team', 'global']

/** Where the words come from: the owner, the agent, or something that neither wrote (tool output, web text). */
export type Trust = 'owner' | 'agent' | 'untrusted'

export type Role = 'user' | 'assistant' | 'tool' | 'system'

/** `memory`: notes and things remembered directly; `sessions`: transcripts. */
export type SourceCategory = 'memory' | 'sessions'
export const CATEGORIES: readonly SourceCategory[] = ['memory', 'sessions']

/** Which clue gave the date, strongest first. */
export type DateOrigin = 'name' | 'text' | 'timestamp' | 'mtime'

/** Whose memory it is. All comparisons are exact. `project` is an absolute real path, or '' where there is none. */
export interface Scope {
  tenant: string
  agent: string
  project: string
  visibility: Visibility
}

/** Where a memory stands in a document. Lines are 1-based, physical and inclusive; `path` is relative to `root` with `/`. */
export interface Place {
  root: string
  path: string
  startLine: number
  endLine: number
  /** Order of the memory within its document, from 0. */
  position: number
  /** ISO 8601 with offset; absent when nothing dates it. */
  occurredAt?: string
  dateOrigin?: DateOrigin
  sessionId?: string
  turnId?: string
}

/** The content of a memory, before the store gives it places. Equal ids mean the same said in equal scope; the wording may differ in form. */
export interface MemoryContent {
  /** Stable: a function of scope and content, not of the line or file it stands in (or the caller's own id). */
  id: string
  scope: Scope
  category: SourceCategory
  tier: Tier
  type: MemoryType
  trust: Trust
  /** [0,1]; 0.5 unless the source says otherwise. */
  importance: number
  /** Cleaned and redacted; what is shown, found by keyword and cited. */
  text: string
  /** Headings above and at the text, outermost first; for a transcript, empty. */
  headerPath: string[]
  /** What a model embeds: the text with the context that disambiguates it. */
  embedText: string
  role?: Role
  speaker?: string
  tool?: string
}

/** A stored memory with its canonical place. */
export interface Memory extends MemoryContent {
  place: Place
  /** How many places hold this content, the canonical one included. */
  placeCount: number
  state: MemoryState
  accessCount: number
  /** ISO 8601, absent when never accessed. */
  lastAccess?: string
}

/** The header path as one line, as hits show it. */
export function formatHeader(headerPath: readonly string[]): string {
  return headerPath.join(' > ')
}
