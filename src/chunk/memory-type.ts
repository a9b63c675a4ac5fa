import type { MemoryType } from '../model/memory.ts'

const OPEN_CHECKBOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \](?:[ \t]|$)/m
const DONE_CHECKBOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\](?:[ \t]|$)/m
const PLAN_HEADING = /\b(?:plans?|todos?|to-dos?|next(?!\.js)|goals?)\b/i
const DONE =
  /(?<!\b(?:not|never|to be|be|isn['’]t|wasn['’]t|until)\s)\b(?:decided|resolved|fixed|merged|released)\b(?!-)|\[decision\]|^[^\w\n]{0,16}decisions?:/im
const OUTCOME_HEADING = /\b(?:decisions?|outcomes?|resolutions?|root causes?|post-?mortems?)\b/i

/** What the rules know about a text besides its words. */
export interface TypeClues {
  /** The heading that stands over the text. */
  heading?: string
  isToolResult?: boolean
  /** What it is when no word says more. */
  otherwise: MemoryType
}

/**
 * The type of a text without asking a model: a tool result is an activity; an open checkbox makes a plan, and so does a heading that speaks
 * of plans unless all is ticked off; what is ticked off, and words of completion or decision, make an activity.
 */
export function classifyText(text: string, clues: TypeClues): MemoryType {
  const heading = clues.heading ?? ''
  if (clues.isToolResult) return 'activity'
  if (OPEN_CHECKBOX.test(text)) return 'plan'
  if (DONE_CHECKBOX.test(text)) return 'activity'
  if (PLAN_HEADING.test(heading)) return 'plan'
  if (DONE.test(text) || OUTCOME_HEADING.test(heading)) return 'activity'
  return clues.otherwise
}
