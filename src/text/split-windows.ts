import { graphemeBoundary } from '../model/cut-graphemes.ts'

/** How far back from the limit a window may end at a space, as a share of the window. */
const SEARCH_SHARE = 0.25

/**
 * Cuts a text into consecutive windows of at most `maxChars` UTF-16 units (at least 2) that cover it without gap or
 * overlap. Windows are of about equal length, end at white space where there is some near, and never cut a character that fits into one.
 */
export function splitWindows(text: string, maxChars: number): string[] {
  const limit = Math.max(2, Math.floor(maxChars))
  const windows: string[] = []
  let start = 0
  while (text.length - start > limit) {
    const rest = text.length - start
    const even = Math.ceil(rest / Math.ceil(rest / limit))
    const end = windowEnd(text, start, start + even, start + limit)
    windows.push(text.slice(start, end))
    start = end
  }
  windows.push(text.slice(start))
  return windows
}

/** The white space nearest to `target` on either side, else `target` itself, moved off a character. */
function windowEnd(text: string, start: number, target: number, latest: number): number {
  const reach = Math.floor((target - start) * SEARCH_SHARE)
  for (let distance = 0; distance <= reach; distance++) {
    if (isSpace(text, target - distance - 1)) return target - distance
    if (target + distance <= latest && isSpace(text, target + distance - 1)) return target + distance
  }
  const cut = graphemeBoundary(text, target)
  if (cut > start) return cut
  return isLowSurrogate(text.charCodeAt(target)) ? target + 1 : target
}

function isSpace(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index))
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
