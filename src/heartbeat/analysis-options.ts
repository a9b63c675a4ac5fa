import type { HeartbeatAnalysis, Urgency } from '../model/heartbeat.ts'

/**
 * Asking the language model about a tick. `deadlineMs` (1,000 to 60,000): a host's hook gives up after some 15 s. `outputTokens` (200 to
 * 4,000): a brief and a few lines, and room for models that think aloud. `signals` (1 to 50) and `textChars` (80 to 700) of each: with
 * nine related memories and eight connections some 3,000 tokens, 0.01 to 0.05 dollars with models of the middle class. (S1)
 */
export const ANALYSIS = { deadlineMs: 15_000, outputTokens: 1500, signals: 12, textChars: 300 } as const
/** Characters kept of what the model writes, and how many actions: a message, not an essay. */
export const ANALYSIS_TEXT = { brief: 600, action: 200, actions: 5, reasoning: 1000 } as const

type AnalysisUrgency = HeartbeatAnalysis['urgency']
export const ANALYSIS_URGENCIES: readonly AnalysisUrgency[] = ['none', 'low', 'medium', 'high', 'critical']

/**
 * How urgent the model may call what the rules call so: it cannot talk a deadline away, and no text in a memory can make it cry for help.
 */
export const URGENCY_RANGE: Record<Urgency, { least: AnalysisUrgency; most: AnalysisUrgency }> = {
  immediate: { least: 'high', most: 'critical' },
  elevated: { least: 'medium', most: 'high' },
  normal: { least: 'low', most: 'medium' },
  low: { least: 'none', most: 'low' },
  none: { least: 'none', most: 'low' },
}
