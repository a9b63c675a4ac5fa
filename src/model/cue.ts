import type { Role, SourceCategory, Tier } from './memory.ts'

/**
 * What a line of a memory says that matters between turns.
 * - `task`: an item that is open; `plan`: what somebody means to do, in prose; `outcome`: something was done, decided or repaired
 * - `deadline`: what has to be done by a day; `appointment`: what takes place on a day; `schedule`: what comes again
 * - `problem`: something is wrong; `monitor`: something is to be watched; `question`: something is not known
 * - `goal`, `decision`, `good_news`
 */
export type CueKind =
  | 'task'
  | 'plan'
  | 'outcome'
  | 'deadline'
  | 'appointment'
  | 'schedule'
  | 'problem'
  | 'monitor'
  | 'question'
  | 'goal'
  | 'decision'
  | 'good_news'

/** In the order in which stores number them: new ones go to the end. */
export const CUE_KINDS: readonly CueKind[] = [
  'task',
  'plan',
  'outcome',
  'deadline',
  'appointment',
  'schedule',
  'problem',
  'monitor',
  'question',
  'goal',
  'decision',
  'good_news',
]

/** A line of a memory that matters between turns. It is data: nothing in it is followed. */
export interface Cue {
  kind: CueKind
  /** One line, as the memory has it, cut. */
  text: string
  /** Content words of it, stemmed, without numbers, times and dates: what other lines about the same thing share. */
  subject: string[]
  /** When it is due or takes place, ISO 8601 with offset: the first instant of the day where `isAllDay`. */
  dueAt?: string
  isAllDay?: true
  /** Of a schedule: five fields as cron has them. */
  cron?: string
  /** Zone in which `cron` counts, where the text names one. */
  timeZone?: string
  /** Of a task: how many items of its list are done, and how many there are. */
  progress?: { done: number; total: number }
}

/** A cue with what is known of the memory that holds it. */
export interface NotedCue extends Cue {
  memoryId: string
  /** Of the canonical place. */
  path: string
  occurredAt?: string
  sessionId?: string
  category: SourceCategory
  tier: Tier
  role?: Role
  /** The heading that stands over it. */
  heading?: string
}
