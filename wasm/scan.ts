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
    const dot = sumOf(i32x4.add(low, high))
    const at = <usize>i << 2
    store<f32>(scores + at, <f32>dot * load<f32>(scales + at) * queryScale)
  }
}

/**
 * The same for three queries, one after the other at `queries`, their scales at `queryScales`: the scores of each `room` bytes after those of the one
 * before. Each row is taken apart once for all of them.
 */
export function scanThree(
  queries: usize,
  queryScales: usize,
  codes: usize,
  scales: usize,
  scores: usize,
  room: usize,
  rows: i32,
  stride: i32,
): void {
  const apart = <usize>stride << 1
  const scaleA = load<f32>(queryScales)
  const scaleB = load<f32>(queryScales, 4)
  const scaleC = load<f32>(queryScales, 8)
  let row = codes
  for (let i = 0; i < rows; i++) {
    const end = row + <usize>stride
    let qa = queries
    let qb = qa + apart
    let qc = qb + apart
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    while (row < end) {
      const code = v128.load(row)
      const low = i16x8.extend_low_i8x16_s(code)
      const high = i16x8.extend_high_i8x16_s(code)
      a = i32x4.add(a, i32x4.add(i32x4.dot_i16x8_s(low, v128.load(qa)), i32x4.dot_i16x8_s(high, v128.load(qa, 16))))
      b = i32x4.add(b, i32x4.add(i32x4.dot_i16x8_s(low, v128.load(qb)), i32x4.dot_i16x8_s(high, v128.load(qb, 16))))
      c = i32x4.add(c, i32x4.add(i32x4.dot_i16x8_s(low, v128.load(qc)), i32x4.dot_i16x8_s(high, v128.load(qc, 16))))
      row += 16
      qa += 32
      qb += 32
      qc += 32
    }
    const scale = load<f32>(scales + (<usize>i << 2))
    const at = scores + (<usize>i << 2)
    store<f32>(at, <f32>sumOf(a) * scale * scaleA)
    store<f32>(at + room, <f32>sumOf(b) * scale * scaleB)
    store<f32>(at + 2 * room, <f32>sumOf(c) * scale * scaleC)
  }
}

@inline
function sumOf(four: v128): i32 {
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  )
}
