import type { Urgency } from '../model/heartbeat.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What a signal counts in confluence, by its urgency, above 0: as much as its kind would have alone. */
export const URGENCY_WEIGHTS: Record<Urgency, number> = { immediate: 10, elevated: 5, normal: 3, low: 1, none: 1 }
/** Signals of one kind that a tick tells, and that it shows as held back, at most, 1 to 50: the others are counted, and the next tick has them. */
export const SIGNALS_A_KIND = 12
/** Lines of one kind that a tick looks at, 100 to 5,000: the newest, or the next due; it bounds what a tick costs. */
export const CUES_A_KIND = 400
/** Characters of a summary, 80 to 400: one line. */
export const SUMMARY_CHARS = 220

/** Contradictions that a tick tells, 1 to 20, the oldest first: each takes a person's decision, and the others wait where they are. */
export const CONFLICTS = 5

/**
 * Deadlines. `aheadMs`: from so long before it is due, 1 h to 7 days. `immediateMs`: from so long before it is immediate. What is due on a
 * day is due at `dayEndHour` of it, 1 to 24, and told from `dayAheadMs` before. `overdueMs`: so long after it is still told.
 */
export const DEADLINE = {
  aheadMs: DAY_MS,
  immediateMs: HOUR_MS,
  dayEndHour: 18,
  dayAheadMs: 42 * HOUR_MS,
  overdueMs: 3 * DAY_MS,
} as const

/**
 * What takes place. `aheadMs`: appointments with a time are told from so long before; those of a day from `dayAheadHour` of the day before,
 * 0 to 23. `lateMs`: what comes again is told so long after its time at most, as ticks may come late. `soonMs`: from so long before it is immediate.
 */
export const SCHEDULED = {
  aheadMs: 2 * HOUR_MS,
  dayAheadHour: 15,
  lateMs: 2 * HOUR_MS,
  soonMs: 30 * MINUTE_MS,
} as const

/**
 * Open work. `ageMs`: what was noted within this time; lists that hold open items for longer are named in `standing`. `planMs`: what
 * somebody meant to do is asked for from so long after on. `problemMs`: what was wrong within this time. `dueMs`: what is due later than
 * this can wait. `share`: how much of what a line is about another one has to be about to settle it, by the weight of its words, [0.4,1];
 * `whole`: how much of itself, where it says little.
 */
export const PENDING = {
  ageMs: 14 * DAY_MS,
  planMs: DAY_MS,
  problemMs: 7 * DAY_MS,
  dueMs: 7 * DAY_MS,
  share: 0.6,
  whole: 0.95,
  standing: /(?:^|\/)(?:HEARTBEAT|MEMORY|TODO|TODOS|TASKS|USER)\.md$/i,
} as const

/** Something that is watched is stale when nothing was noted of it for `afterMs`, and given up after `untilMs`. */
export const MONITOR = { afterMs: DAY_MS, untilMs: 14 * DAY_MS } as const

/**
 * An interrupted session: the newest one, not older than `withinMs`, not younger than `quietMs` (else it goes on), with its last `turns`
 * looked at.
 */
export const CONTINUITY = { withinMs: 12 * HOUR_MS, quietMs: 30 * MINUTE_MS, turns: 40 } as const

/** Lists of items as goals: those with so many items or more; stalled when nothing came of them for `stalledMs`. */
export const GOAL = { items: 3, stalledMs: 7 * DAY_MS, keptMs: 60 * DAY_MS } as const

/** Questions: open ones of this time, and searches that found nothing at least `asked` times. */
export const GAP = { ageMs: 14 * DAY_MS, asked: 2, askedMs: 14 * DAY_MS } as const

/** Good news of the last `ageMs`. */
export const POSITIVE = { ageMs: 36 * HOUR_MS } as const

/** Memories whose source calls them this important, [0.6,1], of which less than so much is left, [0,1]: told one at a time. */
export const DECAYING = { importance: 0.8, strengthBelow: 0.4, told: 3 } as const

/** A person whom at least `mentions` lines of `windowMs` name, and none for `silentMs`. `checked`: people who are looked up in the texts. */
export const SILENCE = { silentMs: 7 * DAY_MS, windowMs: 90 * DAY_MS, mentions: 4, checked: 3 } as const

/** What stands under one heading on at least `times` days of this weekday in `windowMs`, and on `share` of its days on this weekday. */
export const PATTERN = { windowMs: 90 * DAY_MS, times: 4, share: 0.7 } as const

/** Many more memories than usual: `least` in a day, and `times` the usual day of `days`. */
export const VELOCITY = { least: 20, times: 3, days: 14 } as const

/**
 * Salience. `limit`: items unless the caller says otherwise. `looked`: notes that are weighed, 100 to 10,000. `least`: what is below is not
 * worth a word, [0,1] (S4). `sizeChars`: a text as long as that would add 1 to importance, up to `maxSizeRaise`. `gapRaise`: what a search
 * adds that found nothing and has `gapShare` of its words in the name or the headings (S4: 0.15). `readFall`: what each reading takes, up to
 * `maxReadFall` (S4), readings halved every `readHalfLifeDays`. `perFile`: sections of one file. `prompts`: questions.
 */
export const SALIENCE = {
  limit: 20,
  looked: 2000,
  least: 0.05,
  sizeChars: 20_000,
  maxSizeRaise: 0.1,
  gapRaise: 0.15,
  gapShare: 0.5,
  readFall: 0.03,
  maxReadFall: 0.2,
  readHalfLifeDays: 30,
  perFile: 2,
  prompts: 5,
} as const
