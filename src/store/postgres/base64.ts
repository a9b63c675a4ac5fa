/**
 * An expression of bytes as text of base64. The driver gets `bytea` as hexadecimal digits, which are half as long again, and take longer
 * to be made and read; it has no way to get bytes as they are.
 */
export function toBase64(bytes: string): string {
  return `encode(${bytes}, 'base64')`
}

/** The bytes of a column that `toBase64` made. */
export function fromBase64(text: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(String(text), 'base64')
  return new Uint8Array(buffer, byteOffset, byteLength)
}
