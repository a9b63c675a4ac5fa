import { describe, expect, it } from 'vitest'
import { toWire } from './to-wire.ts'

describe('toWire', () => {
  it('renames every name and touches no text', () => {
    const tick = {
      shouldAct: true,
      nextDue: 'camelCase stays',
      signals: [{ memoryIds: ['aB'], dueAt: '2026-03-04T10:00:00Z', progress: null }],
      analysis: { recommendedActions: ['doIt'], usage: { inputTokens: 1 } },
      continuity: null,
    }
    expect(toWire(tick)).toEqual({
      should_act: true,
      next_due: 'camelCase stays',
      signals: [{ memory_ids: ['aB'], due_at: '2026-03-04T10:00:00Z', progress: null }],
      analysis: { recommended_actions: ['doIt'], usage: { input_tokens: 1 } },
      continuity: null,
    })
  })
})
