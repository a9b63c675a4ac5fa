import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrichWithRelatedContext } from '../../src/heartbeat/related-context.ts'
import { type Madeleine, type MemoryStore, openMadeleine } from '../../src/index.ts'
import type { RelatedContext, Signal } from '../../src/model/heartbeat.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { isOfSample, readSignals, type SampleSignal, standsAt } from './heartbeat-gold/judge.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
const VIEWER = { tenant: 'local' }

/** The list was written before the code that it judges; `npx tsx bench/related.ts` has the figures with the published histories. */
describe('past context of a signal, on the sample workspace, with the bundled model', () => {
  let home: string
  let engine: Madeleine
  let store: MemoryStore
  let identity: string
  let now = '2026-07-20T09:00:00+02:00'

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'madeleine-signals-'))
    cpSync(join(EXAMPLES, 'workspace'), join(home, 'workspace'), { recursive: true })
    const file = join(home, 'store.db')
    engine = await openMadeleine({
      workspaces: [join(home, 'workspace')],
      transcripts: [
        join(EXAMPLES, 'transcripts/openclaw/agents/main/sessions'),
        join(EXAMPLES, 'transcripts/claude/projects'),
      ],
      store: file,
      embedding: 'bundled',
      now: () => new Date(now),
      timeZone: 'Europe/Zurich',
    })
    await engine.index()
    store = await openSqliteStore({ file })
    identity = Object.keys((await store.counts()).embedded)[0] ?? ''
  }, 900_000)

  afterAll(async () => {
    await store.close()
    await engine.close()
    rmSync(home, { recursive: true, force: true })
  })

  /** What a tick names beside a signal that stands in a note of its day. */
  async function findContext(gold: SampleSignal): Promise<RelatedContext[]> {
    now = gold.now
    const path = `memory/${gold.now.slice(0, 10)}-noted.md`
    const file = join(home, 'workspace', path)
    writeFileSync(file, `# Noted on ${gold.now.slice(0, 10)}\n\n- ${gold.signal}\n`)
    await engine.index({ only: [file] })
    const [noted] = await store.listDocumentMemories({ path }, { viewer: VIEWER })
    const memoryIds = noted ? [noted.memory.id] : []
    const signal: Signal = {
      ...{ kind: 'pending_work', urgency: 'elevated', signature: gold.id, summary: gold.signal, memoryIds, weight: 1 },
    }
    const tick = { shouldAct: true, signals: [signal], relatedContext: [], graphContext: [], degraded: [] }
    const options = { store, viewer: VIEWER, now: new Date(now), timeZone: 'Europe/Zurich', identity, related: true }
    const { relatedContext, degraded } = await enrichWithRelatedContext(tick, options)
    expect(degraded).toEqual([])
    rmSync(file)
    await engine.index({ only: [file] })
    return relatedContext
  }

  async function judge(gold: SampleSignal, found: readonly RelatedContext[]): Promise<string[]> {
    const marks: string[] = []
    for (const { id, path } of found) {
      const siblings = (await store.listDocumentMemories({ path }, { viewer: VIEWER })).map(({ memory }) => memory)
      const memory = siblings.find((one) => one.id === id)
      if (!memory) throw new Error(`${id} does not stand in ${path}`)
      const at = { path, memory, siblings }
      marks.push(standsAt(gold.answers, at) ? 'answer' : standsAt(gold.related, at) ? 'related' : 'irrelevant')
    }
    return marks
  }

  it('names the decision or outcome that bears on it for 15 of 20, with less than one irrelevant memory beside it', async () => {
    const signals = readSignals().filter(isOfSample)
    expect(signals).toHaveLength(20)
    const missed: string[] = []
    let irrelevant = 0
    for (const gold of signals) {
      const found = await findContext(gold)
      expect(found.length).toBeLessThanOrEqual(3)
      const marks = await judge(gold, found)
      if (!marks.includes('answer')) missed.push(gold.id)
      irrelevant += marks.filter((mark) => mark === 'irrelevant').length
    }
    expect(missed.length).toBeLessThanOrEqual(5)
    expect(irrelevant / signals.length).toBeLessThan(1)
  }, 900_000)
})
