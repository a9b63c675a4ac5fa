import { existsSync, readFileSync } from 'node:fs'
import { VECTOR_CHUNK_ROWS } from '../../options.ts'

/** Room for VECTOR_CHUNK_ROWS vectors. Views may go stale when a chunk is added: ask again. */
export interface VectorChunk {
  codes: Int8Array
  scales: Float32Array
  /** What the last scan gave. */
  scores: Float32Array
}

/** Holds 8-bit vectors and computes their dot products with a query. */
export interface ScanKernel {
  readonly backend: 'wasm' | 'js'
  addChunk(): void
  chunk(index: number): VectorChunk
  /** `query` has `stride` numbers of at most MAX_QUERY_CODE, each worth `scale`; `place`: which of QUERIES_TOGETHER it is. */
  setQuery(query: Int16Array, scale: number, place?: number): void
  /** Scores `rows` rows of a chunk, the first ones unless `from` says which is the first: (Σ query · codes) × scale of the row × scale of the query, in 32-bit floats. */
  scan(index: number, rows: number, from?: number): void
  /** The same with all queries at once, in little more than the time of two. Their scores, from the first row on, are in `scoresTogether`. */
  scanTogether(index: number, rows: number, from?: number): void
  /** What the last `scanTogether` gave for the query of a place; room for VECTOR_CHUNK_ROWS. */
  scoresTogether(place: number): Float32Array
}

/** Queries that one scan compares. */
export const QUERIES_TOGETHER = 3

/** Largest query number: with it, 8,192 products with 8-bit codes still fit into 32 bits. */
export const MAX_QUERY_CODE = 2047

const PAGE = 65_536
/** Of the scores of one chunk. */
const SCORE_BYTES = VECTOR_CHUNK_ROWS * 4
const MODULE_FILE = new URL('./scan.wasm', import.meta.url)

/** A kernel for vectors of `stride` numbers (a multiple of 16): WebAssembly where it runs, else plain JavaScript. */
export function createScanKernel(stride: number, { noNative = false } = {}): ScanKernel {
  const module = noNative ? null : compileModule()
  return module ? new WasmKernel(module, stride) : new PlainKernel(stride)
}

/** Whether createScanKernel gives WebAssembly here. */
export function hasNativeScan(): boolean {
  return compileModule() !== null
}

let compiled: WebAssembly.Module | null | undefined

/** The module, or null where the build left it out or the runtime cannot run it: `vectorBackend` tells. */
function compileModule(): WebAssembly.Module | null {
  if (compiled === undefined) compiled = existsSync(MODULE_FILE) ? compileScan(readFileSync(MODULE_FILE)) : null
  return compiled
}

