import { describe, expect, it } from 'vitest'
import type { Candidate, CandidateSet } from '../store/memory-store.ts'
import { makeMemory } from '../testing/make-memory.ts'
import { scoreSignals } from './signals.ts'

const turn = (id: string, position: number, text: string, fields: { score: number; speaker?: string }): Candidate => ({
  memory: makeMemory({
    id,
    text,
    category: 'sessions',
    role: 'user',
    ...(fields.speaker !== undefined && { speaker: fields.speaker }),
    place: { path: 'sessions/a.jsonl', position },
  }),
  text: fields.score,
  window: 5,
  document: 5,
  matched: [0],
})
const words = [{ term: 'pottery', weight: 1, optional: false }]
const keywordOf = (candidates: Candidate[]): Record<string, number> => {
  const set: CandidateSet = {
    candidates,
    documentFrequencies: [2, 0, 0],
    memoryCount: 500,
    matchedCount: 2,
    pendingCount: 0,
  }
  const scored = scoreSignals(set, words)
  return Object.fromEntries(scored.map(({ candidate, relative }) => [candidate.memory.id, relative.keyword]))
}

describe('scoreSignals', () => {
  it('lets the turn that answers a question share in its words', () => {
    const question = turn('q', 3, 'When did you start pottery?', { score: 5, speaker: 'Ada' })
    const answer = turn('a', 4, 'Last spring, with a friend.', { score: 0.5, speaker: 'Ben' })
    const other = turn('o', 9, 'Last spring, with a friend.', { score: 0.5, speaker: 'Ben' })
    const scores = keywordOf([question, answer, other])
    expect(scores.a).toBeGreaterThan(scores.o ?? 0)
  })

  it('gives nothing for going on after a statement, for answering oneself, or to an agent', () => {
    const statement = turn('q', 3, 'I started pottery.', { score: 5, speaker: 'Ada' })
    const question = turn('r', 5, 'When did you start pottery?', { score: 5, speaker: 'Ada' })
    const scores = keywordOf([
      statement,
      turn('a', 4, 'Nice.', { score: 0.5, speaker: 'Ben' }),
      question,
      turn('b', 6, 'I wonder.', { score: 0.5, speaker: 'Ada' }),
      turn('s', 7, 'When did I start pottery?', { score: 5 }),
      turn('c', 8, 'In spring.', { score: 0.5 }),
      turn('o', 20, 'Nice.', { score: 0.5, speaker: 'Ben' }),
    ])
    expect([scores.a, scores.b, scores.c]).toEqual([scores.o, scores.o, scores.o])
  })
})
