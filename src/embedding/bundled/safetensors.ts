/** One tensor: half-precision values still as their bits, row by row. */
export interface HalfTensor {
  shape: readonly number[]
  bits: Uint16Array
}

interface TensorEntry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/**
 * The F16 tensors of a safetensors file: 8 bytes header length, a JSON header, then the data. Other types are left out.
 * Throws when the bytes are no such file.
 */
export function readHalfTensors(file: Uint8Array): Map<string, HalfTensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const headerLength = Number(view.getBigUint64(0, true))
  const header: Record<string, TensorEntry> = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerLength)))
  const tensors = new Map<string, HalfTensor>()
  for (const [name, entry] of Object.entries(header)) {
    if (entry.dtype !== 'F16') continue
    const [start, end] = entry.data_offsets
    // A copy, because the data need not begin at an even address.
    const bytes = new Uint8Array(file.subarray(8 + headerLength + start, 8 + headerLength + end))
    tensors.set(name, { shape: entry.shape, bits: new Uint16Array(bytes.buffer) })
  }
  return tensors
}

/** Value of every half-precision bit pattern. */
export function createHalfTable(): Float32Array {
  const table = new Float32Array(65_536)
  for (let bits = 0; bits < table.length; bits += 1) {
    const sign = bits >> 15 ? -1 : 1
    const exponent = (bits >> 10) & 31
    const fraction = bits & 1023
    if (exponent === 0) table[bits] = sign * fraction * 2 ** -24
    else if (exponent === 31) table[bits] = fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
    else table[bits] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
  }
  return table
}
