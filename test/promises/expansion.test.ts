import { expect, it } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { describeOverStores, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** The id of the one memory of a note. */
async function idOf(memory: Madeleine, path: string): Promise<string> {
  const [only] = await memory.listMemories(path)
  if (!only) throw new Error(`${path} has no memory`)
  return only.id
}

function notes(): void {
  here.note('memory/2026-05-02.md', 'The sluice jammed again because the winch chain was dry.\n')
  here.note('memory/grease.md', 'Marine tallow is kept in the blue locker.\n')
  here.note('memory/crew.md', 'Mara keeps the rota of the night watch.\n')
}

async function link(
  memory: Madeleine,
  source: string,
  target: string,
  rest: { relationshipType?: 'supports' | 'contradicts' } = {},
) {
  await memory.addRelationship({
    sourceId: await idOf(memory, source),
    targetId: await idOf(memory, target),
    relationshipType: rest.relationshipType ?? 'supports',
    metadata: { reason: 'the tallow is for the chain' },
  })
}

describeOverStores(here, 'a search that follows relationships', () => {
  it('also shows what bears on what it found, says how, and otherwise shows what it showed before', async () => {
    notes()
    const memory = await here.openIndexed()
    const query = 'why did the sluice jam'
    const plain = await memory.search(query)
    expect(await memory.search(query, { expand: true })).toEqual(plain)
    await link(memory, 'memory/grease.md', 'memory/2026-05-02.md')
    expect(await memory.search(query)).toEqual(plain)
    const { results, total } = await memory.search(query, { expand: true })
    expect(results.map(({ path }) => path)).toEqual(['memory/2026-05-02.md', 'memory/grease.md'])
    expect(total).toBe(plain.total + 1)
    expect(results[1]?.links).toEqual([
      {
        id: results[0]?.id,
        relationshipType: 'supports',
        direction: 'out',
        score: 1,
        reason: 'the tallow is for the chain',
        broughtIn: true,
      },
    ])
    expect(results[0]?.links).toMatchObject([{ id: results[1]?.id, direction: 'in' }])
  })

  it('keeps to the filters of the search and to what the asker may see', async () => {
    notes()
    const memory = await here.openIndexed()
    const { id } = await memory.remember('The chain was bought from Ovidiu.', { agentId: 'other', tier: 'episodic' })
    await memory.addRelationship({
      sourceId: id,
      targetId: await idOf(memory, 'memory/2026-05-02.md'),
      relationshipType: 'causal',
    })
    const pathsOf = async (options: Parameters<Madeleine['search']>[1]): Promise<string> =>
      JSON.stringify(await memory.search('why did the sluice jam', { expand: true, ...options }))
    expect(await pathsOf({})).toContain('Ovidiu')
    expect(await pathsOf({ agentId: 'main' })).not.toMatch(new RegExp(`Ovidiu|${id}`))
    expect(await pathsOf({ before: '2026-06-01' })).not.toContain('Ovidiu')
    expect(await pathsOf({ limit: 1 })).not.toContain('Ovidiu')
  })

  it('says so where relationships are switched off', async () => {
    notes()
    const memory = await here.openIndexed({ correlation: { enabled: false } })
    const { results, degraded } = await memory.search('why did the sluice jam', { expand: true })
    expect(results).toHaveLength(1)
    expect(degraded).toMatchObject([{ part: 'links' }])
  })
})

describeOverStores(here, 'a recall that follows relationships', () => {
  const prompt = 'Why did the sluice jam, was it the winch chain?'

  it('sets what bears on an item beside it and names the relationship; a recall that does not is as it was', async () => {
    notes()
    const memory = await here.openIndexed()
    const plain = await memory.recall({ prompt, noHistory: true })
    expect(plain.items.map(({ path }) => path)).toEqual(['memory/2026-05-02.md'])
    await link(memory, 'memory/grease.md', 'memory/2026-05-02.md')
    expect((await memory.recall({ prompt, noHistory: true })).text).toBe(plain.text)
    const { items, text } = await memory.recall({ prompt, noHistory: true, expand: true })
    expect(items.map(({ path }) => path)).toEqual(['memory/2026-05-02.md', 'memory/grease.md'])
    expect(text).toContain('supports memory/2026-05-02.md:1')
    expect((await memory.recall({ prompt, noHistory: true, expand: true })).text).toBe(text)
  })

  it('stays silent where it would be silent without', async () => {
    notes()
    const memory = await here.openIndexed()
    await link(memory, 'memory/grease.md', 'memory/2026-05-02.md')
    await link(memory, 'memory/crew.md', 'memory/2026-05-02.md')
    const unrelated = await memory.recall({ prompt: 'Translate "good evening" into Finnish', expand: true })
    expect(unrelated).toMatchObject({ text: '', items: [] })
    const request = { prompt, sessionId: 's1', expand: true }
    const seen = new Set((await memory.recall(request)).items.map(({ path }) => path))
    expect([...seen].sort()).toEqual(['memory/2026-05-02.md', 'memory/crew.md', 'memory/grease.md'])
    expect(await memory.recall(request)).toMatchObject({ text: '', reason: 'already shown in this session' })
    const shown = {
      prompt,
      recentTurns: [{ role: 'user' as const, text: 'The sluice jammed again because the winch chain was dry.' }],
    }
    expect(await memory.recall({ ...shown, expand: true })).toMatchObject({ text: '' })
  })

  it('shows a correction above what it corrects, though the words of the prompt are in the older one alone', async () => {
    here.note('memory/2026-01-02.md', 'The gate code word is MARROW; gate code word MARROW it stays.\n')
    here.note('memory/2026-02-10.md', 'From today on TEASEL opens it.\n')
    const memory = await here.openIndexed()
    await link(memory, 'memory/2026-02-10.md', 'memory/2026-01-02.md', { relationshipType: 'contradicts' })
    const { items, text } = await memory.recall({ prompt: 'what is the gate code word?', expand: true })
    expect(items.map(({ path }) => path)).toEqual(['memory/2026-02-10.md', 'memory/2026-01-02.md'])
    expect(text).toContain('contradicts memory/2026-01-02.md:1')
    expect((await memory.recall({ prompt: 'what is the gate code word?' })).text).toBe(text)
    expect(text).toContain('contradicts memory/2026-02-10.md:1')
  })
})
