import { expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import { INJECTED_MEMORY_CAP, INJECTED_SESSIONS } from '../options.ts'
import { noteInjected, readInjected } from './injected.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const DAY_MS = 86_400_000

const daysLater = (days: number): Date => new Date(START + days * DAY_MS)
const NONE = new Set<string>()

describeStores('what was injected in a session', () => {
  it('is known until the session has been silent for a month', async () => {
    const store = await openEmptyStore()
    await noteInjected(store, 'old', { before: NONE, ids: ['a'], now: daysLater(0) })
    await noteInjected(store, 'used', { before: NONE, ids: ['b'], now: daysLater(0) })
    await noteInjected(store, 'used', { before: new Set(['b']), ids: ['c'], now: daysLater(INJECTED_SESSIONS.days) })
    await noteInjected(store, 'new', { before: NONE, ids: ['d'], now: daysLater(INJECTED_SESSIONS.days) })
    expect(await readInjected(store, 'old')).toEqual(new Set(['a']))
    await noteInjected(store, 'newer', { before: NONE, ids: ['e'], now: daysLater(INJECTED_SESSIONS.days + 1) })
    expect(await readInjected(store, 'old')).toEqual(NONE)
    expect(await readInjected(store, 'used')).toEqual(new Set(['b', 'c']))
    expect((await store.listStates('')).map(({ key }) => key)).toHaveLength(3)
  })

  it('is kept for a bounded number of sessions, the last used ones', async () => {
    const store = await openEmptyStore()
    const count = INJECTED_SESSIONS.count + 20
    for (let n = 0; n < count; n++) {
      await noteInjected(store, `s${n}`, { before: NONE, ids: ['a'], now: new Date(START + n) })
    }
    expect(await store.listStates('recall/injected/')).toHaveLength(INJECTED_SESSIONS.count)
    expect(await readInjected(store, 's19')).toEqual(NONE)
    expect(await readInjected(store, 's20')).toEqual(new Set(['a']))
  })

  it('touches no other state, and outlives a value that cannot be read', async () => {
    const store = await openEmptyStore()
    await store.setState('index/problems', '[]')
    for (const broken of ['{', 'null', '7', '["an id of an older form"]'])
      await store.setState(`recall/injected/${broken}`, broken)
    expect(await readInjected(store, '{')).toEqual(NONE)
    await noteInjected(store, 'new', { before: NONE, ids: ['a'], now: daysLater(0) })
    expect((await store.listStates('')).map(({ key }) => key)).toEqual(['index/problems', 'recall/injected/new'])
  })

  it('is a bounded number of ids in a session, the last ones', async () => {
    const store = await openEmptyStore()
    const ids = Array.from({ length: INJECTED_MEMORY_CAP + 1 }, (_, n) => `m${n}`)
    await noteInjected(store, 'long', { before: NONE, ids, now: daysLater(0) })
    const known = await readInjected(store, 'long')
    expect(known.size).toBe(INJECTED_MEMORY_CAP)
    expect(known.has('m0')).toBe(false)
  })
})
