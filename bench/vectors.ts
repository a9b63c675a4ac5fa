/** Best cosine of a query with the windows of one text; −1 when the text has none. All vectors are of unit length. */
export function bestCosine(query: Float32Array, windows: readonly Float32Array[]): number {
  let best = -1
  for (const window of windows) {
    let dot = 0
    for (let i = 0; i < query.length; i++) dot += (query[i] ?? 0) * (window[i] ?? 0)
    if (dot > best) best = dot
  }
  return best
}
