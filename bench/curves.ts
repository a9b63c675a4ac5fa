import { drawChart, drawLabel, drawLine, round } from './svg.ts'

/** Shares over a common axis. */
export interface Chart {
  title: string
  at: readonly number[]
  /** The place on the axis that is in force. */
  marked: number
  curves: ReadonlyArray<{ name: string; isDashed: boolean; values: readonly number[] }>
}

const SIZE = { width: 640, height: 400, left: 50, right: 20, top: 40, bottom: 110 }
const COLOURS = ['#1f6f8b', '#1f6f8b', '#c4622d', '#c4622d', '#5a7d2b', '#5a7d2b']

/** A line chart as SVG: shares from 0 to 100 % over `at`, names below. */
export function drawCurves({ title, at, marked, curves }: Chart): string {
  const [first = 0, last = 1] = [at[0], at.at(-1)]
  const x = (value: number): number =>
    SIZE.left + ((value - first) / (last - first)) * (SIZE.width - SIZE.left - SIZE.right)
  const floor = SIZE.height - SIZE.bottom
  const y = (share: number): number => floor - share * (floor - SIZE.top)
  const parts = [
    drawLabel([SIZE.left, 22], title, 'font-size="14" font-weight="bold"'),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      drawLine([x(first), y(share)], [x(last), y(share)], 'stroke="#ddd"'),
      drawLabel([SIZE.left - 8, y(share) + 4], `${share * 100} %`, 'text-anchor="end"'),
    ]),
    ...at.map((value) => drawLabel([x(value), floor + 18], String(value), 'text-anchor="middle"')),
    drawLine([x(marked), y(0)], [x(marked), y(1)], 'stroke="#999" stroke-dasharray="2 4"'),
    ...curves.flatMap(({ name, isDashed, values }, index) => {
      const points = values.map((value, place) => `${round(x(at[place] ?? 0))},${round(y(value))}`)
      const style = `fill="none" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="2"${isDashed ? ' stroke-dasharray="6 4"' : ''}`
      const row = floor + 40 + index * 16
      return [
        `<polyline points="${points.join(' ')}" ${style}/>`,
        drawLine([SIZE.left, row - 4], [SIZE.left + 30, row - 4], style),
        drawLabel([SIZE.left + 38, row], name),
      ]
    }),
  ]
  return drawChart(SIZE, parts)
}
