/**
 * The arithmetic of a BERT encoder, in AssemblyScript with 128-bit SIMD. TypeScript (`src/embedding/bundled/encoder.ts`)
 * owns the memory layout and the order of the steps; every function here takes addresses in bytes and works on
 * rows of numbers. Activations are f32 between the steps and 14-bit integers inside matrix products, weights are int8:
 * integer sums come out the same on every machine and in every batch.
 *
 * Buffers that `linear` reads or writes need room for one row more than `rows`: rows are taken in pairs.
 */

/** Largest magnitude of a quantised activation: 8191 · 127 · 1536 still fits a 32-bit sum. */
const ACTIVATION_LIMIT: f32 = 8191
/** Width of one attention head in numbers, and in bytes. */
const HEAD_WIDTH = 32
const HEAD_BYTES: usize = 128
const INVERSE_SQRT_HEAD_WIDTH: f32 = 0.17677669529663687
/** The score of a key that does not exist: its exponential vanishes beside the largest, which is 1. */
const MASKED: f32 = -1e30

// @ts-ignore: decorator
@inline
function sumOfLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3)
}

// @ts-ignore: decorator
@inline
function maxOfLanes(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  )
}

// @ts-ignore: decorator
@inline
function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b))
}

/** The number at an address, in all four lanes. */
// @ts-ignore: decorator
@inline
function all(address: usize): v128 {
  return v128.load32_splat(address)
}

/** Σ of products of eight 16-bit pairs, added to four 32-bit sums. */
// @ts-ignore: decorator
@inline
function dotAdd(sum: v128, a: v128, b: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b))
}

/**
 * 1.5 · 2^23. Adding it to an f32 of magnitude below 2^22 rounds that to an integer, which then stands in the low bits of the
 * sum. The instructions for rounding, converting and taking a maximum are much slower in V8, because they must treat NaN
 * and overflow as WebAssembly prescribes; for the same reason `pmax` and `pmin` stand for `max` and `min` here.
 */
const ROUNDING: f32 = 12582912
const ROUNDING_BITS = 0x4b400000

/**
 * Constants of `exponential` and `gelu`. They lie in memory because V8 builds a constant vector anew with several instructions
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
const ONE = memory.data<f32>([1])
const HALF = memory.data<f32>([0.5])
const INVERSE_SQRT_2 = memory.data<f32>([0.70710678])
const ERF_P = memory.data<f32>([0.3275911])
const ERF_5 = memory.data<f32>([1.061405429])
const ERF_4 = memory.data<f32>([-1.453152027])
const ERF_3 = memory.data<f32>([1.421413741])
const ERF_2 = memory.data<f32>([-0.284496736])
const ERF_1 = memory.data<f32>([0.254829592])

/** e^x for x in [-87,87]: range reduction by ln 2 in two parts, then a polynomial of degree 6 (Cephes); relative error below 1e-7. */
// @ts-ignore: decorator
@inline
function exponential(value: v128): v128 {
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
function nearestIntegers(value: v128): v128 {
  return i32x4.sub(f32x4.add(value, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS))
}

/** Rows of f32 → rows of i16 with one scale a row (value = integer · scale). */
export function quantise(input: usize, output: usize, scales: usize, rows: i32, width: i32): void {
  for (let row = 0; row < rows; row++) {
    const source = input + ((<usize>row * <usize>width) << 2)
    const target = output + ((<usize>row * <usize>width) << 1)
    const bytes = <usize>width << 2
    let peaks = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) peaks = f32x4.pmax(peaks, f32x4.abs(v128.load(source + at)))
    const peak: f32 = max(maxOfLanes(peaks), <f32>1e-12)
    const factor = f32x4.splat(ACTIVATION_LIMIT / peak)
    for (let at: usize = 0; at < bytes; at += 32) {
      const low = nearestIntegers(f32x4.mul(v128.load(source + at), factor))
      const high = nearestIntegers(f32x4.mul(v128.load(source + at, 16), factor))
      v128.store(target + (at >> 1), i16x8.narrow_i32x4_s(low, high))
    }
    store<f32>(scales + (<usize>row << 2), peak / ACTIVATION_LIMIT)
  }
}

/** Four integer sums of one row → f32: times the row's scale, times the columns' scales, plus the bias. */
// @ts-ignore: decorator
@inline
function storeSums(output: usize, sums: v128, rowScale: v128, columnScales: v128, biases: v128): void {
  v128.store(output, multiplyAdd(biases, f32x4.mul(f32x4.convert_i32x4_s(sums), rowScale), columnScales))
}

