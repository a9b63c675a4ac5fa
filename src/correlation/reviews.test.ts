import { expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { discover, relate } from '../testing/memory-store/relationships.ts'
import { makeWrite, OWNER } from '../testing/memory-store/samples.ts'
import { type CorrelationContext, createCorrelationContext } from './correlation-context.ts'
import { findCorrelations } from './find-correlations.ts'
import { decideReview, listReviews } from './reviews.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const OLD = 'The gate code word is MARROW.'
const NEW = 'The gate code word is TEASEL.'

function contextOf(store: MemoryStore, consensus = 1): CorrelationContext {
  return createCorrelationContext({
    store,
    clock: () => NOW,
    identity: () => null,
    embed: async () => null,
    toViewer: ({ agentId }) => ({ tenant: 'local', ...(agentId !== undefined && { agent: agentId }) }),
    settings: { consensus },
  })
}

/** A store in which two notes contradict each other, and one that another agent has. */
async function fill(store: MemoryStore): Promise<MemoryStore> {
  await store.putDocuments([
    makeWrite('memory/2026-01-02.md', [
      { id: 'old', text: OLD, place: { occurredAt: '2026-01-02', dateOrigin: 'name' } },
    ]),
    makeWrite('memory/gate.md', [{ id: 'new', text: NEW }]),
    makeWrite('theirs.md', [{ id: 'theirs', text: 'The gate code word is BURDOCK.', scope: { agent: 'other' } }]),
  ])
  const evidence = [
    { side: 'source' as const, start: 22, end: 28 },
    { side: 'target' as const, start: 22, end: 28 },
  ]
  const found = discover('new', 'old', 0.8, { relationshipType: 'contradicts', evidence })
  await store.relationships.replaceDiscovered([{ id: 'new' }], [found], NOW)
  await store.relationships.openReviews(
    [{ firstId: 'new', secondId: 'old', reason: 'MARROW against TEASEL', evidence }],
    NOW,
  )
  await store.relationships.openReviews([{ firstId: 'old', secondId: 'theirs', reason: 'secret' }], NOW)
  return store
}

/** All that a decision may not touch. */
async function readAll(store: MemoryStore): Promise<unknown> {
  const memories = await store.listMemories(OWNER)
  const relationships = await store.relationships.list(['old', 'new', 'theirs'], { filter: OWNER })
  return { memories, relationships, awaiting: await store.relationships.listAwaiting(10) }
}

describeStores('contradictions that wait for a person', () => {
  it('are shown with both texts and what differs, and a decision changes the review and nothing else', async () => {
    const store = await fill(await openEmptyStore())
    const context = contextOf(store)
    const asked = { agentId: 'main' }
    const { items } = await listReviews(context, asked)
    expect(items).toEqual([
      {
        id: expect.any(String),
        a: { id: 'new', path: 'memory/gate.md', startLine: 1, endLine: 1, text: NEW },
        b: { id: 'old', path: 'memory/2026-01-02.md', startLine: 1, endLine: 1, text: OLD, occurredAt: '2026-01-02' },
        reason: 'MARROW against TEASEL',
        evidence: [
          { side: 'source', start: 22, end: 28, text: 'TEASEL' },
          { side: 'target', start: 22, end: 28, text: 'MARROW' },
        ],
        status: 'open',
        enforced: false,
        confirmations: 0,
        dismissals: 0,
        history: [],
        openedAt: NOW.toISOString(),
      },
    ])
    const before = await readAll(store)
    const id = items[0]?.id ?? ''
    const password = ['hunter', 'two', '99'].join('')
    const note = `seen by the gate, password: ${password}`
    const { item } = await decideReview(context, { ...asked, id, decision: 'confirmed', by: ' Ada\nL. ', note })
    expect(item).toMatchObject({ status: 'confirmed', enforced: true, confirmations: 1 })
    expect(item.history).toMatchObject([{ decision: 'confirmed', by: 'Ada L.', at: NOW.toISOString() }])
    expect(JSON.stringify(item)).not.toContain(password)
    expect(await readAll(store)).toEqual(before)
    expect((await listReviews(context, asked)).items).toEqual([])
    expect((await listReviews(context, { ...asked, status: 'confirmed' })).items).toEqual([item])
    const again = await decideReview(context, { ...asked, id, decision: 'dismissed', by: 'Ravi' })
    expect(again.item).toMatchObject({ status: 'dismissed', enforced: false, confirmations: 1, dismissals: 1 })
    expect(again.item.history).toHaveLength(2)
    expect(await readAll(store)).toEqual(before)
    expect(await store.relationships.openReviews([{ firstId: 'new', secondId: 'old' }], NOW)).toBe(0)
    expect((await listReviews(context, asked)).items).toEqual([])
  })
})

describeStores('a review', () => {
  it('counts as enforced when as many people as configured stand by it', async () => {
    const store = await fill(await openEmptyStore())
    const context = contextOf(store, 2)
    const [review] = (await listReviews(context, { agentId: 'main' })).items
    const confirm = async (by: string) =>
      (await decideReview(context, { id: review?.id ?? '', decision: 'confirmed', by })).item
    expect(await confirm('Ada')).toMatchObject({ enforced: false, confirmations: 1 })
    expect(await confirm('Ada')).toMatchObject({ enforced: false, confirmations: 1 })
    expect(await confirm('Ravi')).toMatchObject({ enforced: true, confirmations: 2 })
  })

  it('that was dismissed is no correlation any more, unless somebody states it', async () => {
    const store = await fill(await openEmptyStore())
    const context = contextOf(store)
    const listTypes = async () =>
      (await findCorrelations(context, { memoryId: 'new', type: 'semantic', agentId: 'main' })).correlations.map(
        ({ targetId, relationshipType }) => `${relationshipType} ${targetId}`,
      )
    expect(await listTypes()).toContain('contradicts old')
    const [review] = (await listReviews(context, { agentId: 'main' })).items
    await decideReview(context, { id: review?.id ?? '', decision: 'dismissed', by: 'Ada' })
    expect(await listTypes()).not.toContain('contradicts old')
    await store.relationships.put([relate('new', 'old', 'contradicts')], { now: NOW })
    expect(await listTypes()).toContain('contradicts old')
  })

  it('is decided by somebody who is named, one way or the other, and only by those who may see both memories', async () => {
    const store = await fill(await openEmptyStore())
    const context = contextOf(store)
    const all = (await listReviews(context, { status: 'all' })).items
    expect(all).toHaveLength(2)
    const hidden = all.find(({ reason }) => reason === 'secret')?.id ?? ''
    const decide = (given: Partial<Parameters<typeof decideReview>[1]>) =>
      decideReview(context, { id: all[0]?.id ?? '', decision: 'confirmed', by: 'Ada', ...given })
    await expect(decide({ by: ' \u200b' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(decide({ by: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(decide({ decision: 'maybe' as 'confirmed' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(decide({ id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(decide({ id: hidden, agentId: 'main' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(listReviews(context, { limit: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect((await listReviews(context, { status: 'all' })).items.every(({ history }) => history.length === 0)).toBe(
      true,
    )
  })

  it('can be decided while one of its memories is away', async () => {
    const store = await fill(await openEmptyStore())
    const context = contextOf(store)
    const [review] = (await listReviews(context, { agentId: 'main' })).items
    await store.removeDocuments([{ root: '/home/ada/notes', path: 'memory/gate.md' }])
    const { item } = await decideReview(context, { id: review?.id ?? '', decision: 'dismissed', by: 'Ada' })
    expect(item).toMatchObject({
      status: 'dismissed',
      a: { id: 'new', path: 'memory/gate.md', startLine: 0, text: '' },
      b: { text: OLD },
    })
  })
})
