import { DatabaseSync } from '@photostructure/sqlite'
import type { EmbeddingProvider } from '../src/embedding/embedding-provider.ts'
import { STOP_WORDS } from '../src/text/stop-words.ts'
import { type BenchMessage, groupSessions, type Haystack, plainText } from './haystack.ts'
import { bestCosine } from './vectors.ts'

/*
 * The memory search that OpenClaw (2026.9) brings along, rebuilt from its description: how it cuts session text, what it
 * scores, in which order it returns. Numbers are the host's defaults.
 */

const MAX_LINE_CHARS = 800
const MAX_CHUNK_CHARS = 1600
const OVERLAP_CHARS = 320
const VECTOR_WEIGHT = 0.7
const TEXT_WEIGHT = 0.3
const MIN_SCORE = 0.35
const MAX_CANDIDATES = 200
const CANDIDATES_PER_RESULT = 4
const MAX_KEYWORD_PROBES = 6
const MMR_LAMBDA = 0.7
const SNIPPET_CHARS = 700

/** A chunk of flattened session text and the messages that have a line in it, in order. */
export interface HostChunk {
  text: string
  messages: readonly string[]
}

/** Cuts the haystack as the host does: one line a message (`User: …`), wrapped, then as many lines as fit, with overlap. */
export function cutHostChunks(haystack: Haystack): HostChunk[] {
  return [...groupSessions(haystack.messages).values()].flatMap((messages) => cutSession(messages))
}

interface Line {
  text: string
  message: string
}

function cutSession(messages: readonly BenchMessage[]): HostChunk[] {
  const chunks: HostChunk[] = []
  let lines: Line[] = []
  let chars = 0
  const close = (): void => {
    // An overlap of one long line can push a chunk over the limit: the host cuts it off.
    const text = lines
      .map((line) => line.text)
      .join('\n')
      .slice(0, MAX_CHUNK_CHARS)
    chunks.push({ text, messages: [...new Set(lines.map((line) => line.message))] })
  }
  for (const line of messages.flatMap(toLines)) {
    const size = line.text.length + 1
    if (lines.length > 0 && chars + size > MAX_CHUNK_CHARS) {
      close()
      lines = overlapOf(lines)
      chars = lines.reduce((sum, { text }) => sum + text.length + 1, 0)
    }
    lines.push(line)
    chars += size
  }
  if (lines.length > 0) close()
  return chunks
}

function toLines(message: BenchMessage): Line[] {
  const label = message.role === 'user' ? 'User' : 'Assistant'
  const flat = plainText(message).replace(/\s+/g, ' ').trim()
  const lines: Line[] = []
  for (let rest = flat; rest !== ''; ) {
    let cut = rest.length
    if (cut > MAX_LINE_CHARS) {
      const space = rest.lastIndexOf(' ', MAX_LINE_CHARS)
      cut = space > 0 ? space : MAX_LINE_CHARS
    }
    lines.push({ text: `${label}: ${rest.slice(0, cut).trim()}`, message: message.id })
    rest = rest.slice(cut).trim()
  }
  return lines
}

/** The last lines of a chunk, as many as it takes to reach the overlap. */
function overlapOf(lines: readonly Line[]): Line[] {
  const kept: Line[] = []
  let chars = 0
  for (let index = lines.length - 1; index >= 0 && chars < OVERLAP_CHARS; index--) {
    const line = lines[index]
    if (!line) break
    kept.unshift(line)
    chars += line.text.length + 1
  }
  return kept
}

interface Scored {
  chunk: number
  vector: number
  text: number
  score: number
}

/** The host's hybrid search over one haystack. */
export class OpenClawSearch {
  readonly chunks: readonly HostChunk[]
  readonly #windows: readonly Float32Array[][]
  readonly #provider: EmbeddingProvider
  readonly #database: InstanceType<typeof DatabaseSync>

  private constructor(chunks: readonly HostChunk[], windows: readonly Float32Array[][], provider: EmbeddingProvider) {
    this.chunks = chunks
    this.#windows = windows
    this.#provider = provider
    this.#database = new DatabaseSync(':memory:')
    this.#database.exec("CREATE VIRTUAL TABLE lines USING fts5(text, tokenize = 'unicode61')")
    const insert = this.#database.prepare('INSERT INTO lines (rowid, text) VALUES (?, ?)')
    chunks.forEach((chunk, index) => {
      insert.run(index + 1, chunk.text)
    })
  }

  static async open(haystack: Haystack, provider: EmbeddingProvider): Promise<OpenClawSearch> {
    const chunks = cutHostChunks(haystack)
    const windows = await provider.embedDocuments(chunks.map(({ text }) => text))
    return new OpenClawSearch(chunks, windows, provider)
  }

