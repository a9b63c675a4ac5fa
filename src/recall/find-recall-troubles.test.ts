import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import type { Madeleine } from '../model/engine.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { createFakeProvider, type FakeProvider } from '../testing/index.ts'

let home: string
let provider: FakeProvider
let engine: Madeleine
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-troubles-'))
  provider = createFakeProvider()
  engine = await open({ deadlineMs: 60_000 })
  await engine.remember('The sluice gate opens at dawn, and closes at four.')
})
afterEach(async () => {
  await engine.close()
  rmSync(home, { recursive: true, force: true })
})

let now = Date.parse('2026-07-20T07:00:00Z')

async function open(recall: { deadlineMs: number }): Promise<Madeleine> {
  return createEngine({
    store: await openSqliteStore({ file: join(home, 'store.sqlite') }),
    sources: [],
    embedding: provider,
    clock: () => {
      now += 1000
      return new Date(now)
    },
    timeZone: 'Europe/Zurich',
    viewer: { tenant: 'local', findProject: (folder) => folder },
    recall,
  })
}

let asked = 0

/** Each prompt is another one: vectors of one that was asked before need no model. */
async function recall(times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    asked += 1
    await engine.recall({ prompt: `when does the sluice gate open, day ${asked}?` })
  }
}

async function findings() {
  return (await engine.doctor()).findings.filter(({ id }) => id === 'recall-degraded')
}

describe('recalls that go without a part', () => {
  it('are a finding once five in a row lacked the same one, with the reason and the remedy', async () => {
    await recall(1)
    provider.failWith = new Error('the quota is used up')
    await recall(4)
    expect(await findings()).toEqual([])
    await recall(2)
    expect(await findings()).toEqual([
      {
        id: 'recall-degraded',
        severity: 'warning',
        // Not that the model is left alone for a minute: that is what came of it.
        message: expect.stringMatching(
          /^The last 6 recalls, up to 2026-07-20T09:\d\d:\d\d\+02:00, all went without the model.*the quota is used up/,
        ),
        remedy: expect.stringContaining('recall.deadlineMs'),
      },
    ])
  })

  it('are none any more as soon as one was whole', async () => {
    provider.failWith = new Error('the quota is used up')
    await recall(5)
    expect(await findings()).toHaveLength(1)
    await engine.close()
    provider = createFakeProvider()
    engine = await open({ deadlineMs: 60_000 })
    await recall(1)
    expect(await findings()).toEqual([])
  })

  it('are not those that needed no memory', async () => {
    provider.failWith = new Error('the quota is used up')
    await recall(4)
    for (let turn = 0; turn < 3; turn++) await engine.recall({ prompt: 'thanks!' })
    expect(await findings()).toEqual([])
    await recall(1)
    expect(await findings()).toHaveLength(1)
  })

  it('are told apart by the part: what never came in time, and what has no vectors', async () => {
    await engine.close()
    engine = await open({ deadlineMs: 0 })
    await recall(5)
    expect(await findings()).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('without an answer: no answer within 0 ms') },
    ])
    await engine.close()
    provider = createFakeProvider({ identity: 'another:64' })
    engine = await open({ deadlineMs: 60_000 })
    await recall(5)
    expect(await findings()).toMatchObject([
      {
        message: expect.stringMatching(/^The last 5 recalls.* without the model/),
        remedy: expect.stringContaining('madeleine index'),
      },
    ])
  })
})
