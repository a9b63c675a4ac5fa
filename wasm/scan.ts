// Dot products of one query with many stored vectors, compiled to WebAssembly with 128-bit SIMD.
// Memory is imported; the caller lays it out. All addresses are in bytes and multiples of 16; `stride` is the number of
// dimensions rounded up to a multiple of 16, what is beyond the dimensions being zero.

/**
 * scores[i] = (Σ query[k] · codes[i × stride + k]) × scales[i] × queryScale
 *
 * query: i16, |q| ≤ 2047, so that 8,192 products with i8 codes fit into 32 bits; codes: i8; scales and scores: f32.
 */
export function scan(
  query: usize,
  queryScale: f32,
  codes: usize,
  scales: usize,
  scores: usize,
  rows: i32,
  stride: i32,
): void {
  let row = codes
  for (let i = 0; i < rows; i++) {
    const end = row + <usize>stride
    let q = query
    let low = i32x4.splat(0)
    let high = i32x4.splat(0)
    while (row < end) {
      const code = v128.load(row)
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(code), v128.load(q)))
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(code), v128.load(q, 16)))
      row += 16
      q += 32
    }
    const sum = i32x4.add(low, high)
    const dot =
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
    const at = <usize>i << 2
    store<f32>(scores + at, <f32>dot * load<f32>(scales + at) * queryScale)
  }
}
