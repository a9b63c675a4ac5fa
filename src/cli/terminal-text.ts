import { graphemesOf } from '../model/cut-graphemes.ts'

const ESCAPE_SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_])/g
/** Everything that moves a cursor or turns reading order; tab and line feed stay. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text that someone else wrote, made safe to print: no control character, no escape sequence, no reordering. */
export function cleanForTerminal(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(ESCAPE_SEQUENCES, '').replace(CONTROLS, '')
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanForTerminal(text).replace(/\s+/g, ' ').trim()
}

/** JSON in which nothing can act on a terminal: what JSON.stringify leaves raw is escaped; the value is the same. */
export function stringifySafely(value: unknown, indent = 2): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const PLAIN = /^[\x20-\x7e]*$/
const COLORS = /\u001b\[\d+(?:;\d+)*m/g

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  const shown = text.replace(COLORS, '')
  if (PLAIN.test(shown)) return shown.length
  return graphemesOf(shown).reduce((width, character) => width + widthOf(character), 0)
}

/** Of one character as a reader sees it. */
function widthOf(character: string): number {
  if (WIDE.test(character)) return 2
  return /^[\p{M}\u200d]*$/u.test(character) ? 0 : 1
}

/** Pads to a width in columns; a longer text stays as it is. */
export function padTo(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return side === 'right' ? text + padding : padding + text
}

/** Rows as aligned columns, two spaces apart. Columns listed in `right` end flush. */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
    })
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column] ?? 0, right.includes(column) ? 'left' : 'right'))
      .join('  ')
      .trimEnd(),
  )
}

/** Cuts a text to a width at a word, with an ellipsis where something is left out. */
export function shortenText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const kept = takeColumns(text, Math.max(0, width - 1))
  const lastSpace = kept.lastIndexOf(' ')
  return `${(lastSpace > kept.length * 0.6 ? kept.slice(0, lastSpace) : kept).trimEnd()}…`
}

/** Breaks one line into lines of at most `width` columns, at spaces where there are any. */
export function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const joined = current === '' ? word : `${current} ${word}`
    if (displayWidth(joined) <= width) {
      current = joined
      continue
    }
    if (current !== '') lines.push(current)
    current = word
    while (displayWidth(current) > width) {
      const head = takeColumns(current, width) || (graphemesOf(current)[0] ?? '')
      lines.push(head)
      current = current.slice(head.length)
    }
  }
  lines.push(current)
  return lines
}

/** As many whole characters from the beginning as there are columns for. */
function takeColumns(text: string, width: number): string {
  let [head, taken] = ['', 0]
  for (const character of graphemesOf(text)) {
    taken += widthOf(character)
    if (taken > width) break
    head += character
  }
  return head
}
