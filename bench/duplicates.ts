import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMadeleine } from '../src/index.ts'
import { memoryId } from '../src/indexing/memory-identity.ts'
import type { Chunk } from '../src/model/document.ts'
import type { Memory } from '../src/model/memory.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { tokenize } from '../src/text/tokenize.ts'
import { type CopiedChunk, makeCopiedTexts } from './copied-texts.ts'
import { BandIndex, resemblance, signText } from './min-hash.ts'

const HELP = `npx tsx bench/duplicates.ts [OPTIONS]

How many duplicates are left of a corpus of which a fifth are copies and a tenth near copies, and is a fact lost? Makes the corpus
in a temporary folder, indexes it by keyword through the public API and compares the store with what was written.

  --chunks N   chunks in all (default 10000)
  --list       also show what is left or lost
  --help`

const SCOPE = { tenant: 'local', agent: 'main', project: '', visibility: 'private' } as const
/** This share of the chunks are notes of their own, the others messages of sessions. */
const NOTE_SHARE = 0.5
const SESSION_MESSAGES = 25
const NOTES_SEED = 1
const MESSAGES_SEED = 2
const FIRST_DAY = Date.UTC(2025, 0, 1)
/** Estimated resemblance from which the yardstick takes two texts for near copies. */
const THRESHOLDS = [0.7, 0.8, 0.9] as const
/** Words that a text may hold or not and say the same. */
const COURTESIES = new Set(['pleas', 'btw', 'fyi'])

