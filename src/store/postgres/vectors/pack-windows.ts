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

/** The windows of several memories as a page; `bytes` are theirs one after the other, `windows` how many each has. */
export function unpackCodes(
  { ordinals, windows, bytes }: { ordinals: readonly number[]; windows: readonly number[]; bytes: Uint8Array },
  dimensions: number,
): CodePage {
  const rows = windows.reduce((sum, count) => sum + count, 0)
  const page = {
    ordinals: new Uint32Array(rows),
    scales: new Float32Array(rows),
    codes: new Int8Array(rows * dimensions),
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let row = 0
  ordinals.forEach((ordinal, index) => {
    for (let window = 0; window < (windows[index] ?? 0); window++, row++) {
      const at = row * (SCALE_BYTES + dimensions)
      page.ordinals[row] = ordinal
      page.scales[row] = view.getFloat32(at, true)
      page.codes.set(numbers.subarray(at + SCALE_BYTES, at + SCALE_BYTES + dimensions), row * dimensions)
    }
  })
  return page
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
