import type { RemoteKind } from './remote-spec.ts'

/** What a text is embedded for: models may represent a question and its answer differently. */
export type Purpose = 'document' | 'query'

export interface EmbeddingCall {
  model: string
  input: readonly string[]
  purpose: Purpose
  /** Length of the vectors to ask for; absent = the model's own. */
  dimensions?: number
}

/** How one kind of service is spoken to. */
export interface WireFormat {
  defaultBaseUrl: string
  /** Added to the base URL. */
  path: string
  /** Whether the service at the default URL answers nobody without a key. */
  needsKey: boolean
  body(call: EmbeddingCall): Record<string, unknown>
  /** The vectors of an answer to `texts` texts, in their order; undefined when it is no such answer. May be too few or many. */
  readVectors(answer: unknown, texts: number): unknown[][] | undefined
}

const ollama: WireFormat = {
  defaultBaseUrl: 'http://127.0.0.1:11434',
  path: '/api/embed',
  needsKey: false,
  // Without truncate:false the tail of a long text is cut in silence; with it the refusal tells us to split.
  body: ({ model, input, dimensions }) => ({ model, input, truncate: false, ...(dimensions ? { dimensions } : {}) }),
  readVectors: (answer) => asVectors(field(answer, 'embeddings')),
}

const openai: WireFormat = {
  defaultBaseUrl: 'https://api.openai.com/v1',
  path: '/embeddings',
  needsKey: true,
  body: ({ model, input, dimensions }) => ({
    model,
    input,
    encoding_format: 'float',
    ...(dimensions ? { dimensions } : {}),
  }),
  readVectors: readIndexed,
}

const voyage: WireFormat = {
  defaultBaseUrl: 'https://api.voyageai.com/v1',
  path: '/embeddings',
  needsKey: true,
  body: ({ model, input, purpose, dimensions }) => ({
    model,
    input,
    input_type: purpose,
    truncation: false,
    ...(dimensions ? { output_dimension: dimensions } : {}),
  }),
  readVectors: readIndexed,
}

export const WIRE_FORMATS: Readonly<Record<RemoteKind, WireFormat>> = { ollama, openai, voyage }

/**
 * `{data: [{index, embedding}]}`, in any order. Where no row has an index the order counts; indexes that repeat or leave
 * their range are no answer, since a wrong pairing would not be noticed later.
 */
function readIndexed(answer: unknown, texts: number): unknown[][] | undefined {
  const rows = field(answer, 'data')
  if (!Array.isArray(rows)) return undefined
  const vectors = asVectors(rows.map((row) => field(row, 'embedding')))
  const isCounted = vectors !== undefined && rows.length <= texts
  if (!isCounted || rows.every((row) => field(row, 'index') === undefined)) return vectors
  const byIndex = new Map<number, unknown[]>()
  for (const [position, vector] of vectors.entries()) {
    const index = field(rows[position], 'index')
    if (typeof index === 'number' && index >= 0 && index < texts) byIndex.set(index, vector)
  }
  if (byIndex.size < rows.length) return undefined
  return [...byIndex].sort(([a], [b]) => a - b).map(([, vector]) => vector)
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function asVectors(value: unknown): unknown[][] | undefined {
  return Array.isArray(value) && value.every(isVector) ? value : undefined
}

/** Numbers; null stands for NaN, which JSON cannot write. */
function isVector(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number' || item === null)
}
