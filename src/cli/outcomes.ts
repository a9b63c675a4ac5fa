import type { RecalledTurn } from '../index.ts'

/** What became of a candidate of a recall, in words. */
export const OUTCOMES: Record<RecalledTurn['considered'][number]['outcome'], string> = {
  injected: 'in',
  'below-threshold': 'out: not relevant enough',
  'already-shown': 'out: shown in this session before',
  'same-session': 'out: part of this conversation',
  'over-budget': 'out: no room left',
  'too-late': 'out: found too late',
}
