import type { RecallTraceEntry } from '../index.ts'

/** What became of a candidate of a recall, in words. */
export const OUTCOMES: Record<RecallTraceEntry['outcome'], string> = {
  injected: 'in',
  'below-threshold': 'out: not relevant enough',
  'already-shown': 'out: shown in this session before',
  'same-session': 'out: part of this conversation',
  'over-budget': 'out: no room left',
}
