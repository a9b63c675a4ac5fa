import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMadeleine } from './open.ts'
import { openRecall } from './open-recall.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-reader-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const now = () => new Date('2026-07-20T09:00:00Z')
const request = { prompt: 'when does the sluice gate open?', sessionId: 's-1', agentId: 'main' }

async function openEngine() {
  return openMadeleine({ store: join(home, 'store.sqlite'), embedding: 'none', now, timeZone: 'UTC' })
}

async function openReader(deadlineMs = 60_000) {
  const engine = await openEngine()
  await engine.remember('The sluice gate opens at dawn, and closes at four.', { agentId: 'main' })
  await engine.close()
  const options = { store: join(home, 'store.sqlite'), tenant: 'local', now, timeZone: 'UTC', busyMs: 60_000 }
  const reader = await openRecall({ ...options, recall: { deadlineMs } })
  if (!reader) throw new Error('there is no store')
  return reader
}

describe('a recall of a short-lived process', () => {
  it('is kept for later questions of why, as that of an engine', async () => {
    const reader = await openReader()
    const { items } = await reader.recall(request)
    await reader.recall({ ...request, noHistory: true })
    await reader.close()
    const engine = await openEngine()
    expect(await engine.recentRecalls()).toMatchObject([
      { at: now().toISOString(), ...{ prompt: request.prompt, sessionId: 's-1', agent: 'main' }, skipped: false },
    ])
    expect((await engine.recentRecalls())[0]?.considered).toMatchObject([{ id: items[0]?.id, outcome: 'injected' }])
    await engine.close()
  })

  it('answers all the same where it cannot be kept, because another process writes', async () => {
    const reader = await openReader(10_000)
    const other = new DatabaseSync(join(home, 'store.sqlite'))
    other.exec('BEGIN IMMEDIATE')
    const { text } = await reader.recall({ ...request, injectionPersists: false })
    expect(text).toContain('closes at four')
    other.exec('ROLLBACK')
    other.close()
    await reader.close()
  })
})
