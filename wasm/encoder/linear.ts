import { maxOfLanes, multiplyAdd, nearestIntegers } from './lanes'

/** Largest magnitude of a quantised activation: 8191 · 127 · 1536 still fits a 32-bit sum. */
const ACTIVATION_LIMIT: f32 = 8191

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

/** Σ of products of eight 16-bit pairs, added to four 32-bit sums. */
// @ts-ignore: decorator
@inline
function dotAdd(sum: v128, a: v128, b: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b))
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