/**
 * Four rows times one panel of eight columns. A panel holds, for each pair of inputs (k, k+1), the eight columns'
 * weights as eight int8 pairs: one broadcast pair of a row then meets four columns at once, and no sum has to be added
 * across lanes. Eight sums and two weight vectors are what the 16 registers of x64 hold; a larger tile, or two steps in one
 * turn of the loop, makes V8 spill and costs a third of the speed.
 */
function multiplyFourRows(
  row: usize, rowBytes: usize, rowScales: usize, panel: usize, panelEnd: usize,
  columnScales: usize, biases: usize, output: usize, outputBytes: usize,
): void {
  let a0 = row, a1 = row + rowBytes, a2 = a1 + rowBytes, a3 = a2 + rowBytes
  let s00 = i32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00
  for (let at = panel; at < panelEnd; at += 16) {
    const left = v128.load8x8_s(at), right = v128.load8x8_s(at, 8)
    let pair = v128.load32_splat(a0)
    s00 = dotAdd(s00, pair, left)
    s01 = dotAdd(s01, pair, right)
    pair = v128.load32_splat(a1)
    s10 = dotAdd(s10, pair, left)
    s11 = dotAdd(s11, pair, right)
    pair = v128.load32_splat(a2)
    s20 = dotAdd(s20, pair, left)
    s21 = dotAdd(s21, pair, right)
    pair = v128.load32_splat(a3)
    s30 = dotAdd(s30, pair, left)
    s31 = dotAdd(s31, pair, right)
    a0 += 4
    a1 += 4
    a2 += 4
    a3 += 4
  }
  const scales0 = v128.load(columnScales), scales1 = v128.load(columnScales, 16)
  const biases0 = v128.load(biases), biases1 = v128.load(biases, 16)
  let scale = v128.load32_splat(rowScales)
  storeSums(output, s00, scale, scales0, biases0)
  storeSums(output + 16, s01, scale, scales1, biases1)
  scale = v128.load32_splat(rowScales, 4)
  output += outputBytes
  storeSums(output, s10, scale, scales0, biases0)
  storeSums(output + 16, s11, scale, scales1, biases1)
  scale = v128.load32_splat(rowScales, 8)
  output += outputBytes
  storeSums(output, s20, scale, scales0, biases0)
  storeSums(output + 16, s21, scale, scales1, biases1)
  scale = v128.load32_splat(rowScales, 12)
  output += outputBytes
  storeSums(output, s30, scale, scales0, biases0)
  storeSums(output + 16, s31, scale, scales1, biases1)
}

/** The same for the last one or two rows. */
function multiplyTwoRows(
  row: usize, rowBytes: usize, rowScales: usize, panel: usize, panelEnd: usize,
  columnScales: usize, biases: usize, output: usize, outputBytes: usize,
): void {
  let a0 = row, a1 = row + rowBytes
  let s00 = i32x4.splat(0), s01 = s00, s10 = s00, s11 = s00
  for (let at = panel; at < panelEnd; at += 16) {
    const left = v128.load8x8_s(at), right = v128.load8x8_s(at, 8)
    let pair = v128.load32_splat(a0)
    s00 = dotAdd(s00, pair, left)
    s01 = dotAdd(s01, pair, right)
    pair = v128.load32_splat(a1)
    s10 = dotAdd(s10, pair, left)
    s11 = dotAdd(s11, pair, right)
    a0 += 4
    a1 += 4
  }
  const scales0 = v128.load(columnScales), scales1 = v128.load(columnScales, 16)
  const biases0 = v128.load(biases), biases1 = v128.load(biases, 16)
  let scale = v128.load32_splat(rowScales)
  storeSums(output, s00, scale, scales0, biases0)
  storeSums(output + 16, s01, scale, scales1, biases1)
  scale = v128.load32_splat(rowScales, 4)
  output += outputBytes
  storeSums(output, s10, scale, scales0, biases0)
  storeSums(output + 16, s11, scale, scales1, biases1)
}

/**
 * output[i][n] = Σk input[i][k] · weights[n][k] + biases[n]. `input` holds quantised rows with their scales, `weights`
 * panels of eight columns with one scale a column. `columns` is a multiple of 8, `depth` of 4. Panels are the outer loop:
 * each is read from memory once and stays in the first-level cache while the rows pass by.
 */
