import { drawChart, drawLabel, drawLine, round } from './svg.ts'

/** Values over sizes, both by powers of ten. */
export interface GrowthChart {
  title: string
  unit: string
  curves: ReadonlyArray<{ name: string; points: ReadonlyArray<{ size: number; value: number }> }>
}

const SIZE = { width: 640, height: 400, left: 60, right: 20, top: 40, row: 16 }
const COLOURS = ['#1f6f8b', '#c4622d', '#5a7d2b', '#7a4b8b', '#8b6f1f', '#333333']

/** A line chart as SVG with logarithmic axes: a straight line of slope one is growth in proportion. */
export function drawGrowth({ title, unit, curves }: GrowthChart): string {
  const points = curves.flatMap((curve) => curve.points).filter(({ value }) => value > 0)
  const powers = (values: readonly number[]): [number, number] => {
    const logs = values.map(Math.log10)
    const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))]
    return [low, Math.max(high, low + 1)]
  }
  const [x0, x1] = powers(points.map(({ size }) => size))
  const [y0, y1] = powers(points.map(({ value }) => value))
  const floor = SIZE.height - 50 - SIZE.row * curves.length
  const x = (size: number): number =>
    SIZE.left + ((Math.log10(size) - x0) / (x1 - x0)) * (SIZE.width - SIZE.left - SIZE.right)
  const y = (value: number): number => floor - ((Math.log10(value) - y0) / (y1 - y0)) * (floor - SIZE.top)
  const steps = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
  const parts = [
    drawLabel([SIZE.left, 22], title, 'font-size="14" font-weight="bold"'),
    ...steps(y0, y1).flatMap((value) => [
      drawLine([SIZE.left, y(value)], [SIZE.width - SIZE.right, y(value)], 'stroke="#ddd"'),
      drawLabel([SIZE.left - 8, y(value) + 4], `${value} ${unit}`, 'text-anchor="end"'),
    ]),
    ...steps(x0, x1).map((size) => drawLabel([x(size), floor + 18], size.toLocaleString('en'), 'text-anchor="middle"')),
    ...curves.flatMap(({ name, points: own }, index) => {
      const style = `fill="none" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="2"`
      const shown = own.filter(({ value }) => value > 0)
      const row = floor + 40 + index * SIZE.row
      return [
        `<polyline points="${shown.map(({ size, value }) => `${round(x(size))},${round(y(value))}`).join(' ')}" ${style}/>`,
        ...shown.map(({ size, value }) => `<circle cx="${round(x(size))}" cy="${round(y(value))}" r="3" ${style}/>`),
        drawLine([SIZE.left, row - 4], [SIZE.left + 30, row - 4], style),
        drawLabel([SIZE.left + 38, row], name),
      ]
    }),
  ]
  return drawChart(SIZE, parts)
}
