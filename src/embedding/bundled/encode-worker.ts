import { parentPort, workerData } from 'node:worker_threads'
import { BUNDLED_UNIT_TOKENS } from '../../options.ts'
import { Encoder } from './encoder.ts'
import { Pack, readFromMemory } from './pack.ts'
import { loadPack } from './pack-cache.ts'
import { Tokenizer } from './tokenizer.ts'
import { closeWindow, cutWindows, WINDOW_CAPACITY } from './windows.ts'
import { answerRequests } from './worker-messages.ts'

/**
 * What a thread of the bundled model does on request.
 * - `cut`: texts → the windows of each, none for a text of which the model knows no piece
 * - `encode`: windows → their vectors side by side
 * - `query`: one text, cut at the window → its vector; an empty array for a text of which the model knows no piece
 */
export type EncodeRequest =
  | { kind: 'cut'; texts: readonly string[] }
  | { kind: 'encode'; windows: readonly Uint16Array[] }
  | { kind: 'query'; text: string }

/** Windows for `cut`, vectors for the others. */
export interface EncodeReply {
  windows: Uint16Array[][]
  vectors: Float32Array
}

/** `shared` holds the pack where the cache directory cannot. */
export interface EncodeWorkerData {
  cacheDir: string
  shared: SharedArrayBuffer | undefined
}

const NO_VECTORS = new Float32Array(0)

async function start({ cacheDir, shared }: EncodeWorkerData) {
  const loaded = shared ? { source: readFromMemory(new Uint8Array(shared)), shared } : await loadPack(cacheDir)
  const pack = new Pack(loaded.source)
  const tokenizer = new Tokenizer(pack.readVocabulary())
  const encoder = new Encoder(pack, BUNDLED_UNIT_TOKENS)
  const answer = (request: EncodeRequest): EncodeReply => {
    if (request.kind === 'encode') return { windows: [], vectors: encoder.encode(request.windows) }
    if (request.kind === 'cut') {
      const windows = request.texts.map((text) => {
        const ids = tokenizer.encode(text)
        return tokenizer.isKnown(ids) ? cutWindows(ids) : []
      })
      return { windows, vectors: NO_VECTORS }
    }
    const ids = tokenizer.encode(request.text, WINDOW_CAPACITY)
    return { windows: [], vectors: tokenizer.isKnown(ids) ? encoder.encode([closeWindow(ids)]) : NO_VECTORS }
  }
  return { shared: loaded.shared, answer }
}

if (parentPort) answerRequests(parentPort, () => start(workerData))