export function linear(
  input: usize, inputScales: usize, weights: usize, weightScales: usize, biases: usize, output: usize,
  rows: i32, columns: i32, depth: i32,
): void {
  const rowBytes = <usize>depth << 1
  const panelBytes = <usize>depth << 3
  const outputBytes = <usize>columns << 2
  for (let column = 0; column < columns; column += 8) {
    const panel = weights + <usize>(column >> 3) * panelBytes
    const panelEnd = panel + panelBytes
    const offset = <usize>column << 2
    let row = 0
    for (; row + 2 < rows; row += 4) {
      multiplyFourRows(
        input + <usize>row * rowBytes, rowBytes, inputScales + (<usize>row << 2), panel, panelEnd,
        weightScales + offset, biases + offset, output + <usize>row * outputBytes + offset, outputBytes,
      )
    }
    if (row < rows) {
      multiplyTwoRows(
        input + <usize>row * rowBytes, rowBytes, inputScales + (<usize>row << 2), panel, panelEnd,
        weightScales + offset, biases + offset, output + <usize>row * outputBytes + offset, outputBytes,
      )
    }
  }
}

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

/** x ← layerNorm(x + residual), row by row. */
export function addAndNormalise(
  x: usize, residual: usize, gains: usize, biases: usize, rows: i32, width: i32, epsilon: f32,
): void {
  const bytes = <usize>width << 2
  for (let row = 0; row < rows; row++) {
    const a = x + <usize>row * bytes
    const b = residual + <usize>row * bytes
    let sums = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) {
      const value = f32x4.add(v128.load(a + at), v128.load(b + at))
      v128.store(a + at, value)
      sums = f32x4.add(sums, value)
    }
    const mean = f32x4.splat(sumOfLanes(sums) / <f32>width)
    let squares = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) {
      const deviation = f32x4.sub(v128.load(a + at), mean)
      squares = multiplyAdd(squares, deviation, deviation)
    }
    const inverse = f32x4.splat(<f32>1 / sqrt<f32>(sumOfLanes(squares) / <f32>width + epsilon))
    for (let at: usize = 0; at < bytes; at += 16) {
      const value = f32x4.mul(f32x4.sub(v128.load(a + at), mean), inverse)
      v128.store(a + at, multiplyAdd(v128.load(biases + at), value, v128.load(gains + at)))
    }
  }
}

/** Copies one head's queries (scaled), keys (turned: one row a dimension) and values out of the joint rows. */
function gatherHead(
  joint: usize, jointBytes: usize, hiddenBytes: usize, queries: usize, keys: usize, values: usize,
  length: i32, keyBytes: usize,
): void {
  const scale = f32x4.splat(INVERSE_SQRT_HEAD_WIDTH)
  for (let token = 0; token < length; token++) {
    const source = joint + <usize>token * jointBytes
    const at = <usize>token * HEAD_BYTES
    for (let offset: usize = 0; offset < HEAD_BYTES; offset += 16) {
      v128.store(queries + at + offset, f32x4.mul(v128.load(source + offset), scale))
      v128.store(values + at + offset, v128.load(source + hiddenBytes + hiddenBytes + offset))
    }
    const key = source + hiddenBytes
    let target = keys + (<usize>token << 2)
    for (let offset: usize = 0; offset < HEAD_BYTES; offset += 4) {
      store<f32>(target, load<f32>(key + offset))
      target += keyBytes
    }
  }
}

/** scores[q][j] = query q · key j for four queries, eight keys at a time. */
function scoreKeys(queries: usize, keys: usize, scores: usize, keyBytes: usize): void {
  for (let j: usize = 0; j < keyBytes; j += 32) {
    let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00
    let key = keys + j
    for (let q = queries; q < queries + HEAD_BYTES; q += 4) {
      const left = v128.load(key), right = v128.load(key, 16)
      let value = v128.load32_splat(q)
      s00 = multiplyAdd(s00, value, left)
      s01 = multiplyAdd(s01, value, right)
      value = v128.load32_splat(q, 128)
      s10 = multiplyAdd(s10, value, left)
      s11 = multiplyAdd(s11, value, right)
      value = v128.load32_splat(q, 256)
      s20 = multiplyAdd(s20, value, left)
      s21 = multiplyAdd(s21, value, right)
      value = v128.load32_splat(q, 384)
      s30 = multiplyAdd(s30, value, left)
      s31 = multiplyAdd(s31, value, right)
      key += keyBytes
    }
    let target = scores + j
    v128.store(target, s00)
    v128.store(target, s01, 16)
    target += keyBytes
    v128.store(target, s10)
    v128.store(target, s11, 16)
    target += keyBytes
    v128.store(target, s20)
    v128.store(target, s21, 16)
    target += keyBytes
    v128.store(target, s30)
    v128.store(target, s31, 16)
  }
}

