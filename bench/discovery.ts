import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareSketches } from '../src/correlation/compare-sketches.ts'
import { CORRELATOR_DEFAULTS } from '../src/correlation/correlation-options.ts'
import { createCorrelator } from '../src/correlation/correlator.ts'
import { STATING } from '../src/correlation/find-named-part.ts'
import { KeyBook } from '../src/correlation/key-book.ts'
import { type FoundRelationship, relatePair } from '../src/correlation/relate-pair.ts'
import { readingOf } from '../src/correlation/text-reading.ts'
import type { MemoryContent, Place } from '../src/model/memory.ts'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { createRandom, createWordSource } from './made-text.ts'
import { mainThreadMs } from './stopwatch.ts'

const HELP = `npx tsx bench/discovery.ts [OPTIONS]

How long linking takes, and how many of the links it finds that comparing with every memory finds. Made memories: half of them prose of
its own, half families of ten about one thing (what is so, the same in other words, another value, what happened, the rule). Vectors
are made too: the words of a text and the family, as signs of 384 numbers, so that members of a family have a cosine of 0.4 to 0.9.

  --scale LIST     memories, one or more sizes (default 5000,20000)
  --recall SIZE    of which size links are compared with exhaustive scoring (default 20000; 0: of none)
  --sample N       memories whose links are compared (default 200)
  --no-vectors     words alone
  --help`

const IDENTITY = 'made-384'
const DIMENSIONS = 384
const FAMILY = 10
const TENANT = 'local'
const MIN_SCORE = CORRELATOR_DEFAULTS.minScore
const WRITE = 2000
const FIRST_DAY = Date.UTC(2025, 0, 1)

