import { describe, expect, it } from 'vitest'
import type { ComparedMemory } from './compared-memory.ts'
import { relatePair } from './relate-pair.ts'

function memory(text: string, more: Partial<ComparedMemory> = {}): ComparedMemory {
  const path = `${text.slice(0, 8)}.md`
  return { id: text, text, tier: 'semantic', headerPath: [], place: { root: '/w', path, position: 0 }, ...more }
}
const turn = (text: string, sessionId: string, role: 'user' | 'assistant', occurredAt = '2026-05-01T09:00:00Z') =>
  memory(text, {
    tier: 'episodic',
    role,
    place: { root: '/w', path: `${sessionId}.jsonl`, position: 9, sessionId, occurredAt, dateOrigin: 'timestamp' },
  })
const relate = (a: ComparedMemory, b: ComparedMemory, minScore = 1) =>
  relatePair(a, b, { minScore, seeksConflict: true })
const typesOf = (a: ComparedMemory, b: ComparedMemory, minScore?: number): string[] =>
  relate(a, b, minScore).map(({ relationshipType }) => relationshipType)

const CAUSE = memory('The float switch of the pump was stuck.')
const EFFECT = memory('The cellar was flooded because the float switch was stuck.')
const GATES = 'the gate stays shut until the water is below two metres'

describe('relatePair', () => {
  it('takes readings of different times for no contradiction, and values that nothing dates for one', () => {
    const [first, second] = [memory('disk of tern-7 at 93 % (10:02)'), memory('disk of tern-7 at 94 % (10:32)')]
    expect(typesOf(first, second)).not.toContain('contradicts')
    const episodes = ['The backup of petrel took 14 minutes.', 'The backup of petrel took 17 minutes.'] as const
    const [before, after] = episodes.map((text) => memory(text, { tier: 'episodic' })) as [
      ComparedMemory,
      ComparedMemory,
    ]
    expect(typesOf(before, after)).not.toContain('contradicts')
    expect(typesOf(memory('The sluice opens at 3 m.'), memory('The sluice opens at 4 m.'))).toContain('contradicts')
  })

  it('lets what the texts state stand whatever its score, and says so', () => {
    const [caused] = relate(CAUSE, EFFECT)
    expect(caused).toMatchObject({ relationshipType: 'causal', metadata: { basis: 'stated' } })
    expect(caused?.score).toBeLessThan(1)
    expect(
      typesOf(memory('See [[weir]].'), memory('Open it.', { place: { root: '/w', path: 'weir.md', position: 0 } })),
    ).toEqual(['references'])
    const lesson = memory('Rinse the filter; learned from the stuck float switch.')
    expect(typesOf(lesson, memory('Float switch stuck again.', { tier: 'episodic' }))).toEqual(['derives_from'])
    expect(
      typesOf(memory('The test confirmed that the left gate leaks.'), memory('The left gate leaks since May.')),
    ).toEqual(['supports'])
  })

  it('lets what is inferred stand from its least score on', () => {
    const claim = memory('The weir leaks at the left gate.')
    const heard = memory('Heron says: the weir leaks at the left gate, a litre an hour.')
    expect(relate(heard, claim, 0.2)).toMatchObject([{ relationshipType: 'supports' }])
    expect(relate(heard, claim, 0.2)[0]).not.toHaveProperty('metadata')
    expect(relate(heard, claim, 0.99)).toEqual([])
  })

  it('takes a name of a document for its beginning; another part has to be as strong as what is inferred', () => {
    const part = memory('Grease the hinge.', { place: { root: '/w', path: 'weir.md', position: 4 } })
    expect(typesOf(memory('See [[weir]].'), part)).toEqual([])
    expect(typesOf(memory('See [[weir]].'), part, 0.05)).toEqual(['references'])
    expect(typesOf(memory('See [[weir#Hinges]].'), { ...part, headerPath: ['Weir', 'Hinges'] })).toEqual(['references'])
  })

  it('takes two words of a clause for too little to stand alone', () => {
    const alarm = memory('A new float switch is on its way from Heron.')
    expect(typesOf(alarm, memory('It was late because of the float switch.'))).toEqual([])
  })

  it('relates turns by nothing that comes with talking', () => {
    const [asked, answered] = [turn(`Is it so that ${GATES}?`, 's1', 'user'), turn(`Yes, ${GATES}.`, 's1', 'assistant')]
    expect(typesOf(asked, answered, 0)).not.toContain('references')
    expect(typesOf(memory(`Rule: ${GATES}.`), answered)).toEqual(['derives_from'])
    const [hello, again] = ['2026-05-01', '2026-05-03'].map((day, at) =>
      turn(`Wow, Heron! Thanks, Egret! That is great (${at}).`, `s${at}`, 'user', `${day}T09:00:00Z`),
    ) as [ComparedMemory, ComparedMemory]
    expect(typesOf(hello, again, 0)).not.toContain('temporal_sequence')
    const [ordered, came] = [
      turn('Heron ordered the float switch for PMP-7 at the mill.', 's1', 'user'),
      turn('Then Heron brought the float switch for PMP-7.', 's2', 'user', '2026-05-03T09:00:00Z'),
    ]
    expect(typesOf(ordered, came, 0)).toEqual(['temporal_sequence'])
  })

  it('takes what an agent explained elsewhere for no cause and no source of what it explains', () => {
    const [cause, effect] = [turn(CAUSE.text, 's1', 'assistant'), turn(EFFECT.text, 's2', 'assistant')]
    expect(typesOf(cause, effect, 0)).not.toContain('causal')
    expect(typesOf(turn(CAUSE.text, 's1', 'user'), effect)).toEqual(['causal'])
  })
})
