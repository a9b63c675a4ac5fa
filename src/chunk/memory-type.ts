import type { MemoryType } from '../model/memory.ts'

const OPEN_CHECKBOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \](?:[ \t]|$)/m
const PLAN_HEADING = /\b(?:plans?|todos?|to-dos?|next(?!\.js)|goals?)\b/i
const DONE =
  /(?<!\b(?:not|never|to be|be|isn['’]t|wasn['’]t|until)\s)\b(?:decided|resolved|fixed|merged|released)\b(?!-)|\[decision\]|^\W*decisions?:/im
const DECISION_HEADING = /\bdecisions?\b/i

/** What the rules know about a text besides its words. */
export interface TypeClues {
  /** The heading that stands over the text. */
  heading?: string
  isToolResult?: boolean
  /** What it is when no word says more. */
  otherwise: MemoryType
}

/**
 * The type of a text without asking a model: a tool result is an activity; an open checkbox or a heading that speaks of plans
 * makes a plan; words of completion or decision make an activity.
 */
export function classifyText(text: string, clues: TypeClues): MemoryType {
  const heading = clues.heading ?? ''
  if (clues.isToolResult) return 'activity'
  if (OPEN_CHECKBOX.test(text) || PLAN_HEADING.test(heading)) return 'plan'
  if (DONE.test(text) || DECISION_HEADING.test(heading)) return 'activity'
  return clues.otherwise
}
