import { exponential, maxOfLanes, multiplyAdd, sumOfLanes } from './lanes'

/** One row of an attention head: 32 numbers. */
const HEAD_BYTES: usize = 128
const INVERSE_SQRT_HEAD_WIDTH: f32 = 0.17677669529663687
/** The score of a key that does not exist: its exponential vanishes beside the largest, which is 1. */
const MASKED: f32 = -1e30

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
