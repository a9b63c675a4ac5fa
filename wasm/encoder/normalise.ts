import { multiplyAdd, sumOfLanes } from './lanes'

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
