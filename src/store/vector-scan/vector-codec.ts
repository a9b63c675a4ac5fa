import { endianness } from 'node:os'
import { quantizeVector } from './quantize.ts'

const WORD = 4

/** Many vectors of one kind, 8 bits a number, each with the ordinal of its memory. */
export interface CodePage {
  ordinals: Uint32Array
  scales: Float32Array
  /** `ordinals.length` × dimensions. */
  codes: Int8Array
}

/** Rounds the windows of memories and lays them side by side. */
export function makeCodePage(
  entries: ReadonlyArray<{ ordinal: number; windows: readonly Float32Array[] }>,
  dimensions: number,
): CodePage {
  const rows = entries.flatMap(({ ordinal, windows }) => windows.map((window) => ({ ordinal, window })))
  const page = {
    ordinals: Uint32Array.from(rows, ({ ordinal }) => ordinal),
    scales: new Float32Array(rows.length),
    codes: new Int8Array(rows.length * dimensions),
  }
  rows.forEach(({ window }, row) => {
    const { codes, scale } = quantizeVector(window)
    page.scales[row] = scale
    page.codes.set(codes, row * dimensions)
  })
  return page
}

/** The rows of a page that `isKept` lets through. */
export function filterCodePage(page: CodePage, isKept: (ordinal: number) => boolean): CodePage {
  const dimensions = page.codes.length / page.ordinals.length
  const rows = [...page.ordinals.keys()].filter((row) => isKept(page.ordinals[row] ?? 0))
  const kept = {
    ordinals: Uint32Array.from(rows, (row) => page.ordinals[row] ?? 0),
    scales: Float32Array.from(rows, (row) => page.scales[row] ?? 0),
    codes: new Int8Array(rows.length * dimensions),
  }
  rows.forEach((row, at) => {
    kept.codes.set(page.codes.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions)
  })
  return kept
}

export function joinCodePages(a: CodePage, b: CodePage): CodePage {
  const codes = new Int8Array(a.codes.length + b.codes.length)
  codes.set(a.codes)
  codes.set(b.codes, a.codes.length)
  return {
    ordinals: Uint32Array.from([...a.ordinals, ...b.ordinals]),
    scales: Float32Array.from([...a.scales, ...b.scales]),
    codes,
  }
}

/** Number of rows, ordinals, scales (32 bits each, little endian), codes. */
export function packCodePage({ ordinals, scales, codes }: CodePage): Uint8Array {
  const rows = ordinals.length
  const bytes = new Uint8Array(WORD * (1 + 2 * rows) + codes.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, rows, true)
  ordinals.forEach((ordinal, row) => {
    view.setUint32(WORD * (1 + row), ordinal, true)
    view.setFloat32(WORD * (1 + rows + row), scales[row] ?? 0, true)
  })
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), WORD * (1 + 2 * rows))
  return bytes
}

/** The codes are a view of `bytes`. */
export function unpackCodePage(bytes: Uint8Array): CodePage {
  const rows = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  const [scales, codes] = [WORD * (1 + rows), WORD * (1 + 2 * rows)]
  return {
    ordinals: new Uint32Array(copyWords(bytes, WORD, scales)),
    scales: new Float32Array(copyWords(bytes, scales, codes)),
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codes, bytes.byteLength - codes),
  }
}

/** A copy of little-endian 32-bit words in the machine's order, because the bytes of a row need not lie where words may. */
function copyWords(bytes: Uint8Array, from: number, to: number): ArrayBuffer {
  const copy = new Uint8Array(to - from)
  copy.set(bytes.subarray(from, to))
  return swapOnBigEndian(copy).buffer
}

/** The windows of one memory in full precision, one after the other, little endian. */
export function packFloats(windows: readonly Float32Array[]): Uint8Array {
  const dimensions = windows[0]?.length ?? 0
  const floats = new Float32Array(windows.length * dimensions)
  windows.forEach((window, index) => {
    floats.set(window, index * dimensions)
  })
  return swapOnBigEndian(new Uint8Array(floats.buffer))
}

export function unpackFloats(bytes: Uint8Array, dimensions: number): Float32Array[] {
  const floats = new Float32Array(copyWords(bytes, 0, bytes.length))
  const windows: Float32Array[] = []
  for (let at = 0; at + dimensions <= floats.length; at += dimensions)
    windows.push(floats.subarray(at, at + dimensions))
  return windows
}

function swapOnBigEndian(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (endianness() === 'LE') return bytes
  for (let at = 0; at + WORD <= bytes.length; at += WORD) bytes.subarray(at, at + WORD).reverse()
  return bytes
}
