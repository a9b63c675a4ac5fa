import { MadeleineError } from '../../errors.ts'

/** What is as near to unit length as 32-bit numbers come is left as it is, so that storing a stored vector again changes nothing. */
const UNIT_TOLERANCE = 1e-6

/**
 * A copy of unit length, so that a dot product is a cosine. Rejects what has no direction (all zero, NaN or infinite
 * numbers) and any other number of dimensions than `dimensions` with INVALID_OPTION: one such row would poison every order.
 */
export function toUnitVector(vector: Float32Array, dimensions = vector.length): Float32Array {
  if (vector.length !== dimensions) {
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot use vector: it has ${vector.length} dimensions, those of its identity have ${dimensions}`,
      { remedy: 'Check the model behind that name, or run "madeleine index --full" to embed everything anew' },
    )
  }
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum)) throw refuse('it holds a number that is not finite')
  if (sum === 0) throw refuse('it is zero')
  const norm = Math.sqrt(sum)
  if (Math.abs(norm - 1) < UNIT_TOLERANCE) return vector.slice()
  return vector.map((value) => value / norm)
}

function refuse(reason: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot use vector: ${reason}`, {
    remedy: 'Check the embedding provider; a text without a meaning has an empty list of vectors',
  })
}

/** Dot product of two vectors of equal length; the cosine when both have unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
