import { crc32 } from 'node:zlib'
import {
  Allocator,
  type EncoderPlaces,
  FEED_FORWARD,
  HIDDEN,
  type LinearPlace,
  MAX_TOKENS,
  type NormPlace,
  placeEncoder,
  TOKENIZER_SHA256,
  VOCABULARY,
  WEIGHTS_SHA256,
} from './model-shape.ts'
import { createHalfTable, type HalfTensor, readHalfTensors } from './safetensors.ts'

/**
 * The model as it is run: int8 weights, laid out as the kernel wants them, and the vocabulary in one block of bytes.
 *
 *   header       magic, format version, body length, crc32 of the body, sha256 of weights and of tokenizer
 *   encoder      parameters of all layers, as `placeEncoder` lays them out
 *   words        int8, one row a vocabulary entry, then one f32 scale a row
 *   positions    f32, one row a position, the embedding of token type 0 already added
 *   vocabulary   UTF-8, pieces in the order of ids, parted by line feeds
 *
 * Numbers are little-endian, as in the kernel's memory.
 */
export interface PackSource {
  length: number
  /** Fills `target` with the bytes from `offset` on. Throws when there are fewer. */
  read(offset: number, target: Uint8Array): void
}

/** A pack that lies in memory. */
export function readFromMemory(bytes: Uint8Array): PackSource {
  return {
    length: bytes.length,
    read: (offset, target) => target.set(bytes.subarray(offset, offset + target.length)),
  }
}

/** Raise it whenever the same model files give another pack. */
export const PACK_VERSION = 1

const HEADER_BYTES = 128
const MAGIC = 'madpack\n'
/** Bytes that are checked at one go. */
const CHECKED_BYTES = 262_144
/** Largest int8 magnitude used; -128 is left out so that scales are symmetric. */
const WEIGHT_LIMIT = 127

interface PackPlaces {
  encoder: EncoderPlaces
  words: number
  wordScales: number
  positions: number
  vocabulary: number
}

function placePack(): PackPlaces {
  const encoder = placeEncoder(HEADER_BYTES)
  const allocator = new Allocator(encoder.end)
  return {
    encoder,
    words: allocator.take(VOCABULARY * HIDDEN),
    wordScales: allocator.take(VOCABULARY * 4),
    positions: allocator.take(MAX_TOKENS * HIDDEN * 4),
    vocabulary: allocator.next,
  }
}

function createHeader(bodyLength: number, bodyCrc: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  header.set(new TextEncoder().encode(MAGIC), 0)
  view.setUint32(8, PACK_VERSION, true)
  view.setUint32(12, bodyLength, true)
  view.setUint32(16, bodyCrc, true)
  header.set(Buffer.from(WEIGHTS_SHA256, 'hex'), 32)
  header.set(Buffer.from(TOKENIZER_SHA256, 'hex'), 64)
  return header
}

/** Whether the source holds a whole pack of this version, made from the expected model files. Reads all of it (about 10 ms). */
export function isIntactPack(source: PackSource): boolean {
  if (source.length <= HEADER_BYTES) return false
  const header = new Uint8Array(HEADER_BYTES)
  source.read(0, header)
  // One small buffer over and over: fresh memory for all 23 MB would cost more than the reading.
  const portion = new Uint8Array(CHECKED_BYTES)
  let crc = 0
  for (let at = HEADER_BYTES; at < source.length; at += CHECKED_BYTES) {
    const part = portion.subarray(0, Math.min(CHECKED_BYTES, source.length - at))
    source.read(at, part)
    crc = crc32(part, crc)
  }
  return Buffer.compare(createHeader(source.length - HEADER_BYTES, crc), header) === 0
}

/** Reads an intact pack piece by piece: a process that embeds a query needs few of its word rows. */
export class Pack {
  readonly #source: PackSource
  readonly #places = placePack()
  readonly #words = new Int8Array(VOCABULARY * HIDDEN)
  readonly #isRead = new Uint8Array(VOCABULARY)
  readonly wordScales: Float32Array
  readonly positions: Float32Array

  constructor(source: PackSource) {
    this.#source = source
    this.wordScales = this.#readFloats(this.#places.wordScales, VOCABULARY)
    this.positions = this.#readFloats(this.#places.positions, MAX_TOKENS * HIDDEN)
  }

  /** Writes the encoder's parameters as the kernel reads them. */
  readEncoder(target: Uint8Array): void {
    this.#source.read(HEADER_BYTES, target)
  }

  /** Embedding of a vocabulary entry; the numbers times its scale. */
  readWord(id: number): Int8Array {
    const row = this.#words.subarray(id * HIDDEN, (id + 1) * HIDDEN)
    if (!this.#isRead[id]) {
      this.#source.read(this.#places.words + id * HIDDEN, new Uint8Array(row.buffer, row.byteOffset, HIDDEN))
      this.#isRead[id] = 1
    }
    return row
  }

  readVocabulary(): string[] {
    const bytes = new Uint8Array(this.#source.length - this.#places.vocabulary)
    this.#source.read(this.#places.vocabulary, bytes)
    return new TextDecoder().decode(bytes).split('\n')
  }

  #readFloats(at: number, length: number): Float32Array {
    const floats = new Float32Array(length)
    this.#source.read(at, new Uint8Array(floats.buffer))
    return floats
  }
}

