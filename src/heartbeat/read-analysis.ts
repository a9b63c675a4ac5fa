import type { HeartbeatAnalysis, HeartbeatResult } from '../model/heartbeat.ts'
import { cleanCharacters } from '../normalize/index.ts'
import { shorten } from '../recall/format-context.ts'
import { redactSecrets } from '../text/redact.ts'
import { ANALYSIS_TEXT, ANALYSIS_URGENCIES, URGENCY_RANGE } from './analysis-options.ts'

/** What a model's answer says, without what asking it took. */
export type ReadAnalysis = Omit<HeartbeatAnalysis, 'usage'>

/** What models put around their answer, and think before it. */
const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi

/** Braces at which an object may begin that are tried: models speak before they answer. */
const STARTS = 5

/**
 * Reads a model's answer; null where it is no analysis. The model may hold back what the rules let pass, unless that is immediate, which is
 * then told by its signals, without a brief; it does not decide how urgent the rules find it beyond URGENCY_RANGE. Evidence that was not shown is left out.
 */
export function readAnalysis(
  text: string,
  { result, shown }: { result: Pick<HeartbeatResult, 'urgency'>; shown: ReadonlyMap<string, string> },
): ReadAnalysis | null {
  const answer = parseObject(text)
  if (!answer) return null
  const wished = readBoolean(answer.should_act ?? answer.shouldAct)
  const actionBrief = readText(answer.action_brief ?? answer.actionBrief, ANALYSIS_TEXT.brief)
  if (wished === null) return null
  const shouldAct = wished || result.urgency === 'immediate'
  // Where it would hold back what is immediate it need not have written anything.
  if (wished && actionBrief === '') return null
  const actions = answer.recommended_actions ?? answer.recommendedActions
  return {
    shouldAct,
    actionBrief,
    recommendedActions: readList(actions)
      .map((action) => readText(action, ANALYSIS_TEXT.action))
      .filter((action) => action !== '')
      .slice(0, ANALYSIS_TEXT.actions),
    urgency: clampUrgency(answer.urgency, result.urgency),
    reasoning: readText(answer.reasoning, ANALYSIS_TEXT.reasoning),
    evidence: readEvidence(answer.evidence, shown),
  }
}

/** The first JSON object of the answer that can be read whole and decides: others may stand before, behind and around it. */
function parseObject(text: string): Record<string, unknown> | null {
  const plain = text.replace(THOUGHTS, '')
  let start = plain.indexOf('{')
  for (let tries = 0; tries < STARTS && start >= 0; tries++) {
    const parsed = parseJson(plain.slice(start, endOfObject(plain, start)))
    const isDecision =
      typeof parsed === 'object' && parsed !== null && ('should_act' in parsed || 'shouldAct' in parsed)
    if (isDecision) return parsed as Record<string, unknown>
    start = plain.indexOf('{', start + 1)
  }
  return null
}

/** Behind the brace that closes the one at `start`; braces in texts are none. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  for (const { index, 0: mark } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (mark === '{') depth += 1
    else if (mark === '}' && --depth === 0) return start + index + 1
  }
  return text.length
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not an object, or not the whole of it.
    return null
  }
}

function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  return /^(?:true|yes)$/i.test(value) ? true : /^(?:false|no)$/i.test(value) ? false : null
}

function readText(value: unknown, maxChars: number): string {
  if (typeof value !== 'string') return ''
  const line = cleanCharacters(value).replace(/\s+/g, ' ').trim()
  return shorten(redactSecrets(line).text, maxChars)
}

function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function clampUrgency(value: unknown, urgency: HeartbeatResult['urgency']): HeartbeatAnalysis['urgency'] {
  const { least, most } = URGENCY_RANGE[urgency]
  const known: readonly unknown[] = ANALYSIS_URGENCIES
  const order = known.indexOf(value)
  const [low, high] = [ANALYSIS_URGENCIES.indexOf(least), ANALYSIS_URGENCIES.indexOf(most)]
  return ANALYSIS_URGENCIES[Math.min(high, Math.max(low, order))] ?? least
}

/** Ids of the memories behind the labels, or ids themselves, that were shown. */
function readEvidence(value: unknown, shown: ReadonlyMap<string, string>): string[] {
  const ids = new Set(shown.values())
  const named = readList(value).flatMap((label) => {
    if (typeof label !== 'string') return []
    const key = label.trim().replace(/^\[|\]$/g, '')
    return shown.get(key) ?? (ids.has(key) ? key : [])
  })
  return [...new Set(named)]
}