/** Compiles the kernel; null when these bytes are none, lack its functions, or the runtime refuses them for whatever reason. */
export function compileScan(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | null {
  try {
    const module = new WebAssembly.Module(bytes)
    const trial = new WebAssembly.Instance(module, { env: { memory: new WebAssembly.Memory({ initial: 1 }) } })
    const { scan, scanThree } = trial.exports
    return typeof scan === 'function' && typeof scanThree === 'function' ? module : null
  } catch {
    // No SIMD, no WebAssembly, no memory for it: plain JavaScript gives the same results.
    return null
  }
}

class WasmKernel implements ScanKernel {
  readonly backend = 'wasm'
  readonly #stride: number
  readonly #memory: WebAssembly.Memory
  readonly #scan: (...numbers: number[]) => void
  readonly #scanThree: (...numbers: number[]) => void
  readonly #offsets: number[] = []
  /** Before the chunks stand the queries, their scales, and the scores of those that are compared together. */
  readonly #scales: number
  readonly #scores: number
  /** Views of this buffer, made when they are first asked for: memory that grows is another buffer. */
  #buffer: ArrayBufferLike
  readonly #chunks: VectorChunk[] = []
  readonly #together: Float32Array[] = []

  constructor(module: WebAssembly.Module, stride: number) {
    this.#stride = stride
    this.#scales = QUERIES_TOGETHER * stride * 2
    this.#scores = this.#scales + 16
    const bytes = this.#scores + QUERIES_TOGETHER * SCORE_BYTES
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
    this.#buffer = this.#memory.buffer
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory } })
    // Safe because wasm/scan.ts exports these functions.
    this.#scan = instance.exports.scan as (...numbers: number[]) => void
    this.#scanThree = instance.exports.scanThree as (...numbers: number[]) => void
  }

  addChunk(): void {
    const bytes = VECTOR_CHUNK_ROWS * (this.#stride + 8)
    this.#offsets.push(this.#memory.grow(Math.ceil(bytes / PAGE)) * PAGE)
  }

  chunk(index: number): VectorChunk {
    this.#dropStaleViews()
    const known = this.#chunks[index]
    if (known) return known
    const { codes, scales, scores } = this.#addresses(index)
    const chunk = {
      codes: new Int8Array(this.#buffer, codes, VECTOR_CHUNK_ROWS * this.#stride),
      scales: new Float32Array(this.#buffer, scales, VECTOR_CHUNK_ROWS),
      scores: new Float32Array(this.#buffer, scores, VECTOR_CHUNK_ROWS),
    }
    this.#chunks[index] = chunk
    return chunk
  }

  setQuery(query: Int16Array, scale: number, place = 0): void {
    new Float32Array(this.#memory.buffer, this.#scales, QUERIES_TOGETHER)[place] = scale
    new Int16Array(this.#memory.buffer, place * this.#stride * 2, this.#stride).set(query)
  }

  scan(index: number, rows: number, from = 0): void {
    const { codes, scales, scores } = this.#addresses(index, from)
    const [queryScale = 0] = new Float32Array(this.#memory.buffer, this.#scales, 1)
    this.#scan(0, queryScale, codes, scales, scores, rows, this.#stride)
  }

  scanTogether(index: number, rows: number, from = 0): void {
    const { codes, scales } = this.#addresses(index, from)
    this.#scanThree(0, this.#scales, codes, scales, this.#scores, SCORE_BYTES, rows, this.#stride)
  }

  scoresTogether(place: number): Float32Array {
    this.#dropStaleViews()
    this.#together[place] ??= new Float32Array(this.#buffer, this.#scores + place * SCORE_BYTES, VECTOR_CHUNK_ROWS)
    return this.#together[place]
  }

  #dropStaleViews(): void {
    if (this.#buffer === this.#memory.buffer) return
    this.#buffer = this.#memory.buffer
    this.#chunks.length = 0
    this.#together.length = 0
  }

  /** Where a chunk's rows from one on, their scales and scores stand. */
  #addresses(index: number, from = 0): { codes: number; scales: number; scores: number } {
    const start = this.#offsets[index] ?? 0
    const scales = start + VECTOR_CHUNK_ROWS * this.#stride
    const skipped = from * 4
    return { codes: start + from * this.#stride, scales: scales + skipped, scores: scales + SCORE_BYTES + skipped }
  }
}

class PlainKernel implements ScanKernel {
  readonly backend = 'js'
  readonly #stride: number
  readonly #chunks: VectorChunk[] = []
  readonly #queries: Array<{ query: Int16Array; scale: number }> = []
  readonly #together = Array.from({ length: QUERIES_TOGETHER }, () => new Float32Array(VECTOR_CHUNK_ROWS))

  constructor(stride: number) {
    this.#stride = stride
  }

  addChunk(): void {
    this.#chunks.push({
      codes: new Int8Array(VECTOR_CHUNK_ROWS * this.#stride),
      scales: new Float32Array(VECTOR_CHUNK_ROWS),
      scores: new Float32Array(VECTOR_CHUNK_ROWS),
    })
  }

  chunk(index: number): VectorChunk {
    const chunk = this.#chunks[index]
    if (!chunk) throw new RangeError(`Cannot use chunk ${index} of ${this.#chunks.length}`)
    return chunk
  }

  setQuery(query: Int16Array, scale: number, place = 0): void {
    this.#queries[place] = { query, scale: Math.fround(scale) }
  }

  scan(index: number, rows: number, from = 0): void {
    this.#score({ chunk: this.chunk(index), from, rows }, 0, this.chunk(index).scores.subarray(from))
  }

  scanTogether(index: number, rows: number, from = 0): void {
    for (const place of this.#queries.keys())
      this.#score({ chunk: this.chunk(index), from, rows }, place, this.scoresTogether(place))
  }

  scoresTogether(place: number): Float32Array {
    return this.#together[place] ?? new Float32Array(0)
  }

  #score(
    { chunk: { codes, scales }, from, rows }: { chunk: VectorChunk; from: number; rows: number },
    place: number,
    scores: Float32Array,
  ): void {
    const stride = this.#stride
    const { query, scale } = this.#queries[place] ?? { query: new Int16Array(stride), scale: 0 }
    let at = from * stride
    for (let row = 0; row < rows; row++) {
      let dot = 0
      for (let k = 0; k < stride; k++) dot += (query[k] ?? 0) * (codes[at++] ?? 0)
      scores[row] = Math.fround(Math.fround(dot) * (scales[from + row] ?? 0)) * scale
    }
  }
}
