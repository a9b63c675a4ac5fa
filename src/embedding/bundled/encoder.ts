import { readFileSync } from 'node:fs'
import {
  Allocator,
  type EncoderPlaces,
  FEED_FORWARD,
  HEAD_WIDTH,
  HEADS,
  HIDDEN,
  type LayerPlace,
  type LinearPlace,
  MAX_TOKENS,
  NORM_EPSILON,
  type NormPlace,
  placeEncoder,
} from './model-shape.ts'
import type { Pack } from './pack.ts'

/** What `wasm/encoder.ts` exports; addresses in bytes. */
interface Kernel {
  quantise(input: number, output: number, scales: number, rows: number, width: number): void
  linear(
    input: number,
    inputScales: number,
    weights: number,
    weightScales: number,
    biases: number,
    output: number,
    rows: number,
    columns: number,
    depth: number,
  ): void
  gelu(x: number, count: number): void
  addAndNormalise(
    x: number,
    residual: number,
    gains: number,
    biases: number,
    rows: number,
    width: number,
    epsilon: number,
  ): void
  attend(joint: number, output: number, scratch: number, length: number, heads: number): void
}

/** Below it lie the kernel's own constants. */
const FIRST_ADDRESS = 65_536
const PAGE_BYTES = 65_536

/** Activation buffers, in bytes. */
interface Buffers {
  hidden: number
  wide: number
  mixed: number
  quantised: number
  scales: number
  scratch: number
  zeros: number
  end: number
}

/** Room for `rows` tokens at once and one row more, since the kernel takes rows in pairs. */
function placeBuffers(start: number, rows: number): Buffers {
  const allocator = new Allocator(start)
  const padded = rows + 1
  const scratchTokens = MAX_TOKENS + 8
  return {
    hidden: allocator.take(padded * HIDDEN * 4),
    wide: allocator.take(padded * FEED_FORWARD * 4),
    mixed: allocator.take(padded * HIDDEN * 4),
    quantised: allocator.take(padded * FEED_FORWARD * 2),
    scales: allocator.take(padded * 4),
    scratch: allocator.take((3 * scratchTokens * HEAD_WIDTH + 4 * scratchTokens + 4 * HEAD_WIDTH) * 4),
    zeros: allocator.take(padded * HIDDEN * 4),
    end: allocator.next,
  }
}

/** Runs the model in this thread. Blocks while it computes: meant for a worker. */
export class Encoder {
  readonly #pack: Pack
  readonly #maxRows: number
  readonly #places: EncoderPlaces
  readonly #buffers: Buffers
  readonly #hidden: Float32Array
  readonly #kernel: Kernel

  /** `maxTokens`: tokens of all windows of one call together, at least 256. */
  constructor(pack: Pack, maxTokens: number) {
    this.#pack = pack
    this.#maxRows = Math.max(maxTokens, MAX_TOKENS)
    this.#places = placeEncoder(FIRST_ADDRESS)
    this.#buffers = placeBuffers(this.#places.end, this.#maxRows)
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.#buffers.end / PAGE_BYTES) })
    pack.readEncoder(new Uint8Array(memory.buffer, FIRST_ADDRESS, this.#places.end - FIRST_ADDRESS))
    this.#hidden = new Float32Array(memory.buffer, this.#buffers.hidden, this.#maxRows * HIDDEN)
    this.#kernel = loadKernel(memory)
  }

  /**
   * Unit vectors of windows (ids with [CLS] and [SEP]), side by side in one array. A window's vector does not depend on
   * the windows beside it. With `onToken`, also the vector of every token, as long as the call lasts. Throws a RangeError
   * when they exceed `maxTokens`.
   */
  encode(
    windows: readonly Uint16Array[],
    onToken?: (window: number, position: number, vector: Float32Array) => void,
  ): Float32Array {
    const rows = this.#embedTokens(windows)
    for (const layer of this.#places.layers) this.#runLayer(layer, windows, rows)
    const vectors = new Float32Array(windows.length * HIDDEN)
    let row = 0
    windows.forEach((window, index) => {
      this.#average(row, window.length, vectors.subarray(index * HIDDEN, (index + 1) * HIDDEN))
      if (onToken) {
        for (let at = 0; at < window.length; at += 1) {
          onToken(index, at, this.#hidden.subarray((row + at) * HIDDEN, (row + at + 1) * HIDDEN))
        }
      }
      row += window.length
    })
    return vectors
  }

  #embedTokens(windows: readonly Uint16Array[]): number {
    const { wordScales, positions } = this.#pack
    const rows = windows.reduce((sum, window) => sum + window.length, 0)
    if (rows > this.#maxRows) throw new RangeError(`${rows} tokens exceed the encoder's ${this.#maxRows}`)
    let target = 0
    for (const window of windows) {
      window.forEach((id, position) => {
        const scale = wordScales[id] ?? 0
        const word = this.#pack.readWord(id)
        const place = position * HIDDEN
        for (let at = 0; at < HIDDEN; at += 1) {
          this.#hidden[target + at] = (word[at] ?? 0) * scale + (positions[place + at] ?? 0)
        }
        target += HIDDEN
      })
    }
    this.#normalise(this.#buffers.zeros, this.#places.embeddingNorm, rows)
    return rows
  }

  #runLayer(layer: LayerPlace, windows: readonly Uint16Array[], rows: number): void {
    const { hidden, wide, mixed, scratch } = this.#buffers
    this.#runLinear(hidden, layer.joint, wide, rows)
    let row = 0
    for (const { length } of windows) {
      this.#kernel.attend(wide + row * HIDDEN * 12, mixed + row * HIDDEN * 4, scratch, length, HEADS)
      row += length
    }
    this.#runLinear(mixed, layer.attention, wide, rows)
    this.#normalise(wide, layer.attentionNorm, rows)
    this.#runLinear(hidden, layer.expand, wide, rows)
    this.#kernel.gelu(wide, rows * FEED_FORWARD)
    this.#runLinear(wide, layer.contract, mixed, rows)
    this.#normalise(mixed, layer.outputNorm, rows)
  }

  #runLinear(input: number, place: LinearPlace, output: number, rows: number): void {
    const { quantised, scales } = this.#buffers
    this.#kernel.quantise(input, quantised, scales, rows, place.depth)
    const { weights, scales: weightScales, biases, columns, depth } = place
    this.#kernel.linear(quantised, scales, weights, weightScales, biases, output, rows, columns, depth)
  }

  /** hidden ← norm(hidden + residual) */
  #normalise(residual: number, place: NormPlace, rows: number): void {
    this.#kernel.addAndNormalise(this.#buffers.hidden, residual, place.gains, place.biases, rows, HIDDEN, NORM_EPSILON)
  }

  /** Mean over a window's tokens, scaled to unit length. */
  #average(firstRow: number, length: number, vector: Float32Array): void {
    const start = firstRow * HIDDEN
    for (let at = 0; at < HIDDEN; at += 1) {
      let sum = 0
      for (let row = 0; row < length; row += 1) sum += this.#hidden[start + row * HIDDEN + at] ?? 0
      vector[at] = sum
    }
    let squares = 0
    for (const value of vector) squares += value * value
    const factor = 1 / Math.sqrt(squares)
    for (let at = 0; at < HIDDEN; at += 1) vector[at] = (vector[at] ?? 0) * factor
  }
}

function loadKernel(memory: WebAssembly.Memory): Kernel {
  const module = new WebAssembly.Module(readFileSync(new URL('./encoder.wasm', import.meta.url)))
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return exports as unknown as Kernel
}