/** One row of scores → weights that sum to one; the keys from `length` on get none. */
function softmax(scores: usize, length: i32, keyBytes: usize): void {
  for (let at = <usize>length << 2; at < keyBytes; at += 4) store<f32>(scores + at, MASKED)
  let peaks = f32x4.splat(MASKED)
  for (let at: usize = 0; at < keyBytes; at += 16) peaks = f32x4.pmax(peaks, v128.load(scores + at))
  const peak = f32x4.splat(maxOfLanes(peaks))
  let sums = f32x4.splat(0)
  for (let at: usize = 0; at < keyBytes; at += 16) {
    const weight = exponential(f32x4.sub(v128.load(scores + at), peak))
    v128.store(scores + at, weight)
    sums = f32x4.add(sums, weight)
  }
  const inverse = f32x4.splat(<f32>1 / sumOfLanes(sums))
  for (let at: usize = 0; at < keyBytes; at += 16) v128.store(scores + at, f32x4.mul(v128.load(scores + at), inverse))
}

/** mixed[q] = Σj weights[q][j] · values[j] for four queries. */
function mixValues(weights: usize, keyBytes: usize, values: usize, mixed: usize, length: i32): void {
  const end = weights + (<usize>length << 2)
  const second = keyBytes, third = keyBytes * 2, fourth = keyBytes * 3
  for (let offset: usize = 0; offset < HEAD_BYTES; offset += 32) {
    let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00
    let value = values + offset
    for (let at = weights; at < end; at += 4) {
      const left = v128.load(value), right = v128.load(value, 16)
      let weight = v128.load32_splat(at)
      s00 = multiplyAdd(s00, weight, left)
      s01 = multiplyAdd(s01, weight, right)
      weight = v128.load32_splat(at + second)
      s10 = multiplyAdd(s10, weight, left)
      s11 = multiplyAdd(s11, weight, right)
      weight = v128.load32_splat(at + third)
      s20 = multiplyAdd(s20, weight, left)
      s21 = multiplyAdd(s21, weight, right)
      weight = v128.load32_splat(at + fourth)
      s30 = multiplyAdd(s30, weight, left)
      s31 = multiplyAdd(s31, weight, right)
      value += HEAD_BYTES
    }
    const target = mixed + offset
    v128.store(target, s00)
    v128.store(target, s01, 16)
    v128.store(target, s10, 128)
    v128.store(target, s11, 144)
    v128.store(target, s20, 256)
    v128.store(target, s21, 272)
    v128.store(target, s30, 384)
    v128.store(target, s31, 400)
  }
}

/**
 * Self-attention of one text of `length` tokens. `joint` holds its rows of query, key and value side by side, `output`
 * receives rows of `heads` × 32 numbers. `scratch` needs (3 · (length + 8) · 32 + 4 · (length + 8) + 4 · 32) · 4 bytes.
 */
export function attend(joint: usize, output: usize, scratch: usize, length: i32, heads: i32): void {
  const hiddenBytes = <usize>heads * HEAD_BYTES
  const jointBytes = hiddenBytes * 3
  const paddedLength = <usize>((length + 7) & ~7)
  const keyBytes = paddedLength << 2
  const queries = scratch
  const keys = queries + paddedLength * HEAD_BYTES
  const values = keys + paddedLength * HEAD_BYTES
  const scores = values + paddedLength * HEAD_BYTES
  const mixed = scores + 4 * keyBytes
  // The padding up to eight tokens is read too: what earlier texts left there could be a NaN.
  memory.fill(scratch, 0, 3 * paddedLength * HEAD_BYTES)
  for (let head = 0; head < heads; head++) {
    const headOffset = <usize>head * HEAD_BYTES
    gatherHead(joint + headOffset, jointBytes, hiddenBytes, queries, keys, values, length, keyBytes)
    for (let first = 0; first < length; first += 4) {
      scoreKeys(queries + <usize>first * HEAD_BYTES, keys, scores, keyBytes)
      const count = min(4, length - first)
      for (let query = 0; query < count; query++) softmax(scores + <usize>query * keyBytes, length, keyBytes)
      mixValues(scores, keyBytes, values, mixed, length)
      for (let query = 0; query < count; query++) {
        const source = mixed + <usize>query * HEAD_BYTES
        const target = output + <usize>(first + query) * hiddenBytes + headOffset
        for (let at: usize = 0; at < HEAD_BYTES; at += 16) v128.store(target + at, v128.load(source + at))
      }
    }
  }
}
