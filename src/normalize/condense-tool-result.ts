import { cutGraphemes, graphemeBoundary } from '../model/cut-graphemes.ts'

/** Lines of a tool's output that are worth more than their place in it: failures, verdicts, totals. */
const TELLING =
  /\b(?:error|fail(?:ed|ure|s)?|exception|traceback|panic|fatal|warning|denied|refused|not found|cannot|could not|unable|timed? ?out|segfault|assert|passed|succe(?:ss|eded)|completed|finished|done|total|summary|result|conclusion|because|fixed|resolved|exit(?:ed)? (?:code|with)|lesson|note:|todo)\b/i

/** How the room is shared: the beginning says what was asked, the end says how it went. */
const HEAD_SHARE = 0.4
const TAIL_SHARE = 0.35
const MAX_TELLING_LINE = 300

/**
 * Fits a tool's output into `cap` characters (UTF-16 units): its head and tail, and from the middle the lines that carry
 * an error or a conclusion. Says how many characters were left out. Shorter texts come back as they are.
 */
export function condenseToolResult(text: string, cap: number): string {
  if (text.length <= cap) return text
  const room = Math.floor(cap * (1 - HEAD_SHARE - TAIL_SHARE)) - 2 * MARK_ROOM
  const spare = room - tellingLines(middleOf(text, cap, 0), room).length
  const { headEnd, tailStart } = endsOf(text, cap, spare)
  const telling = tellingLines(text.slice(headEnd, tailStart), room - spare)
  const kept = headEnd + telling.length + (text.length - tailStart)
  const mark = `[… ${text.length - kept} characters left out …]`
  const middle = telling === '' ? mark : `${mark}\n${telling}\n[…]`
  return `${text.slice(0, headEnd).trimEnd()}\n${middle}\n${text.slice(tailStart).trimStart()}`
}

const MARK_ROOM = 40

/** Where the head ends and the tail begins; what the middle leaves of its room is theirs, half and half. */
function endsOf(text: string, cap: number, spare: number): { headEnd: number; tailStart: number } {
  const half = Math.max(0, Math.floor(spare / 2))
  return {
    headEnd: cutBefore(text, Math.floor(cap * HEAD_SHARE) + half),
    tailStart: cutAfter(text, text.length - Math.floor(cap * TAIL_SHARE) - half),
  }
}

function middleOf(text: string, cap: number, spare: number): string {
  const { headEnd, tailStart } = endsOf(text, cap, spare)
  return text.slice(headEnd, tailStart)
}

function tellingLines(middle: string, room: number): string {
  const lines: string[] = []
  const seen = new Set<string>()
  let used = 0
  for (const raw of middle.split('\n')) {
    if (!TELLING.test(raw.slice(0, 2000))) continue
    const line = cutGraphemes(raw.trim(), MAX_TELLING_LINE)
    if (seen.has(line)) continue
    if (used + line.length > room) break
    seen.add(line)
    lines.push(line)
    used += line.length + 1
  }
  return lines.join('\n')
}

/** The nearest line end before `position`, unless that would waste more than a fifth; never inside a character. */
function cutBefore(text: string, position: number): number {
  const lineEnd = text.lastIndexOf('\n', position)
  if (lineEnd > position * 0.8) return lineEnd
  return graphemeBoundary(text, position)
}

function cutAfter(text: string, position: number): number {
  const lineEnd = text.indexOf('\n', position)
  if (lineEnd >= 0 && lineEnd - position < (text.length - position) * 0.2) return lineEnd + 1
  let cut = position
  while (cut < text.length && graphemeBoundary(text, cut) !== cut) cut += 1
  return cut
}
