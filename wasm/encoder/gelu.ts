import { all, exponential, multiplyAdd, ONE } from './lanes'

const HALF = memory.data<f32>([0.5])
const INVERSE_SQRT_2 = memory.data<f32>([0.70710678])
const ERF_P = memory.data<f32>([0.3275911])
const ERF_5 = memory.data<f32>([1.061405429])
const ERF_4 = memory.data<f32>([-1.453152027])
const ERF_3 = memory.data<f32>([1.421413741])
const ERF_2 = memory.data<f32>([-0.284496736])
const ERF_1 = memory.data<f32>([0.254829592])

/** x ← x · Φ(x) for `count` numbers, Φ by Abramowitz & Stegun 7.1.26 (absolute error 1.5e-7). */
export function gelu(x: usize, count: i32): void {
  const signs = i32x4.splat(0x80000000)
  const one = all(ONE)
  const end = x + (<usize>count << 2)
  for (let at = x; at < end; at += 16) {
    const value = v128.load(at)
    const z = f32x4.mul(value, all(INVERSE_SQRT_2))
    const magnitude = v128.andnot(z, signs)
    const t = f32x4.div(one, multiplyAdd(one, magnitude, all(ERF_P)))
    let p = multiplyAdd(all(ERF_4), t, all(ERF_5))
    p = multiplyAdd(all(ERF_3), p, t)
    p = multiplyAdd(all(ERF_2), p, t)
    p = multiplyAdd(all(ERF_1), p, t)
    p = f32x4.mul(p, t)
    const tail = f32x4.mul(p, exponential(f32x4.mul(z, v128.xor(z, signs))))
    // erf is odd: the magnitude is computed, the sign of z put back.
    const erf = v128.or(f32x4.sub(one, tail), v128.and(z, signs))
    v128.store(at, f32x4.mul(f32x4.mul(value, all(HALF)), f32x4.add(one, erf)))
  }
}
