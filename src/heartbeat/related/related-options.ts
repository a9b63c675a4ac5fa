import type { MemoryState, MemoryType } from '../../model/memory.ts'
import type { RelationshipType } from '../../model/relationship.ts'

/** Signals that are looked into, related memories of each, and of all together. (S1) */
export const RELATED_LIMITS = { signals: 3, each: 3, all: 9 } as const
/** Least score of a related memory, [0,1]: looser than what makes two texts the same, it is the theme that counts. (S1) */
export const RELATED_MIN_SCORE = 0.5
/** What bears on a signal: what was done and decided, planned, and what happened. (S1) */
export const RELATED_TYPES: readonly MemoryType[] = ['activity', 'plan', 'event']
export const RELATED_STATES: readonly MemoryState[] = ['active', 'stale']

/**
 * Words of a signal that are looked for, 4 to 32 at most: the rarest ones that other memories hold too, and at least so many (1 to 8) however
 * common they are, since a long session may be full of what it is about. A signal tells something new, so that
 * what no memory holds says nothing against the past; common words say nothing for it. `npx tsx bench/related.ts` finds 24 of
 * its 30 with 8 words and 23 with 12; it was looked at for this choice.
 */
export const RELATED_WORDS = { least: 4, most: 8 } as const
/**
 * Memories of which the best of each session come first, 3 to 12: three pieces of one talk tell the same.
 */
export const RELATED_SPREAD = 6
/** A word that more than this share of the memories hold is not looked for, [0.05,0.5]. */
export const RELATED_WORD_SHARE = 0.2
/** Memories that may hold a word all the same: in a store of few, every word is common. */
export const RELATED_WORD_MEMORIES = 3
/**
 * Added to the evidence (as log-odds) that a memory answers a question, to have that it bears on a signal: the same scale, and less is
 * asked. With it the signals of strangers (memories of two LoCoMo conversations and of the sample, each put to the others' stores)
 * find 0.75 of three memories by vectors and words, at 0.5 half a one, at 1.5 more than one; by words alone they find somewhat less.
 */
export const RELATED_EVIDENCE = { hybrid: 1, keyword: 1 } as const
/** Memories that are looked at first for a signal, 12 to 100; more, up to the second, while what is left out empties the answer. */
export const RELATED_LOOKED = { first: 24, most: 400 } as const
/**
 * Best memories that each arm (keyword, vector) puts forward for a signal, 48 to 500: each costs the reading of a row, and six are looked at. With
 * 48 `npx tsx bench/related.ts` finds and shows as much as with 64 or 96, with vectors and without; for one signal another memory.
 */
export const RELATED_CANDIDATES = 48
/** Characters of a related memory's snippet, 300 to 2,000: most memories whole, since how something came out stands at the end. Texts quote less of it. */
export const RELATED_SNIPPET_CHARS = 700

/** Relationships that bear on a decision: why, from what, on what grounds, against what. That one thing came after another does not. */
export const DECISION_RELATIONSHIPS: readonly RelationshipType[] = [
  'causal',
  'derives_from',
  'contradicts',
  'supports',
  'references',
  'generalizes',
  'specializes',
]
/** Lines of graph context at most, relationships of one memory, 1 to 20, and characters of a memory's name in a line. */
export const GRAPH_CONTEXT = { lines: 8, perMemory: 5, nameChars: 80 } as const
