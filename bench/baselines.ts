import { Bm25 } from './bm25.ts'
import { type ChunkOfMessage, embedChunks, readChunks } from './chunks.ts'
import { type Contender, type OpenContender, RANK_DEPTH, toRanking, type Workbench } from './contender.ts'
import { groupSessions, plainText } from './haystack.ts'
import { OpenClawSearch } from './openclaw-search.ts'
import { bestCosine } from './vectors.ts'
import { SESSION_BM25, turnBm25 } from './verify-harness.ts'

/** Plain BM25 over messages. */
export const bm25: Contender = {
  name: 'bm25',
  needsVectors: false,
  async open({ set, haystack }) {
    const started = performance.now()
    const index = new Bm25(haystack.messages.map(plainText), turnBm25(set))
    return {
      memories: haystack.messages.length,
      buildMs: performance.now() - started,
      async rank({ text }) {
        const ranked = index.rank(text).slice(0, RANK_DEPTH)
        return toRanking(
          haystack,
          ranked.map(({ document }) => haystack.messages[document]?.id ?? ''),
        )
      },
      async close() {},
    }
  },
}

/** Plain BM25 over whole sessions: the stronger plain yardstick at session level, blind to messages. */
export const bm25Sessions: Contender = {
  name: 'bm25 on sessions',
  needsVectors: false,
  async open({ haystack }) {
    const started = performance.now()
    const sessions = [...groupSessions(haystack.messages)]
    const index = new Bm25(
      sessions.map(([, messages]) => messages.map(plainText).join('\n')),
      SESSION_BM25,
    )
    return {
      memories: sessions.length,
      buildMs: performance.now() - started,
      async rank({ text }) {
        return { sessions: index.rank(text).map(({ document }) => sessions[document]?.[0] ?? '') }
      },
      async close() {},
    }
  },
}

/** The bundled model alone: cosine of the query with the vectors that the engine would store, best window of each chunk. */
export const vectorOnly: Contender = {
  name: 'vector',
  needsVectors: true,
  async open(workbench) {
    const { haystack } = workbench
    const provider = requireProvider(workbench)
    const started = performance.now()
    const chunks = await readChunks(workbench.files)
    const windows = await embedChunks(
      provider,
      chunks.map(({ chunk }) => chunk),
    )
    return {
      memories: chunks.length,
      buildMs: performance.now() - started,
      async rank({ text }) {
        const [query] = await provider.embedQueries([text])
        if (!query) return { messages: [], sessions: [] }
        return toRanking(haystack, rankByCosine(chunks, windows, query))
      },
      async close() {},
    }
  },
}

function rankByCosine(
  chunks: readonly ChunkOfMessage[],
  windows: readonly Float32Array[][],
  query: Float32Array,
): string[] {
  return chunks
    .map(({ message }, index) => ({ message, index, cosine: bestCosine(query, windows[index] ?? []) }))
    .sort((a, b) => b.cosine - a.cosine || a.index - b.index)
    .map(({ message }) => message)
}

/** Results to ask the host's search for: its candidate limit of 200 a leg is a quarter of that. */
const OPENCLAW_RESULTS = 50

/** OpenClaw's own search. A chunk stands for the messages that it holds, in the order of the conversation. */
export const openClaw: Contender = {
  name: 'openclaw',
  needsVectors: true,
  async open(workbench): Promise<OpenContender> {
    const provider = requireProvider(workbench)
    const started = performance.now()
    const search = await OpenClawSearch.open(workbench.haystack, provider)
    return {
      memories: search.chunks.length,
      buildMs: performance.now() - started,
      async rank({ text }) {
        const ranked = await search.search(text, OPENCLAW_RESULTS)
        return toRanking(
          workbench.haystack,
          ranked.flatMap((chunk) => search.chunks[chunk]?.messages ?? []),
        )
      },
      async close() {
        search.close()
      },
    }
  },
}

function requireProvider({ provider }: Workbench): NonNullable<Workbench['provider']> {
  if (!provider) throw new Error('This contender needs vectors: run with --embedding bundled')
  return provider
}
