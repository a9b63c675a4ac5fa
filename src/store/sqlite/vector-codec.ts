import { endianness } from 'node:os'
import { type QuantizedVector, quantizeVector } from '../vector-scan/quantize.ts'

const SCALE_BYTES = 4
const FLOAT_BYTES = 4

/** The windows of one memory as 8-bit vectors, one after the other: scale (f32, little endian), then codes. */
export function packCodes(windows: readonly Float32Array[]): Uint8Array {
  const dimensions = windows[0]?.length ?? 0
  const bytes = new Uint8Array(windows.length * (SCALE_BYTES + dimensions))
  const view = new DataView(bytes.buffer)
  windows.forEach((window, index) => {
    const { codes, scale } = quantizeVector(window)
    const at = index * (SCALE_BYTES + dimensions)
    view.setFloat32(at, scale, true)
    bytes.set(new Uint8Array(codes.buffer), at + SCALE_BYTES)
  })
  return bytes
}

export function unpackCodes(bytes: Uint8Array, dimensions: number): QuantizedVector[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vectors: QuantizedVector[] = []
  for (let at = 0; at + SCALE_BYTES + dimensions <= bytes.length; at += SCALE_BYTES + dimensions) {
    const codes = new Int8Array(bytes.buffer, bytes.byteOffset + at + SCALE_BYTES, dimensions)
    vectors.push({ codes, scale: view.getFloat32(at, true) })
  }
  return vectors
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
  // A copy, because the bytes of a row need not lie where floats may.
  const floats = new Float32Array(swapOnBigEndian(bytes.slice()).buffer)
  const windows: Float32Array[] = []
  for (let at = 0; at + dimensions <= floats.length; at += dimensions)
    windows.push(floats.subarray(at, at + dimensions))
  return windows
}

function swapOnBigEndian(bytes: Uint8Array): Uint8Array {
  if (endianness() === 'LE') return bytes
  for (let at = 0; at + FLOAT_BYTES <= bytes.length; at += FLOAT_BYTES) bytes.subarray(at, at + FLOAT_BYTES).reverse()
  return bytes
}
