import type { EmbeddingProvider } from './embedding/embedding-provider.ts'
import { MadeleineError } from './errors.ts'
import type { Clock } from './model/clock.ts'
import type { Madeleine } from './model/engine.ts'
import type { MemoryStore } from './store/memory-store.ts'

export interface OpenOptions {
  /** Folders of Markdown notes; `~` is the user's home. */
  workspaces?: readonly string[]
  /** Folders of transcripts of any supported agent; `~` is the user's home. */
  transcripts?: readonly string[]
  /** File of the store, or a store; default one file in the user's data directory. */
  store?: string | MemoryStore
  /** 'bundled' (default), 'none', 'ollama:MODEL', 'openai:MODEL', 'voyage:MODEL', or a provider. */
  embedding?: string | EmbeddingProvider
  /** Where the prepared model is kept; default the user's cache directory. */
  cacheDir?: string
  /** Base URL and key of a remote embedding service. */
  embeddingEndpoint?: { baseUrl?: string; apiKey?: string }
  tenant?: string
  agentId?: string
  /** Agents that share their `team` memories. */
  team?: readonly string[]
  project?: string
  /** Read at most this many transcripts of each folder, newest first. Default all. */
  newestTranscripts?: number
  now?: Clock
  /** IANA zone; default the system's. */
  timeZone?: string
  /** Plain JavaScript instead of WebAssembly for the vector scan. */
  noNative?: boolean
}

/** Opens the store and wires the engine. Nothing is read from the sources until `index`. */
export async function openMadeleine(_options: OpenOptions = {}): Promise<Madeleine> {
  throw new MadeleineError('STORE_UNUSABLE', 'Cannot open: not wired yet', { remedy: 'Wait for the engine' })
}
