import { quantizeVector } from '../../vector-scan/quantize.ts'
import type { CodePage } from '../../vector-scan/vector-codec.ts'

const SCALE_BYTES = 4

/** The windows of a memory rounded to 8 bits a number: for each its scale (little endian), then its numbers. */
export function packCodes(windows: readonly Float32Array[]): Uint8Array {
  const dimensions = windows[0]?.length ?? 0
  const bytes = new Uint8Array(windows.length * (SCALE_BYTES + dimensions))
  const view = new DataView(bytes.buffer)
  windows.forEach((window, index) => {
    const at = index * (SCALE_BYTES + dimensions)
    const { codes, scale } = quantizeVector(window)
    view.setFloat32(at, scale, true)
    bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), at + SCALE_BYTES)
  })
  return bytes
}

/** An expression of what `unpackCodes` takes: for each memory its ordinal and how many windows it has, then their codes. */
export const CODE_ROWS = "string_agg(int4send(ordinal) || int4send(windows) || codes, '')"
const HEAD_BYTES = 8

/** The windows of several memories as a page; `bytes` are what CODE_ROWS gives. */
export function unpackCodes(bytes: Uint8Array, dimensions: number): CodePage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const most = Math.ceil(bytes.length / (SCALE_BYTES + dimensions))
  const page = {
    ordinals: new Uint32Array(most),
    scales: new Float32Array(most),
    codes: new Int8Array(most * dimensions),
  }
  let row = 0
  for (let at = 0; at < bytes.length; ) {
    const ordinal = view.getInt32(at)
    let left = view.getInt32(at + 4)
    for (at += HEAD_BYTES; left > 0; left--, row++) {
      page.ordinals[row] = ordinal
      page.scales[row] = view.getFloat32(at, true)
      at += SCALE_BYTES
      page.codes.set(numbers.subarray(at, at + dimensions), row * dimensions)
      at += dimensions
    }
  }
  return {
    ordinals: page.ordinals.subarray(0, row),
    scales: page.scales.subarray(0, row),
    codes: page.codes.subarray(0, row * dimensions),
  }
}

/** Numbers as a literal of `real[]`, each so that it comes back as it was. */
export function formatReals(vector: Float32Array): string {
  return `{${Array.from(vector, (value) => value.toPrecision(9)).join(',')}}`
}

/** What `array_send` makes of a `real[]`: a header of 20 bytes, then each number behind its length, big endian. */
export function unpackReals(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [header, stride] = [20, 8]
  const vector = new Float32Array((bytes.length - header) / stride)
  for (let at = 0; at < vector.length; at++) vector[at] = view.getFloat32(header + at * stride + 4)
  return vector
}
