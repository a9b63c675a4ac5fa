import { parentPort, workerData } from 'node:worker_threads'
import { BUNDLED_UNIT_TOKENS } from '../../options.ts'
import type { TextInContext } from '../embedding-provider.ts'
import { Encoder } from './encoder.ts'
import { TOKEN_DIMENSIONS } from './model-shape.ts'
import { Pack, readFromMemory } from './pack.ts'
import { loadPack } from './pack-cache.ts'
import { chooseQueryTokens, TokenReader, weighToken } from './token-reader.ts'
import { Tokenizer } from './tokenizer.ts'
import { closeWindow, cutSpans, WINDOW_CAPACITY } from './windows.ts'
import { answerRequests } from './worker-messages.ts'

/** A window as the encoder reads it, and from which of its ids on the text speaks for itself. */
export interface OwnWindow {
  ids: Uint16Array
  ownFrom: number
}

/**
 * What a thread of the bundled model does on request.
 * - `cut`: texts → the windows of each, none for a text of which the model knows no piece
 * - `encode`: windows → their vectors side by side, and those of their own tokens
 * - `query`: one text, cut at the window → its vector and those of its tokens; empty arrays for a text of which the model knows no piece
 */
export type EncodeRequest =
  | { kind: 'cut'; texts: readonly TextInContext[] }
  | { kind: 'encode'; windows: readonly OwnWindow[] }
  | { kind: 'query'; text: string }

/** Windows for `cut`, vectors for the others; `weights` for `query`. */
export interface EncodeReply {
  windows: OwnWindow[][]
  vectors: Float32Array
  /** Token vectors side by side, and how many of them each window has. */
  tokens: Int8Array
  counts: number[]
  weights: Float32Array
}

/** `shared` holds the pack where the cache directory cannot. */
export interface EncodeWorkerData {
  cacheDir: string
  shared: SharedArrayBuffer | undefined
}

const NOTHING: EncodeReply = {
  windows: [],
  vectors: new Float32Array(0),
  tokens: new Int8Array(0),
  counts: [],
  weights: new Float32Array(0),
}

/** The model with all that answers a request. */
class EncodeThread {
  readonly #vocabulary: readonly string[]
  readonly #tokenizer: Tokenizer
  readonly #encoder: Encoder
  readonly #reader: TokenReader

  constructor(pack: Pack) {
    this.#vocabulary = pack.readVocabulary()
    this.#tokenizer = new Tokenizer(this.#vocabulary)
    this.#encoder = new Encoder(pack, BUNDLED_UNIT_TOKENS)
    this.#reader = new TokenReader(this.#vocabulary)
  }

  answer(request: EncodeRequest): EncodeReply {
    if (request.kind === 'cut') return { ...NOTHING, windows: request.texts.map((text) => this.#cut(text)) }
    if (request.kind === 'encode') return this.#encode(request.windows)
    const ids = this.#tokenizer.encode(request.text, WINDOW_CAPACITY)
    if (!this.#tokenizer.isKnown(ids)) return NOTHING
    const weights = ids.map((id) => (this.#reader.isKept(id) ? weighToken(id, this.#vocabulary[id] ?? '') : 0))
    const chosen = chooseQueryTokens(weights).filter((at) => (weights[at] ?? 0) > 0)
    const isChosen = new Set(chosen.map((at) => at + 1))
    return {
      ...this.#encodeTokens([closeWindow(ids)], (_, position) => isChosen.has(position)),
      weights: Float32Array.from(chosen, (at) => weights[at] ?? 0),
    }
  }

  #cut({ text, ownFrom }: TextInContext): OwnWindow[] {
    const ids = this.#tokenizer.encode(text)
    if (!this.#tokenizer.isKnown(ids)) return []
    const before = ownFrom > 0 ? this.#tokenizer.encode(text.slice(0, ownFrom)).length : 0
    // Behind [CLS].
    return cutSpans(ids).map(({ window, start }) => ({ ids: window, ownFrom: Math.max(0, before - start) + 1 }))
  }

  #encode(windows: readonly OwnWindow[]): EncodeReply {
    return this.#encodeTokens(
      windows.map(({ ids }) => ids),
      (index, position) => {
        const window = windows[index]
        return window !== undefined && position >= window.ownFrom && this.#reader.isKept(window.ids[position] ?? 0)
      },
    )
  }

  #encodeTokens(windows: readonly Uint16Array[], isWanted: (window: number, position: number) => boolean): EncodeReply {
    const rows = windows.reduce((sum, { length }) => sum + length, 0)
    const tokens = new Int8Array(rows * TOKEN_DIMENSIONS)
    const counts = windows.map(() => 0)
    let end = 0
    const vectors = this.#encoder.encode(windows, (window, position, vector) => {
      if (!isWanted(window, position)) return
      this.#reader.project(vector, tokens.subarray(end, end + TOKEN_DIMENSIONS))
      end += TOKEN_DIMENSIONS
      counts[window] = (counts[window] ?? 0) + 1
    })
    return { ...NOTHING, vectors, tokens: tokens.slice(0, end), counts }
  }
}

async function start({ cacheDir, shared }: EncodeWorkerData) {
  const loaded = shared ? { source: readFromMemory(new Uint8Array(shared)), shared } : await loadPack(cacheDir)
  const thread = new EncodeThread(new Pack(loaded.source))
  return { shared: loaded.shared, answer: (request: EncodeRequest) => thread.answer(request) }
}

if (parentPort) answerRequests(parentPort, () => start(workerData))
