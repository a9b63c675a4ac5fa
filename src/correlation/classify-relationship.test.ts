import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RELATIONSHIP_TYPES } from '../model/relationship.ts'
import { classifyRelationship } from './classify-relationship.ts'
import type { ComparedMemory } from './compared-memory.ts'
import { gatherEvidence } from './gather-evidence.ts'

type Tier = ComparedMemory['tier']
function memory(text: string, tier: Tier = 'semantic', day?: string, sessionId?: string): ComparedMemory {
  const place = {
    root: '/work',
    path: `${tier}.md`,
    position: 0,
    ...(day !== undefined && { occurredAt: `${day}T09:00:00Z` }),
    ...(sessionId !== undefined && { sessionId }),
  }
  return { id: `memory ${text}`, text, tier, headerPath: [], place }
}
const classify = (a: ComparedMemory, b: ComparedMemory) => classifyRelationship(a, b, gatherEvidence(a, b))

describe('classifyRelationship', () => {
  it('calls a reference a reference, from the side that refers', () => {
    const [a, b] = [memory('Read procedural.md before.'), memory('Open the weir by hand.', 'procedural')]
    expect(classify(a, b)).toMatchObject({ type: 'references', reason: 'names its file' })
    expect(classify(b, a)).toBeNull()
  })

  it('calls two values of one thing a contradiction, from both sides, and says which values', () => {
    const [a, b] = [memory('The sluice opens at 3 m.'), memory('The sluice opens at 4 m.')]
    expect(classify(a, b)).toMatchObject({
      type: 'contradicts',
      reason: '"3 m" against "4 m": value of the same statement',
    })
    expect(classify(b, a)?.type).toBe('contradicts')
    expect(classify(a, b)?.metadata).toBeUndefined()
  })

  it('calls a contradiction that says so an update', () => {
    const [a, b] = [memory('The gate code word is MARROW.'), memory('Correction: the gate code word is now TEASEL.')]
    expect(classify(a, b)).toMatchObject({ type: 'contradicts', metadata: { kind: 'update' } })
  })

  it('needs less of a contradiction where somebody asks about the two than where they were found among many', () => {
    const claim = memory('Cold storage increases the yield of winter barley.')
    const study = memory('Across nine farms, the yield of barley decreases after weeks of storage in the barn.')
    const evidence = gatherEvidence(claim, study)
    expect(classifyRelationship(claim, study, evidence)).toBeNull()
    expect(classifyRelationship(claim, study, evidence, { isAsked: true })).toMatchObject({
      type: 'contradicts',
      reason: '"increases" against "decreases": opposite of the same statement',
    })
    // Other words in the same place may both hold, whoever asks.
    const [standing, eating] = [
      memory('The heron is standing in the reeds.'),
      memory('The heron is eating in the reeds.'),
    ]
    const both = gatherEvidence(standing, eating)
    expect(both.conflict).toMatchObject({ kind: 'wording' })
    expect(classifyRelationship(standing, eating, both, { isAsked: true })).toBeNull()
  })

  it('calls what a text names as the cause its cause', () => {
    const cause = memory('The float switch of the pump was stuck.', 'episodic', '2026-05-01')
    const effect = memory('The cellar was flooded because the float switch was stuck.', 'episodic', '2026-05-02')
    expect(classify(cause, effect)).toMatchObject({ type: 'causal' })
    expect(classify(effect, cause)?.type).not.toBe('causal')
    const leading = memory('The stuck float switch led to a flooded cellar.', 'episodic', '2026-05-01')
    expect(classify(leading, memory('The cellar is flooded.', 'episodic', '2026-05-01'))?.type).toBe('causal')
  })

  it('calls what says where it was learned from derived from that', () => {
    const episode = memory('The float switch was stuck again and the cellar flooded.', 'episodic', '2026-05-01')
    const rule = memory('Clean the pump monthly; learned from the stuck float switch.')
    expect(classify(rule, episode)?.type).toBe('derives_from')
    expect(classify(episode, rule)?.type).not.toBe('derives_from')
  })

  it('calls what says all of what the other states its support', () => {
    const claim = memory('The weir leaks at the left gate.')
    const episode = memory(
      'Heron looked in the morning: the weir leaks at the left gate, a litre an hour.',
      'episodic',
      '2026-05-01',
    )
    expect(classify(episode, claim)?.type).toBe('supports')
  })

  it('tells a rule and its case apart, each from its own side', () => {
    const rule = memory(
      'Pump maintenance: close the inlet valve, clean the filter, open the inlet valve.',
      'procedural',
    )
    const run = memory(
      'Did the pump maintenance with Heron; closed the inlet valve, the filter was full of leaves.',
      'episodic',
      '2026-05-01',
    )
    expect(classify(rule, run)?.type).toBe('generalizes')
    expect(classify(run, rule)?.type).toBe('specializes')
  })

  it('calls an episode that goes on with an earlier one its sequel', () => {
    const first = memory('Ordered a new float switch for pump PMP-7 from Heron.', 'episodic', '2026-05-01', 's1')
    const second = memory('Heron brought what PMP-7 needs, the float switch too.', 'episodic', '2026-05-02', 's1')
    expect(classify(first, second)?.type).toBe('temporal_sequence')
    expect(classify(second, first)).toBeNull()
  })

  it('finds nothing between texts that are only alike or only of the same people', () => {
    expect(classify(memory('Egret keeps the ledger of the mill.'), memory('Egret asked for a new ledger.'))).toBeNull()
    expect(classify(memory('A loaf costs 3 €.'), memory('A pie costs 4 €.'))).toBeNull()
    expect(classify(memory(''), memory(''))).toBeNull()
  })

  it('does not call texts of different things a contradiction when their vectors say so', () => {
    const [a, b] = [memory('The sluice opens at 3 m.'), memory('The sluice opens at 4 m.')]
    expect(classifyRelationship(a, b, gatherEvidence(a, b, { cosine: 0.1 }))).toBeNull()
  })

  it('points at the whole texts where a rule and its case share ordinary words alone', () => {
    const rule = memory('valve always 红色', 'semantic', '2026-05-01', 's')
    const found = classify(rule, memory('valve 红色', 'episodic', '2026-05-01', 's'))
    expect(found?.type).toBe('generalizes')
    expect(found?.evidence).toEqual([
      { side: 'source', start: 0, end: 15 },
      { side: 'target', start: 0, end: 8 },
    ])
  })

  it('gives a known type, a reason and evidence inside the texts, the same every time, for any texts', () => {
    const tier = fc.constantFrom<Tier>('episodic', 'semantic', 'procedural')
    const word = fc.constantFrom(
      'because',
      'the',
      'pump',
      'Egret',
      'valve',
      'not',
      '3',
      'm',
      'always',
      'then',
      '.',
      'learned from',
      '[[x]]',
      'a/b.md',
      '不',
      '红色',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
    )
    const day = fc.constantFrom('2026-05-01', '2026-05-02', undefined)
    const any = fc.tuple(text, tier, day).map(([words, one, at]) => memory(words, one, at, 's'))
    fc.assert(
      fc.property(any, any, (a, b) => {
        const found = classify(a, b)
        expect(classify(a, b)).toEqual(found)
        if (!found) return
        expect(RELATIONSHIP_TYPES).toContain(found.type)
        expect(found.reason).not.toBe('')
        expect(found.evidence.length).toBeGreaterThan(0)
        for (const { side, start, end } of found.evidence) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual((side === 'source' ? a : b).text.length)
        }
      }),
    )
  })
})
