// Small pieces that the steps share, all inlined.

// @ts-ignore: decorator
@inline
export function sumOfLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3)
}

// @ts-ignore: decorator
@inline
export function maxOfLanes(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  )
}

// @ts-ignore: decorator
@inline
export function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b))
}

/** The number at an address, in all four lanes. */
// @ts-ignore: decorator
@inline
export function all(address: usize): v128 {
  return v128.load32_splat(address)
}

/**
 * 1.5 · 2^23. Adding it to an f32 of magnitude below 2^22 rounds that to an integer, which then stands in the low bits of the
 * sum. The instructions for rounding, converting and taking a maximum are much slower in V8, because they must treat NaN
 * and overflow as WebAssembly prescribes; for the same reason `pmax` and `pmin` stand for `max` and `min` here.
 */
const ROUNDING: f32 = 12582912
const ROUNDING_BITS = 0x4b400000

/**
 * Constants of `exponential`, and those of `gelu`, lie in memory because V8 builds a constant vector anew with several instructions
 * at each use, but broadcasts a number from memory with one.
 */
const LARGEST_EXPONENT = memory.data<f32>([87])
const SMALLEST_EXPONENT = memory.data<f32>([-87])
const LOG2_E = memory.data<f32>([1.44269504])
const ROUNDING_IN_MEMORY = memory.data<f32>([12582912])
const LN_2_HIGH = memory.data<f32>([0.693359375])
const LN_2_LOW = memory.data<f32>([-2.1219444e-4])
const EXP_6 = memory.data<f32>([1.98756915e-4])
const EXP_5 = memory.data<f32>([1.3981999507e-3])
const EXP_4 = memory.data<f32>([8.3334519073e-3])
const EXP_3 = memory.data<f32>([4.1665795894e-2])
const EXP_2 = memory.data<f32>([1.6666665459e-1])
const EXP_1 = memory.data<f32>([5.0000001201e-1])
export const ONE = memory.data<f32>([1])

/** e^x for x in [-87,87]: range reduction by ln 2 in two parts, then a polynomial of degree 6 (Cephes); relative error below 1e-7. */
// @ts-ignore: decorator
@inline
export function exponential(value: v128): v128 {
  const x = f32x4.pmax(f32x4.pmin(value, all(LARGEST_EXPONENT)), all(SMALLEST_EXPONENT))
  const rounded = multiplyAdd(all(ROUNDING_IN_MEMORY), x, all(LOG2_E))
  const power = f32x4.sub(rounded, all(ROUNDING_IN_MEMORY))
  const high = f32x4.sub(x, f32x4.mul(power, all(LN_2_HIGH)))
  const r = f32x4.sub(high, f32x4.mul(power, all(LN_2_LOW)))
  let p = multiplyAdd(all(EXP_5), r, all(EXP_6))
  p = multiplyAdd(all(EXP_4), p, r)
  p = multiplyAdd(all(EXP_3), p, r)
  p = multiplyAdd(all(EXP_2), p, r)
  p = multiplyAdd(all(EXP_1), p, r)
  p = f32x4.add(multiplyAdd(r, p, f32x4.mul(r, r)), all(ONE))
  // Times 2^power, by adding it to the exponent; the shift drops the bits of ROUNDING.
  return i32x4.add(p, i32x4.shl(rounded, 23))
}

/** Nearest integers of four numbers below 2^22. */
// @ts-ignore: decorator
@inline
export function nearestIntegers(value: v128): v128 {
  return i32x4.sub(f32x4.add(value, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS))
}
