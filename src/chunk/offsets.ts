/** How many of the rising offsets are below a value. */
export function countBelow(offsets: readonly number[], value: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Offset behind the line break that ends the line of `offset`. */
export function lineEnd(text: string, offset: number): number {
  const lineBreak = text.indexOf('\n', offset)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Gives a function that reads the 1-based line of an offset. */
export function indexLines(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => countBelow(starts, offset + 1)
}