interface Corpus {
  workspace: string
  transcripts: string
  /** Each of statements of its own: a note and what a person says are never one memory. */
  notes: CopiedChunk[]
  messages: CopiedChunk[]
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { chunks: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) return console.log(HELP)
  const count = Number(values.chunks ?? 10_000)
  const directory = mkdtempSync(join(tmpdir(), 'madeleine-duplicates-'))
  try {
    const corpus = await writeCorpus(directory, count)
    const { memories, perMemoryUs } = await indexCorpus(directory, corpus)
    const chunks = [...corpus.notes, ...corpus.messages]
    console.log(formatShares(chunks))
    report(corpus, memories, values.list === true)
    console.log(formatCost(chunks, perMemoryUs))
    console.log(`\n${formatYardstick(chunks)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function writeCorpus(directory: string, count: number): Promise<Corpus> {
  const split = Math.round(count * NOTE_SHARE)
  const corpus: Corpus = {
    workspace: join(directory, 'workspace'),
    transcripts: join(directory, 'sessions'),
    notes: await makeCopiedTexts(split, NOTES_SEED),
    messages: (await makeCopiedTexts(count - split, MESSAGES_SEED)).map((chunk) => ({
      ...chunk,
      statement: chunk.statement + split,
    })),
  }
  for (const [index, { text }] of corpus.notes.entries()) {
    writeText(join(corpus.workspace, `memory/notes/${String(index).padStart(6, '0')}.md`), `${text}\n`)
  }
  for (let at = 0; at < corpus.messages.length; at += SESSION_MESSAGES) {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const lines: object[] = [{ type: 'session', version: 3, id, timestamp: toInstant(at), cwd: '/home' }]
    for (const [index, { text }] of corpus.messages.slice(at, at + SESSION_MESSAGES).entries()) {
      const message = { role: 'user', content: [{ type: 'text', text }] }
      lines.push({ type: 'message', id: `${at + index}`, parentId: null, timestamp: toInstant(at + index), message })
    }
    writeText(join(corpus.transcripts, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return corpus
}

function toInstant(minutes: number): string {
  return new Date(FIRST_DAY + minutes * 60_000).toISOString()
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function indexCorpus(
  directory: string,
  { workspace, transcripts, notes, messages }: Corpus,
): Promise<{ memories: Memory[]; perMemoryUs: number }> {
  const file = join(directory, 'store.db')
  const engine = await openMadeleine({
    ...{ workspaces: [workspace], transcripts: [transcripts], store: file, embedding: 'none', timeZone: 'UTC' },
  })
  const start = process.cpuUsage()
  await engine.index()
  const { user, system } = process.cpuUsage(start)
  await engine.close()
  const store = await openSqliteStore({ file })
  const memories = await store.listMemories({ viewer: { tenant: SCOPE.tenant } })
  await store.close()
  return { memories, perMemoryUs: (user + system) / (notes.length + messages.length) }
}

/** White space apart, which the sources and the chunker trim. */
function toKey(category: string, text: string): string {
  return `${category}\0${text.replace(/\s+/g, ' ').trim()}`
}

function wordsOf(text: string): Set<string> {
  const words = tokenize(text).filter(({ kind, term }) => kind === 'word' && !COURTESIES.has(term))
  return new Set(words.map(({ term }) => term))
}

/**
 * The truth is what was written: a chunk's statement. Every memory's text is that of some chunk; a memory beyond the first of
 * its statement is a duplicate, a statement without a memory is lost, and so is a chunk's word that its memory lacks.
 */
function report({ notes, messages }: Corpus, memories: readonly Memory[], shows: boolean): void {
  const statements = new Map<string, number>()
  const held = new Map<number, Memory[]>()
  const each = [
    ...notes.map((chunk) => ({ chunk, category: 'memory' })),
    ...messages.map((chunk) => ({ chunk, category: 'sessions' })),
  ]
  for (const { chunk, category } of each) statements.set(toKey(category, chunk.text), chunk.statement)
  let unknown = 0
  for (const memory of memories) {
    const statement = statements.get(toKey(memory.category, memory.text))
    if (statement === undefined) unknown += 1
    else held.set(statement, [...(held.get(statement) ?? []), memory])
  }
  const all = new Set(statements.values())
  const lost = [...all].filter((statement) => !held.has(statement))
  const surplus = [...held.values()].flatMap((some) => some.slice(1))
  const missing = each.filter(({ chunk }) => {
    const known = new Set(held.get(chunk.statement)?.flatMap(({ text }) => [...wordsOf(text)]))
    return [...wordsOf(chunk.text)].some((word) => !known.has(word))
  })
  console.log(`memories               ${memories.length} of ${all.size} statements`)
  console.log(`duplicates left        ${surplus.length} = ${percent(surplus.length / memories.length)} of the memories`)
  const nearCopies = each.filter(({ chunk }) => chunk.kind === 'near copy').length
  console.log(`near copies joined     ${percent(1 - surplus.length / nearCopies)}`)
  console.log(`statements lost        ${lost.length}`)
  console.log(`chunks with lost words ${missing.length}`)
  if (unknown > 0) throw new Error(`${unknown} memories are the text of no chunk: the corpus was cut or changed`)
  if (!shows) return
  for (const memory of surplus) console.log(`left: ${JSON.stringify(memory.text)}`)
  for (const statement of lost) console.log(`lost: ${statement}`)
}

function formatShares(chunks: readonly CopiedChunk[]): string {
  const share = (kind: CopiedChunk['kind']): string =>
    percent(chunks.filter((chunk) => chunk.kind === kind).length / chunks.length)
  return `chunks                 ${chunks.length}: ${share('copy')} copies, ${share('near copy')} near copies, ${share('twin')} that differ in one fact`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

/** CPU time of one pass over all chunks, in µs a chunk; the least of three. */
function timeEach(chunks: readonly CopiedChunk[], work: (text: string) => unknown): number {
  const passes = [0, 1, 2].map(() => {
    const start = process.cpuUsage()
    for (const { text } of chunks) work(text)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / chunks.length
  })
  return Math.min(...passes)
}

function formatCost(chunks: readonly CopiedChunk[], perMemoryUs: number): string {
  const idUs = timeEach(chunks, (text) => {
    const chunk: Chunk = {
      ...{
        text,
        headerPath: [],
        startLine: 1,
        endLine: 1,
        embedText: text,
        type: 'fact',
        trust: 'owner',
        importance: 0.5,
      },
    }
    return memoryId(SCOPE, chunk)
  })
  const plainUs = timeEach(chunks, (text) => text.replace(/\s+/g, ' ').trim())
  const added = idUs - plainUs
  return [
    `id of a memory         ${idUs.toFixed(1)} µs CPU, of which ${plainUs.toFixed(1)} for white space alone`,
    `whole write pass       ${perMemoryUs.toFixed(0)} µs CPU a chunk: at most ${percent(added / (perMemoryUs - added))} longer than with exact copies only`,
  ].join('\n')
}

/** What MinHash would have proposed. Every twin that it takes for a near copy is a fact that only another rule can save. */
function formatYardstick(chunks: readonly CopiedChunk[]): string {
  const index = new BandIndex()
  const pairs = chunks.filter(({ kind }) => kind === 'twin').length / 2
  const signatures = chunks.map(({ text }) => signText(text))
  const best = signatures.map((signature, number) => {
    const candidates = [...index.add(signature, number)]
    return candidates.map((other) => ({ other, value: resemblance(signature, signatures[other] ?? signature) }))
  })
  const rows = THRESHOLDS.map((threshold) => {
    let [found, sought] = [0, 0]
    const confused = new Set<string>()
    const seen = new Set<number>()
    for (const [number, { statement, kind }] of chunks.entries()) {
      const near = (best[number] ?? []).filter(({ value }) => value >= threshold).map(({ other }) => chunks[other])
      if (seen.has(statement) && kind === 'near copy') {
        sought += 1
        if (near.some((chunk) => chunk?.statement === statement)) found += 1
      }
      for (const other of near) {
        if (!other || other.statement === statement) continue
        confused.add(`${Math.min(statement, other.statement)} ${Math.max(statement, other.statement)}`)
      }
      seen.add(statement)
    }
    return `| ${threshold} | ${percent(found / sought)} | ${confused.size} of ${pairs} |`
  })
  const signUs = timeEach(chunks, signText)
  return [
    `Yardstick: MinHash by bands, ${signUs.toFixed(0)} µs CPU a signature`,
    '',
    '| resemblance from | near copies found | pairs of statements taken for one |',
    '| ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

await main()
