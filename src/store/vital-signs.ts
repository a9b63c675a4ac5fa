import type { Memory, MemoryContent, MemoryState, Role, SourceCategory, Tier } from '../model/memory.ts'
import type { MemoryFilter } from '../model/search.ts'
import { DEFAULT_IMPORTANCE } from '../options.ts'
import { FORGETTING, KIND_IMPORTANCE } from './forgetting-options.ts'

const DAY_MS = 86_400_000
const CORE = /^(?:[A-Z]+|BOOT\w*)\.md$/
const REMEMBERED = 'remembered/'

/** What is known of a memory besides its words: how much it matters, and how much of it is left. */
export interface Vital {
  id: string
  path: string
  header: string
  category: SourceCategory
  tier: Tier
  state: MemoryState
  /** By the kind of its source, what its source says of it, and how many memories refer to it, [0,1]. */
  importance: number
  /** 1 when it is new or was just read, halved with each half-life of its tier, [0,1]. */
  strength: number
  occurredAt?: string
  accessCount: number
  lastAccess?: string
  /** Memories that refer to it. */
  incoming: number
  /** Characters (code points) of its text. */
  size: number
}

export interface VitalQuery {
  filter: MemoryFilter
  /** The time as of which strength is counted. */
  at: Date
  /** Only of memories whose source gives them at least this importance, [0,1]: far fewer are looked at. */
  statedFrom?: number
  limit: number
}

/** What importance and strength are reckoned from. */
export interface VitalFacts {
  path: string
  category: SourceCategory
  tier: Tier
  role?: Role
  importance: number
  occurredMs: number | null
  accessCount: number
  lastAccessMs: number | null
  incoming: number
}

/**
 * How much a memory matters, [0,1]. The kind of source gives the value of what says nothing about itself; a stated importance moves it
 * towards 0 or 1, and references raise it.
 */
export function importanceOf({ path, category, tier, role, importance, incoming }: VitalFacts): number {
  const base = KIND_IMPORTANCE[kindOf({ path, category, tier, ...(role && { role }) })]
  const stated =
    importance >= DEFAULT_IMPORTANCE
      ? base + ((1 - base) * (importance - DEFAULT_IMPORTANCE)) / (1 - DEFAULT_IMPORTANCE)
      : (base * importance) / DEFAULT_IMPORTANCE
  const raised = stated + Math.min(FORGETTING.maxReferenceRaise, FORGETTING.referenceRaise * incoming)
  return Math.min(1, Math.max(0, raised))
}

function kindOf({
  path,
  category,
  tier,
  role,
}: Pick<VitalFacts, 'path' | 'category' | 'tier' | 'role'>): keyof typeof KIND_IMPORTANCE {
  if (role === 'tool') return 'tool'
  if (category === 'sessions') return 'talk'
  if (path.startsWith(REMEMBERED)) return 'remembered'
  if (tier === 'episodic') return 'daily'
  return CORE.test(path) ? 'core' : 'topic'
}

/**
 * How much of a memory is left, [0,1]: the forgetting curve 2^(−age / half-life of its tier). Reading it makes it new again by as much as it
 * was read, n/(n+2), and that fades with the same half-life, so that nothing that was read once stays for ever. Undated ones do not fade.
 */
export function strengthOf({ tier, occurredMs, accessCount, lastAccessMs }: VitalFacts, atMs: number): number {
  if (occurredMs === null) return 1
  const share = accessCount / (accessCount + FORGETTING.accessHalf)
  const read = lastAccessMs === null ? 0 : share * fadedTo(tier, lastAccessMs, atMs)
  return Math.max(fadedTo(tier, occurredMs, atMs), read)
}

/** What the forgetting curve leaves at a time of what was new at another, [0,1]. */
export function fadedTo(tier: Tier, sinceMs: number, atMs: number): number {
  return 2 ** (-Math.max(0, atMs - sinceMs) / (FORGETTING.halfLifeDays[tier] * DAY_MS))
}

/** Stale: little of it is left. Archived: next to nothing, and it does not matter either. */
export function stateOf(facts: VitalFacts, atMs: number): MemoryState {
  const strength = strengthOf(facts, atMs)
  if (strength >= FORGETTING.staleBelow) return 'active'
  const isArchived = strength < FORGETTING.archivedBelow && importanceOf(facts) < FORGETTING.archivedImportance
  return isArchived ? 'archived' : 'stale'
}

/** The facts of a memory as it is at its canonical place. */
export function factsOf(memory: Memory, incoming: number): VitalFacts {
  const { tier, category, role, importance, accessCount, lastAccess, place } = memory
  const ms = Date.parse(place.occurredAt ?? '')
  return {
    ...{ path: place.path, category, tier, importance, accessCount, incoming },
    ...(role !== undefined && { role }),
    occurredMs: Number.isNaN(ms) ? null : ms,
    lastAccessMs: lastAccess === undefined ? null : Date.parse(lastAccess),
  }
}

/** The state of a memory that nobody has read and nothing refers to, at its place. */
export function stateOfNew(
  { tier, category, role, importance }: MemoryContent,
  place: Pick<Memory['place'], 'path' | 'occurredAt'>,
  atMs: number,
): MemoryState {
  const ms = Date.parse(place.occurredAt ?? '')
  const facts: VitalFacts = {
    ...{ path: place.path, category, tier, importance, accessCount: 0, lastAccessMs: null, incoming: 0 },
    ...(role !== undefined && { role }),
    occurredMs: Number.isNaN(ms) ? null : ms,
  }
  return stateOf(facts, atMs)
}

/** How much is lost of what matters: what lists of vitals are ordered by. */
export function lossOf({ importance, strength }: Pick<Vital, 'importance' | 'strength'>): number {
  return importance * (1 - strength)
}
