import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { enrichWithRelatedContext } from '../src/heartbeat/related-context.ts'
import { openMadeleine } from '../src/index.ts'
import type { RelatedContext, Signal } from '../src/model/heartbeat.ts'
import type { DocumentWrite, MemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import {
  type GoldSignal,
  type HistorySignal,
  isMessageOf,
  isOfSample,
  readSignals,
  type SampleSignal,
  standsAt,
} from '../test/promises/heartbeat-gold/judge.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { DEFAULT_DATA, loadSet } from './data.ts'
import { writeHaystack } from './haystack-files.ts'
import { createRandom, createWordSource } from './made-text.ts'
import { quantile, type Spent } from './stopwatch.ts'

const HELP = `npx tsx bench/related.ts [OPTIONS]

The past that a heartbeat names beside a signal: how often the right memory is among the three, and how many are irrelevant
(test/promises/heartbeat-gold); then the time of a tick's enrichment over generated memories.

  --data DIR     BEAM-100K and LoCoMo (default ${DEFAULT_DATA}); signals about absent data are skipped and counted
  --no-vectors   by words alone
  --memories N   for the time, 0 to leave it out (default 100000)
  --help`

const EXAMPLES = join(import.meta.dirname, '..', 'examples')
const VIEWER = { tenant: 'local' }
const TIME_ZONE = 'Europe/Zurich'

/** Where the signals of one history, or of the sample, are put and judged. */
interface Ground {
  store: MemoryStore
  identity: string | null
  /** Writes the signal as its host would, and says where. */
  note(signal: GoldSignal): Promise<{ path: string; undo: () => Promise<void> }>
  judge(signal: GoldSignal, found: RelatedContext): Promise<'answer' | 'related' | 'irrelevant'>
  close(): Promise<void>
}

async function openSample(withVectors: boolean): Promise<Ground> {
  const home = mkdtempSync(join(tmpdir(), 'related-'))
  cpSync(join(EXAMPLES, 'workspace'), join(home, 'workspace'), { recursive: true })
  const transcripts = ['openclaw/agents/main/sessions', 'claude/projects'].map((at) =>
    join(EXAMPLES, 'transcripts', at),
  )
  const opened = await openGround(home, { workspaces: [join(home, 'workspace')], transcripts }, withVectors)
  return {
    ...opened,
    async note({ now, signal }) {
      const path = `memory/${now.slice(0, 10)}-noted.md`
      const file = join(home, 'workspace', path)
      writeFileSync(file, `# Noted on ${now.slice(0, 10)}\n\n- ${signal}\n`)
      return { path, undo: await opened.take(file, now) }
    },
    async judge(signal, { id, path }) {
      const { answers, related } = signal as SampleSignal
      const placed = await opened.store.listDocumentMemories({ path }, { viewer: VIEWER })
      const siblings = placed.map(({ memory }) => memory)
      const memory = siblings.find((one) => one.id === id)
      if (!memory) return 'irrelevant'
      if (standsAt(answers, { path, memory, siblings })) return 'answer'
      return standsAt(related, { path, memory, siblings }) ? 'related' : 'irrelevant'
    },
  }
}

async function openHistory(
  { dataset, history }: HistorySignal,
  data: string,
  withVectors: boolean,
): Promise<Ground | null> {
  const set = loadSet(dataset, data)
  const haystack = 'absent' in set ? undefined : set.haystacks.find(({ id }) => id === history)
  if (!haystack) return null
  const home = mkdtempSync(join(tmpdir(), 'related-'))
  const files = writeHaystack(haystack, home)
  const opened = await openGround(home, { transcripts: [files.directory] }, withVectors)
  return {
    ...opened,
    async note({ id, now, signal }) {
      const session = `00000000-0000-4000-8000-${Buffer.from(id).toString('hex').slice(0, 12)}`
      const file = join(files.directory, `${session}.jsonl`)
      const head = { type: 'session', version: 3, id: session, timestamp: now, cwd: '/home/user/project' }
      const content = [{ type: 'text', text: signal }]
      const message = { role: 'user', content, timestamp: Date.parse(now) }
      const turn = { type: 'message', id: 'signal', parentId: null, timestamp: now, message }
      writeFileSync(file, `${JSON.stringify(head)}\n`)
      appendFileSync(file, `${JSON.stringify(turn)}\n`)
      return { path: `sessions/${session}.jsonl`, undo: await opened.take(file, now) }
    },
    async judge(signal, { id, path }) {
      const { answers, related } = signal as HistorySignal
      const [memory] = await opened.store.getMemories([id])
      const message = files.messageAt(path, memory?.place.startLine ?? 0).id
      return isMessageOf(answers, message) ? 'answer' : isMessageOf(related, message) ? 'related' : 'irrelevant'
    },
  }
}

async function openGround(
  home: string,
  sources: { workspaces?: string[]; transcripts: string[] },
  withVectors: boolean,
) {
  let now = '2026-07-20T09:00:00+02:00'
  const file = join(home, 'store.db')
  const provider = withVectors ? openCachedProvider() : null
  const engine = await openMadeleine({
    ...{ ...sources, store: file, embedding: provider ?? 'none', now: () => new Date(now), timeZone: TIME_ZONE },
  })
  await engine.index()
  const store = await openSqliteStore({ file })
  return {
    store,
    identity: provider?.identity ?? null,
    /** Indexes a new file; the function takes it out again. */
    async take(added: string, at: string): Promise<() => Promise<void>> {
      now = at
      await engine.index({ only: [added] })
      return async () => {
        rmSync(added)
        await engine.index({ only: [added] })
      }
    },
    async close(): Promise<void> {
      await store.close()
      await engine.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function findContext({ store, identity, note }: Ground, gold: GoldSignal): Promise<RelatedContext[]> {
  const { path, undo } = await note(gold)
  const [noted] = await store.listDocumentMemories({ path }, { viewer: VIEWER })
  const signal = makeSignal(gold.id, noted ? [noted.memory.id] : [])
  const options = { store, viewer: VIEWER, now: new Date(gold.now), timeZone: TIME_ZONE, identity, related: true }
  const { relatedContext, degraded } = await enrichWithRelatedContext(makeTick([signal]), options)
  if (degraded.length > 0) throw new Error(`${gold.id}: ${JSON.stringify(degraded)}`)
  await undo()
  return relatedContext
}

const makeTick = (signals: Signal[]) => ({
  shouldAct: true,
  signals,
  relatedContext: [],
  graphContext: [],
  degraded: [],
})

function makeSignal(signature: string, memoryIds: string[]): Signal {
  return { kind: 'pending_work', urgency: 'elevated', signature, summary: signature, memoryIds, weight: 1 }
}

async function measureGold(data: string, withVectors: boolean, print: (line: string) => void): Promise<void> {
  const byGround = new Map<string, GoldSignal[]>()
  for (const signal of readSignals()) {
    const key = isOfSample(signal) ? 'sample' : signal.history
    byGround.set(key, [...(byGround.get(key) ?? []), signal])
  }
  const total = { signals: 0, found: 0, shown: 0, irrelevant: 0, skipped: 0 }
  for (const [name, signals] of byGround) {
    const [first] = signals
    if (!first) continue
    const ground = isOfSample(first) ? await openSample(withVectors) : await openHistory(first, data, withVectors)
    if (!ground) {
      total.skipped += signals.length
      continue
    }
    const here = { found: 0, shown: 0, irrelevant: 0 }
    for (const signal of signals) {
      const found = await findContext(ground, signal)
      const marks = await Promise.all(found.map((one) => ground.judge(signal, one)))
      if (marks.includes('answer')) here.found += 1
      else print(`  not found: ${signal.id} (${marks.join(', ') || 'nothing shown'})`)
      here.shown += marks.length
      here.irrelevant += marks.filter((mark) => mark === 'irrelevant').length
    }
    await ground.close()
    print(`${name}: ${here.found} of ${signals.length} found`)
    total.signals += signals.length
    for (const key of ['found', 'shown', 'irrelevant'] as const) total[key] += here[key]
  }
  const mean = (count: number): string => (count / Math.max(1, total.signals)).toFixed(2)
  print(
    `all: ${total.found} of ${total.signals} found; ${mean(total.shown)} memories shown a signal, ${mean(total.irrelevant)} irrelevant; ${total.skipped} signals skipped`,
  )
}

const SESSION_MEMORIES = 20
const DIMENSIONS = 384
const TICKS = 100

async function measureTime(count: number, print: (line: string) => void): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'related-time-'))
  mkdirSync(dirname(join(home, 'store.db')), { recursive: true })
  const store = await openSqliteStore({ file: join(home, 'store.db') })
  try {
    await fillStore(store, count)
    const options = { store, viewer: VIEWER, now: new Date(1.8e12), timeZone: 'UTC', identity: 'made', related: true }
    const random = createRandom(7)
    const times: Spent[] = []
    for (let tick = 0; tick <= TICKS; tick++) {
      const signals = Array.from({ length: 3 }, () => makeSignal(`${tick}`, [`m${Math.floor(random() * count)}`]))
      const cpu = process.cpuUsage()
      const startedAt = performance.now()
      const { degraded } = await enrichWithRelatedContext(makeTick(signals), options)
      const wallMs = performance.now() - startedAt
      const used = process.cpuUsage(cpu)
      const spent = { wallMs, cpuMs: (used.user + used.system) / 1000 }
      if (degraded.length > 0) throw new Error(JSON.stringify(degraded))
      // The first tick of a process loads the vectors.
      if (tick > 0) times.push(spent)
      else print(`${count} memories: first tick ${spent.wallMs.toFixed(0)} ms, cpu ${spent.cpuMs.toFixed(0)} ms`)
    }
    const at = (key: 'wallMs' | 'cpuMs', share: number): string =>
      quantile(
        times.map((one) => one[key]),
        share,
      ).toFixed(1)
    print(
      `  three signals: p50 ${at('wallMs', 0.5)} ms, p95 ${at('wallMs', 0.95)} ms; cpu p50 ${at('cpuMs', 0.5)} ms, p95 ${at('cpuMs', 0.95)} ms`,
    )
  } finally {
    await store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function fillStore(store: MemoryStore, count: number): Promise<void> {
  const random = createRandom(count)
  const words = await createWordSource(random)
  const scope = { tenant: 'local', agent: 'main', project: '', visibility: 'private' } as const
  const batch: DocumentWrite[] = []
  for (let first = 0; first < count; first += SESSION_MEMORIES) {
    const path = `sessions/${first}.jsonl`
    const memories = Array.from({ length: Math.min(SESSION_MEMORIES, count - first) }, (_, index) => {
      const text = words.prose(15 + Math.floor(random() * 90))
      const occurredAt = new Date(1.7e12 + (first + index) * 60_000).toISOString()
      return {
        content: {
          ...{
            id: `m${first + index}`,
            scope,
            category: 'sessions' as const,
            tier: 'episodic' as const,
            type: 'event' as const,
          },
          ...{ trust: 'owner' as const, importance: 0.5, text, headerPath: [], embedText: text, role: 'user' as const },
        },
        place: { startLine: index + 1, endLine: index + 1, occurredAt, sessionId: path },
      }
    })
    const head = { root: '/made', path, category: 'sessions' as const, scope, contentHash: path }
    batch.push({ head, fingerprint: path, chunkerVersion: 1, memories })
    if (batch.length === 100 || first + SESSION_MEMORIES >= count) await store.putDocuments(batch.splice(0))
  }
  for (let pending = await store.listPendingEmbeddings('made', 2000); pending.length > 0; ) {
    const vector = () => Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5)
    await store.putVectors(
      'made',
      pending.map(({ id, embedText }) => ({ id, embedText, windows: [vector()] })),
    )
    pending = await store.listPendingEmbeddings('made', 2000)
  }
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    'no-vectors': { type: 'boolean', default: false },
    memories: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  await measureGold(values.data, !values['no-vectors'], console.log)
  if (Number(values.memories) > 0) await measureTime(Number(values.memories), console.log)
}