  /** Indexes into `chunks`, best first, at most `maxResults`. */
  async search(query: string, maxResults: number): Promise<number[]> {
    const limit = Math.min(MAX_CANDIDATES, maxResults * CANDIDATES_PER_RESULT)
    const merged = new Map<number, Scored>()
    for (const { chunk, cosine } of await this.#rankByVector(query, limit)) {
      merged.set(chunk, { chunk, vector: cosine, text: 0, score: 0 })
    }
    for (const [chunk, text] of this.#rankByKeyword(query, limit)) {
      merged.set(chunk, { chunk, vector: merged.get(chunk)?.vector ?? 0, text, score: 0 })
    }
    // Recency and importance apply to dated or annotated note files alone: for sessions both factors are 1.
    const scored = [...merged.values()].map((hit) => ({
      ...hit,
      score: VECTOR_WEIGHT * hit.vector + TEXT_WEIGHT * hit.text,
    }))
    scored.sort((a, b) => b.score - a.score || a.chunk - b.chunk)
    const strong = scored.filter(({ score }) => score >= MIN_SCORE)
    const kept = strong.length > 0 ? strong : scored.filter(({ text }) => text > 0)
    return diversify(kept, (chunk) => this.chunks[chunk]?.text.slice(0, SNIPPET_CHARS) ?? '', maxResults)
  }

  close(): void {
    this.#database.close()
  }

  async #rankByVector(query: string, limit: number): Promise<Array<{ chunk: number; cosine: number }>> {
    const [vector] = await this.#provider.embedQueries([query])
    if (!vector) return []
    return this.#windows
      .map((windows, chunk) => ({ chunk, cosine: bestCosine(vector, windows) }))
      .sort((a, b) => b.cosine - a.cosine || a.chunk - b.chunk)
      .slice(0, limit)
  }

  /** All words at once; when that gives less than asked for, the content words one by one. A chunk keeps its best score. */
  #rankByKeyword(query: string, limit: number): Map<number, number> {
    const best = new Map<number, number>()
    const words = query.match(/[\p{L}\p{N}_]+/gu) ?? []
    this.#probe(words, limit, best)
    if (best.size < limit) {
      const content = [...new Set(words.map((word) => word.toLowerCase()))].filter(
        (word) => !STOP_WORDS.has(word) && word.length > 2,
      )
      for (const word of content.slice(0, MAX_KEYWORD_PROBES)) this.#probe([word], limit, best)
    }
    return new Map([...best].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit))
  }

  #probe(words: readonly string[], limit: number, best: Map<number, number>): void {
    if (words.length === 0) return
    const match = words.map((word) => `"${word}"`).join(' AND ')
    const rows = this.#database
      .prepare('SELECT rowid, bm25(lines) AS rank FROM lines WHERE lines MATCH ? ORDER BY rank, rowid LIMIT ?')
      .all(match, limit) as Array<{ rowid: number; rank: number }>
    for (const { rowid, rank } of rows) {
      const relevance = Math.max(0, -rank)
      best.set(rowid - 1, Math.max(best.get(rowid - 1) ?? 0, relevance / (1 + relevance)))
    }
  }
}

/** Maximal marginal relevance over scores scaled to [0,1] and the Jaccard overlap of snippet words. */
function diversify(hits: readonly Scored[], textOf: (chunk: number) => string, maxResults: number): number[] {
  const scores = hits.map(({ score }) => score)
  const lowest = Math.min(...scores)
  const range = Math.max(...scores) - lowest
  const rest = hits.map((hit) => ({
    chunk: hit.chunk,
    relevance: range === 0 ? 1 : (hit.score - lowest) / range,
    words: new Set(
      textOf(hit.chunk)
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+/gu),
    ),
    similarity: 0,
  }))
  const selected: number[] = []
  while (rest.length > 0 && selected.length < maxResults) {
    let at = 0
    let bestValue = Number.NEGATIVE_INFINITY
    rest.forEach((item, index) => {
      const value = MMR_LAMBDA * item.relevance - (1 - MMR_LAMBDA) * item.similarity
      if (value > bestValue) [at, bestValue] = [index, value]
    })
    const [chosen] = rest.splice(at, 1)
    if (!chosen) break
    selected.push(chosen.chunk)
    for (const item of rest) item.similarity = Math.max(item.similarity, jaccard(item.words, chosen.words))
  }
  return selected
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  const union = a.size + b.size - shared
  return union === 0 ? 1 : shared / union
}