/** The pack of a model's weights (safetensors, half precision) and vocabulary. Throws when a tensor is missing. */
export function buildPack(weights: Uint8Array, vocabulary: readonly string[]): Uint8Array {
  const places = placePack()
  const names = new TextEncoder().encode(vocabulary.join('\n'))
  const pack = new Uint8Array(places.vocabulary + names.length)
  const writer = new PackWriter(pack, readHalfTensors(weights))
  writer.writeNorm('embeddings', places.encoder.embeddingNorm)
  places.encoder.layers.forEach((place, index) => {
    const layer = `encoder.layer.${index}`
    const self = `${layer}.attention.self`
    writer.writeLinear([`${self}.query`, `${self}.key`, `${self}.value`], place.joint)
    writer.writeLinear([`${layer}.attention.output.dense`], place.attention)
    writer.writeNorm(`${layer}.attention.output`, place.attentionNorm)
    writer.writeLinear([`${layer}.intermediate.dense`], place.expand)
    writer.writeLinear([`${layer}.output.dense`], place.contract)
    writer.writeNorm(`${layer}.output`, place.outputNorm)
  })
  writer.writeEmbeddings(places)
  pack.set(names, places.vocabulary)
  const body = pack.subarray(HEADER_BYTES)
  pack.set(createHeader(body.length, crc32(body)), 0)
  return pack
}

/** Largest depth of a linear step. */
const MAX_DEPTH = FEED_FORWARD

class PackWriter {
  readonly #pack: Uint8Array
  readonly #tensors: ReadonlyMap<string, HalfTensor>
  readonly #half = createHalfTable()

  constructor(pack: Uint8Array, tensors: ReadonlyMap<string, HalfTensor>) {
    this.#pack = pack
    this.#tensors = tensors
  }

  writeNorm(name: string, place: NormPlace): void {
    this.#floats(place.gains, HIDDEN).set(this.#read(`${name}.LayerNorm.weight`))
    this.#floats(place.biases, HIDDEN).set(this.#read(`${name}.LayerNorm.bias`))
  }

  /** One linear step; several named parts stand side by side in its columns. */
  writeLinear(parts: readonly string[], place: LinearPlace): void {
    const { columns, depth } = place
    const width = columns / parts.length
    const scales = this.#floats(place.scales, columns)
    const biases = this.#floats(place.biases, columns)
    const panels = new Int8Array(this.#pack.buffer, place.weights, columns * depth)
    const row = new Int8Array(MAX_DEPTH).subarray(0, depth)
    parts.forEach((part, index) => {
      const weights = this.#read(`${part}.weight`)
      biases.set(this.#read(`${part}.bias`), index * width)
      for (let column = 0; column < width; column += 1) {
        const target = index * width + column
        scales[target] = quantiseRow(weights.subarray(column * depth, (column + 1) * depth), row)
        writeColumn(row, panels, target)
      }
    })
  }

  writeEmbeddings(places: PackPlaces): void {
    const table = this.#read('embeddings.word_embeddings.weight')
    const words = new Int8Array(this.#pack.buffer, places.words, VOCABULARY * HIDDEN)
    const scales = this.#floats(places.wordScales, VOCABULARY)
    for (let id = 0; id < VOCABULARY; id += 1) {
      const start = id * HIDDEN
      scales[id] = quantiseRow(table.subarray(start, start + HIDDEN), words.subarray(start, start + HIDDEN))
    }
    const type = this.#read('embeddings.token_type_embeddings.weight')
    const positions = this.#floats(places.positions, MAX_TOKENS * HIDDEN)
    positions.set(this.#read('embeddings.position_embeddings.weight').subarray(0, positions.length))
    positions.forEach((value, at) => {
      positions[at] = value + (type[at % HIDDEN] ?? 0)
    })
  }

  #floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#pack.buffer, at, length)
  }

  #read(name: string): Float32Array {
    const tensor = this.#tensors.get(name)
    if (!tensor) throw new Error(`the weights have no tensor "${name}"`)
    const values = new Float32Array(tensor.bits.length)
    for (let at = 0; at < values.length; at += 1) values[at] = this.#half[tensor.bits[at] ?? 0] ?? 0
    return values
  }
}

/** Nearest integers of a row and the scale that turns them back. */
function quantiseRow(values: Float32Array, target: Int8Array): number {
  let peak = 1e-12
  for (const value of values) peak = Math.max(peak, Math.abs(value))
  const factor = WEIGHT_LIMIT / peak
  for (let at = 0; at < values.length; at += 1) target[at] = Math.round((values[at] ?? 0) * factor)
  return peak / WEIGHT_LIMIT
}

/** Puts a column's weights into its panel: for each pair of inputs, eight columns' pairs side by side. */
function writeColumn(row: Int8Array, panels: Int8Array, column: number): void {
  const start = (column >> 3) * 8 * row.length + (column & 7) * 2
  for (let pair = 0; pair < row.length; pair += 2) {
    const at = start + pair * 8
    panels[at] = row[pair] ?? 0
    panels[at + 1] = row[pair + 1] ?? 0
  }
}
