/** Lines and words of a chart. */
export function drawLine(from: [number, number], to: [number, number], style: string): string {
  return `<path d="M${from.map(round)} L${to.map(round)}" ${style}/>`
}

export function drawLabel([left, top]: [number, number], text: string, style = ''): string {
  return `<text x="${round(left)}" y="${round(top)}" ${style}>${text}</text>`
}

/** The parts on white, as a file. */
export function drawChart({ width, height }: { width: number; height: number }, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}