interface Made {
  content: MemoryContent
  place: Omit<Place, 'root' | 'path' | 'position'>
  family: number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '5000,20000' },
      recall: { type: 'string', default: '20000' },
      sample: { type: 'string', default: '200' },
      'no-vectors': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  console.log('memories | seconds  CPU s | ms a memory | pairs  a memory | links  contradictions | recall@10')
  let least: { count: number; cpu: number } | undefined
  for (const count of values.scale.split(',').map(Number)) {
    const folder = mkdtempSync(join(tmpdir(), 'madeleine-discovery-'))
    const store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
    try {
      const made = await makeMemories(count)
      await fill(store, made, !values['no-vectors'])
      const identity = values['no-vectors'] ? null : IDENTITY
      const startedMs = mainThreadMs() ?? 0
      const report = await createCorrelator({
        store,
        clock: () => new Date(FIRST_DAY),
        identity: () => identity,
        embed: async () => null,
        toViewer: () => ({ tenant: TENANT }),
      }).linkMemories()
      const cpu = ((mainThreadMs() ?? 0) - startedMs) / 1000
      const seconds = report.elapsedMs / 1000
      const recall =
        count === Number(values.recall) ? await measureRecall(store, made, identity, Number(values.sample)) : '–'
      console.log(
        [
          String(count).padStart(8),
          `${seconds.toFixed(1).padStart(8)} ${cpu.toFixed(1).padStart(6)}`,
          (report.elapsedMs / count).toFixed(2).padStart(11),
          `${String(report.pairs).padStart(7)} ${(report.pairs / count).toFixed(1).padStart(8)}`,
          `${String(report.written).padStart(5)} ${String(report.reviews).padStart(14)}`,
          recall,
        ].join(' | '),
      )
      least ??= { count, cpu }
      if (least.count !== count)
        console.log(`${count} over ${least.count}: ${(cpu / least.cpu).toFixed(1)} times the CPU time`)
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function makeMemories(count: number): Promise<Made[]> {
  const random = createRandom(count)
  const { rareWord, word, prose } = await createWordSource(random)
  const below = (limit: number): number => Math.floor(random() * limit)
  const made: Made[] = []
  for (let family = 0; made.length < count; family++) {
    const thing = `${capital(rareWord())} ${capital(rareWord())}`
    const [verb, object, place, value] = [word(), rareWord(), rareWord(), 2 + below(90)]
    const states = `The ${object} of ${thing} at ${place} ${verb} every ${value} minutes`
    const told = [
      { text: `${states}.`, tier: 'semantic' },
      { text: `${states}, says ${capital(rareWord())}. ${prose(10)}.`, tier: 'semantic' },
      { text: `The ${object} of ${thing} at ${place} ${verb} every ${value + 7} minutes.`, tier: 'semantic' },
      { text: `Looked at the ${object} of ${thing} at ${place}: ${prose(12)}.`, tier: 'episodic' },
      { text: `Then the ${object} of ${thing} at ${place} was put right: ${prose(12)}.`, tier: 'episodic' },
    ] as const
    const day = below(400)
    for (let at = 0; at < FAMILY && made.length < count; at++) {
      const { text, tier } = told[at] ?? { text: `${prose(20 + below(60))}.`, tier: 'episodic' as const }
      const occurredAt = new Date(FIRST_DAY + (day + at / 10) * 86_400_000).toISOString()
      made.push({
        family: at < told.length ? family : -1,
        content: {
          id: `made-${made.length}`,
          scope: { tenant: TENANT, agent: 'main', project: '', visibility: 'private' },
          category: 'memory',
          tier,
          type: 'fact',
          trust: 'owner',
          importance: 0.5,
          text,
          headerPath: [],
          embedText: text,
        },
        place: { startLine: at + 1, endLine: at + 1, occurredAt, dateOrigin: 'timestamp' },
      })
    }
  }
  return made
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The signs of each word and, as much as all of them together, of the family. */
function vectorOf({ content: { text }, family }: Made): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const add = (word: string, weight: number): void => {
    const signs = createRandom(hash(word))
    for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) + (signs() < 0.5 ? -weight : weight)
  }
  for (const word of words) add(word, 1)
  if (family >= 0) add(`family ${family}`, Math.sqrt(words.length))
  return vector
}

function hash(word: string): number {
  let value = 7
  for (let at = 0; at < word.length; at++) value = (Math.imul(value, 31) + word.charCodeAt(at)) | 0
  return value >>> 0
}

async function fill(store: MemoryStore, made: readonly Made[], withVectors: boolean): Promise<void> {
  for (let from = 0; from < made.length; from += WRITE) {
    const some = made.slice(from, from + WRITE)
    const writes = []
    for (let at = 0; at < some.length; at += FAMILY) {
      const memories = some.slice(at, at + FAMILY)
      const [first] = memories
      if (!first) continue
      const { scope, category } = first.content
      writes.push({
        head: { root: '/made', path: `${from + at}.md`, category, scope, contentHash: '' },
        fingerprint: '',
        chunkerVersion: 1,
        memories: memories.map(({ content, place }) => ({ content, place })),
      })
    }
    await store.putDocuments(writes)
    if (!withVectors) continue
    await store.putVectors(
      IDENTITY,
      some.map((one) => ({ id: one.content.id, embedText: one.content.text, windows: [vectorOf(one)] })),
    )
  }
}

/** The share of the ten strongest links that comparing with every memory finds, and linking found too. */
async function measureRecall(
  store: MemoryStore,
  made: readonly Made[],
  identity: string | null,
  sample: number,
): Promise<string> {
  const memories = await store.getMemories(made.map(({ content }) => content.id))
  const vectors =
    identity === null
      ? new Map<string, Float32Array[]>()
      : await store.getVectors(
          identity,
          memories.map(({ id }) => id),
        )
  const book = new KeyBook()
  const sketches = memories.map((memory) => book.add(memory))
  const explains = memories.map((memory) => STATING.some((kind) => readingOf(memory).connectives(kind).length > 0))
  let [wanted, found] = [0, 0]
  for (let at = 0; at < sample; at++) {
    // A step of a prime number meets every place of a family.
    const index = (at * 7919) % memories.length
    const [memory, own] = [memories[index], sketches[index]]
    if (!memory || !own) continue
    const all: FoundRelationship[] = []
    for (const [number, other] of memories.entries()) {
      const sketch = sketches[number]
      if (number === index || !sketch) continue
      const cosine = cosineOf(vectors.get(memory.id)?.[0], vectors.get(other.id)?.[0])
      // Looser than linking is, which leaves out what cannot be related: nothing that it leaves out wrongly may be left out here.
      const known = cosine === undefined ? {} : { cosine }
      const { mayReach, mayState, alike } = compareSketches(own, sketch, { minScore: MIN_SCORE, ...known })
      if (!mayReach && !mayState && alike < 0.3 && !explains[index] && !explains[number]) continue
      all.push(...relatePair(memory, other, { minScore: MIN_SCORE, seeksConflict: true, ...known }))
    }
    const stored = await store.relationships.list([memory.id], { filter: { viewer: { tenant: TENANT } } })
    const keys = new Set(stored.map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' ')))
    const strongest = [
      ...new Set(all.sort((a, b) => b.score - a.score).map((one) => [one.sourceId, one.targetId].sort().join(' '))),
    ]
    for (const key of strongest.slice(0, 10)) {
      wanted += 1
      if (keys.has(key)) found += 1
    }
  }
  return wanted === 0 ? 'no links' : `${(found / wanted).toFixed(3)} (${found} of ${wanted})`
}

function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number | undefined {
  if (!a || !b) return undefined
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

await main()
