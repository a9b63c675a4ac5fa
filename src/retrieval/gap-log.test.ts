import { expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import { createGapLog } from './gap-log.ts'
import { GAP_LOG } from './gap-options.ts'

const OWNER = { tenant: 'local' }
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 9, minute))

describeStores('the log of searches that found nothing', () => {
  it('keeps what the store could not answer, newest first, and nothing else', async () => {
    const log = createGapLog(await openEmptyStore())
    await log.note({ text: 'who feeds the geese', topScore: 0, at: at(1), viewer: OWNER })
    await log.note({ text: 'where is the oar', topScore: GAP_LOG.below, at: at(2), viewer: OWNER })
    await log.note({ text: 'colour of the canoe', topScore: 0.1, at: at(3), viewer: OWNER })
    expect((await log.list(OWNER)).map(({ query }) => query)).toEqual(['colour of the canoe', 'who feeds the geese'])
    expect(await log.list({ tenant: 'other' })).toEqual([])
  })

  it('keeps no word that may be a password, and no more than the last ones', async () => {
    const store = await openEmptyStore()
    const log = createGapLog(store)
    await log.note({ text: 'login hunter2xq9 of the gate', topScore: 0, at: at(0), viewer: OWNER })
    expect((await log.list(OWNER))[0]?.query).toBe('login … of the gate')
    for (let n = 1; n <= GAP_LOG.entries + 5; n++) {
      await log.note({ text: `question number ${n}`, topScore: 0, at: new Date(at(1).getTime() + n), viewer: OWNER })
    }
    const kept = await log.list(OWNER)
    expect(kept).toHaveLength(GAP_LOG.entries)
    expect(kept[0]?.query).toBe(`question number ${GAP_LOG.entries + 5}`)
  })

  it('loses what was asked with the words of what is forgotten, and keeps nothing for a while after it', async () => {
    const log = createGapLog(await openEmptyStore())
    await log.note({ text: 'the pewter key', topScore: 0, at: at(-2), viewer: OWNER })
    await log.noteForgetting(['The pewter key hangs in the attic.'], at(0))
    await log.note({ text: 'the pewter key', topScore: 0, at: at(2), viewer: OWNER })
    const later = new Date(at(0).getTime() + GAP_LOG.afterForgetMs)
    await log.note({ text: 'the oar', topScore: 0, at: later, viewer: OWNER })
    expect((await log.list(OWNER)).map(({ query }) => query)).toEqual(['the oar'])
  })

  it('shows an agent its own searches, and reads over what it cannot read', async () => {
    const store = await openEmptyStore()
    const log = createGapLog(store)
    await log.note({ text: 'the heron', topScore: 0, at: at(1), viewer: { ...OWNER, agent: 'a' } })
    await log.note({ text: 'the otter', topScore: 0, at: at(2), viewer: { ...OWNER, agent: 'b' } })
    await store.setState('search/gaps/0', 'no JSON')
    expect((await log.list({ ...OWNER, agent: 'a' })).map(({ query }) => query)).toEqual(['the heron'])
    expect(await log.list(OWNER)).toHaveLength(2)
  })
})
