/** A vector as 8-bit numbers: value ≈ code × scale. */
export interface QuantizedVector {
  codes: Int8Array
  scale: number
}

const MAX_CODE = 127

/** Rounds a vector to 8 bits a number. The scale is the vector's own, so that no outlier of another one costs precision. */
export function quantizeVector(vector: Float32Array): QuantizedVector {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = Math.fround(largest / MAX_CODE)
  return { codes: Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale))), scale }
}
