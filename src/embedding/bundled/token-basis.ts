import { readFileSync } from 'node:fs'
import { HIDDEN, TOKEN_DIMENSIONS } from './model-shape.ts'

/** Numbers of the file are these times the basis's, so that they fit 16 bits: a basis vector's are at most 1. */
export const BASIS_SCALE = 32_767

/**
 * TOKEN_DIMENSIONS orthonormal directions of the model's space, those in which its token vectors differ most (principal components,
 * uncentred, of the tokens of this project's own texts; `scripts/make-token-basis.ts`): a row each, HIDDEN numbers.
 */
export function readTokenBasis(): Float32Array {
  const bytes = readFileSync(new URL('./token-basis.bin', import.meta.url))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: TOKEN_DIMENSIONS * HIDDEN }, (_, at) => view.getInt16(at * 2, true) / BASIS_SCALE)
}
