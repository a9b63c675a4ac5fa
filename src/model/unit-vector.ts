/**
 * The vector scaled to unit length, or undefined where there is no direction: an empty, zero, infinite or NaN vector.
 * Anything that is not a number counts as NaN (servers write NaN as null).
 */
export function toUnitVector(values: readonly unknown[] | Float32Array): Float32Array | undefined {
  let sum = 0
  for (const value of values) sum += typeof value === 'number' ? value * value : Number.NaN
  const length = Math.sqrt(sum)
  if (!(length > 0) || length === Number.POSITIVE_INFINITY) return undefined
  return Float32Array.from(values, (value) => Number(value) / length)
}
