import { cutGraphemes } from '../model/cut-graphemes.ts'
import { MAX_DENSE_LINE_CHARS, MIN_BLOB_CHARS } from '../options.ts'

const BASE64_RUN = new RegExp(`[A-Za-z0-9+/]{${MIN_BLOB_CHARS},}={0,2}`, 'g')
const URL_SAFE_RUN = new RegExp(`[A-Za-z0-9_-]{${MIN_BLOB_CHARS},}={0,2}`, 'g')
const MIN_WRAPPED_CHARS = 60
const WRAPPED_LINE = new RegExp(`^[ \\t]{0,8}[A-Za-z0-9+/]{${MIN_WRAPPED_CHARS},}={0,2}$`)
const MIN_WRAPPED_LINES = 4
const MIN_SPACE_SHARE = 0.05
const MIN_ASCII_SHARE = 0.9
const DENSE_HEAD_CHARS = 200

/**
 * Puts a short marker with the length where text is data that nobody reads: base64 (also wrapped over lines) and
 * minified code. The number of lines stays.
 */
export function shortenBlobs(text: string): string {
  if (text.length < MIN_BLOB_CHARS) return text
  // Looking for a run that is long enough takes a fraction of the time that the expressions take to find none.
  if (!hasDataRun(text, MIN_WRAPPED_CHARS)) return shortenDenseLines(text)
  const short = text
    .replace(BASE64_RUN, (run) => `[base64: ${run.length} characters left out]`)
    .replace(URL_SAFE_RUN, (run) => (/[A-Za-z0-9]{8}/.test(run) ? `[data: ${run.length} characters left out]` : run))
  return shortenDenseLines(shortenWrapped(short))
}

/** Whether so many characters in a row are such as base64 in either form has. */
function hasDataRun(text: string, length: number): boolean {
  let start = 0
  while (start + length <= text.length) {
    // From the end: the first character that is none moves the start beyond it.
    let at = start + length - 1
    while (at >= start && isDataCode(text.charCodeAt(at))) at--
    if (at < start) return true
    start = at + 1
  }
  return false
}

/** Letters, digits, and `+/-_`. */
function isDataCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 95
  )
}

function shortenWrapped(text: string): string {
  const lines = text.split('\n')
  if (lines.length < MIN_WRAPPED_LINES) return text
  let start = -1
  for (let i = 0; i <= lines.length; i++) {
    if (WRAPPED_LINE.test(lines[i] ?? '')) {
      if (start < 0) start = i
    } else if (start >= 0) {
      if (i - start >= MIN_WRAPPED_LINES) blankRun(lines, start, i)
      start = -1
    }
  }
  return lines.join('\n')
}

function blankRun(lines: string[], start: number, end: number): void {
  const length = lines.slice(start, end).reduce((sum, line) => sum + line.length, 0)
  lines.fill('', start, end)
  lines[start] = `[base64: ${length} characters left out]`
}

function shortenDenseLines(text: string): string {
  if (text.length < MAX_DENSE_LINE_CHARS) return text
  return text
    .split('\n')
    .map((line) =>
      isDense(line) ? `${cutGraphemes(line, DENSE_HEAD_CHARS)} […minified: ${line.length} characters]` : line,
    )
    .join('\n')
}

/** Minified code or serialised data: very long, nearly no spaces, written in ASCII (other scripts may have no spaces). */
function isDense(line: string): boolean {
  if (line.length < MAX_DENSE_LINE_CHARS) return false
  let spaces = 0
  let ascii = 0
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code === 32 || code === 9) spaces++
    if (code < 128) ascii++
  }
  return spaces < line.length * MIN_SPACE_SHARE && ascii > line.length * MIN_ASCII_SHARE
}
