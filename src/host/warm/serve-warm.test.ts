import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WARM_MAX_GROWTH_BYTES } from '../host-options.ts'
import { askWarm, readCard } from './ask-warm.ts'
import { type ServeOptions, serveWarm } from './serve-warm.ts'
import { type WarmPlace, warmPlace } from './warm-place.ts'

let folder: string
let place: WarmPlace
const ended = new AbortController()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'warm-'))
  place = warmPlace({
    dataFolder: folder,
    store: 'store.db',
    home: folder,
    platform: process.platform,
    shortFolder: folder,
  })
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function serve(options: Partial<ServeOptions> = {}): Promise<'ended' | 'taken'> {
  const work = {
    recall: async () => ({ text: '', items: [], skipped: false, degraded: [], elapsedMs: 0 }),
    indexTranscript: async () => undefined,
    close: async () => undefined,
  }
  return serveWarm({
    ...{ place, version: '1.0.0', fingerprint: 'of this', signal: ended.signal, onFailure: () => undefined },
    openWork: async () => work,
    ...options,
  })
}

describe('the warm process', () => {
  it('ends when nobody has asked for a while, and leaves nothing at its place', async () => {
    expect(await serve({ idleMs: 20 })).toBe('ended')
    expect(readCard(place)).toBeNull()
  })

  it('ends when it holds much more memory than when it was ready, however often it is asked', async () => {
    let held = 5 * WARM_MAX_GROWTH_BYTES
    const serving = serve({ idleMs: 20, now: () => 0, heldBytes: () => held })
    await expect.poll(() => readCard(place)).not.toBeNull()
    const token = readCard(place)?.token ?? ''
    expect((await askWarm(place, { method: 'ping' }, { token, waitMs: 60_000 }))?.ok).toBe(true)
    held += WARM_MAX_GROWTH_BYTES + 1
    expect(await serving).toBe('ended')
  })

  it('is the only one at its place', async () => {
    const ending = new AbortController()
    const serving = serve({ signal: ending.signal })
    await expect.poll(() => readCard(place)).not.toBeNull()
    expect(await serve()).toBe('taken')
    ending.abort()
    expect(await serving).toBe('ended')
  })
})
