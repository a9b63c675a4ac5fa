/**
 * What a memory is worth whose source says nothing about it, by kind of source, [0,1] (S4: topic above core above daily). Talk is worth less
 * than notes, which somebody thought worth keeping, and what tools returned least: it can be had again.
 */
export const KIND_IMPORTANCE = { topic: 0.8, core: 0.7, remembered: 0.6, daily: 0.4, talk: 0.35, tool: 0.2 } as const
/**
 * Forgetting. `halfLifeDays`, 1 to 1,000: what happened fades within weeks, what is so within months, how to do things later still.
 * `accessHalf`: so many readings bring back half of what was, 1 to 20. `referenceRaise`: what each memory that refers to it adds to its
 * importance, up to `maxReferenceRaise`, [0,0.5]. `staleBelow`, `archivedBelow`: strengths, [0,1]; the second is 46 days of an episodic
 * memory. `archivedImportance`: what matters as much or more is never archived, [0,1]; of what says nothing of itself, that leaves tool
 * output alone. Nothing here hides a memory from a search or from recall; what is archived is left out of briefings and of a heartbeat.
 */
export const FORGETTING = {
  halfLifeDays: { episodic: 7, semantic: 30, procedural: 90 },
  accessHalf: 2,
  referenceRaise: 0.05,
  maxReferenceRaise: 0.2,
  staleBelow: 0.3,
  archivedBelow: 0.01,
  archivedImportance: 0.3,
} as const
/** Numbers of memories (ordinals) whose state is looked at in one go, 500 to 50,000: others get their turn between them. */
export const AGING_BATCH_MEMORIES = 10_000
