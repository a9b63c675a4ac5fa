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
  /** `query` has `stride` numbers of at most MAX_QUERY_CODE, each worth `scale`. */
  setQuery(query: Int16Array, scale: number): void
  /** Scores `rows` rows of a chunk, the first ones unless `from` says which is the first: (Σ query · codes) × scale of the row × scale of the query, in 32-bit floats. */
  scan(index: number, rows: number, from?: number): void
}

/** Largest query number: with it, 8,192 products with 8-bit codes still fit into 32 bits. */
export const MAX_QUERY_CODE = 2047

const PAGE = 65_536
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

/** Compiles the kernel; null when these bytes are none, lack its function, or the runtime refuses them for whatever reason. */
export function compileScan(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | null {
  try {
    const module = new WebAssembly.Module(bytes)
    const trial = new WebAssembly.Instance(module, { env: { memory: new WebAssembly.Memory({ initial: 1 }) } })
    return typeof trial.exports.scan === 'function' ? module : null
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
  readonly #offsets: number[] = []
  #queryScale = 0

  constructor(module: WebAssembly.Module, stride: number) {
    this.#stride = stride
    this.#memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil((stride * 2) / PAGE)) })
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory } })
    // Safe because wasm/scan.ts exports this function.
    this.#scan = instance.exports.scan as (...numbers: number[]) => void
  }

  addChunk(): void {
    const bytes = VECTOR_CHUNK_ROWS * (this.#stride + 8)
    this.#offsets.push(this.#memory.grow(Math.ceil(bytes / PAGE)) * PAGE)
  }

  chunk(index: number): VectorChunk {
    const { codes, scales, scores } = this.#addresses(index)
    const { buffer } = this.#memory
    return {
      codes: new Int8Array(buffer, codes, VECTOR_CHUNK_ROWS * this.#stride),
      scales: new Float32Array(buffer, scales, VECTOR_CHUNK_ROWS),
      scores: new Float32Array(buffer, scores, VECTOR_CHUNK_ROWS),
    }
  }

  setQuery(query: Int16Array, scale: number): void {
    this.#queryScale = scale
    new Int16Array(this.#memory.buffer, 0, this.#stride).set(query)
  }

  scan(index: number, rows: number, from = 0): void {
    const { codes, scales, scores } = this.#addresses(index)
    const [first, skipped] = [codes + from * this.#stride, from * 4]
    this.#scan(0, this.#queryScale, first, scales + skipped, scores + skipped, rows, this.#stride)
  }

  #addresses(index: number): { codes: number; scales: number; scores: number } {
    const codes = this.#offsets[index] ?? 0
    const scales = codes + VECTOR_CHUNK_ROWS * this.#stride
    return { codes, scales, scores: scales + VECTOR_CHUNK_ROWS * 4 }
  }
}

class PlainKernel implements ScanKernel {
  readonly backend = 'js'
  readonly #stride: number
  readonly #chunks: VectorChunk[] = []
  #query: Int16Array = new Int16Array(0)
  #queryScale = 0

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

  setQuery(query: Int16Array, scale: number): void {
    this.#queryScale = Math.fround(scale)
    this.#query = query
  }

  scan(index: number, rows: number, from = 0): void {
    const { codes, scales, scores } = this.chunk(index)
    const stride = this.#stride
    const query = this.#query
    const queryScale = this.#queryScale
    let at = from * stride
    for (let row = from; row < from + rows; row++) {
      let dot = 0
      for (let k = 0; k < stride; k++) dot += (query[k] ?? 0) * (codes[at++] ?? 0)
      scores[row] = Math.fround(Math.fround(dot) * (scales[row] ?? 0)) * queryScale
    }
  }
}
