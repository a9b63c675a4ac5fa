/** Most lines on one side that are compared line by line; beyond that a change is shown as one block. */
const MAX_COMPARED_LINES = 2000

/** Of a longer line only the part that changes is shown: some hosts write their whole state on one. */
const MAX_LINE = 160
const SHOWN_AROUND = 12

/**
 * What changes from one text to another, a line each: `-` for one that goes, `+` for one that comes, and `@@ 12 @@` with the line number
 * in the earlier text before each place. Lines around it are left out, as are those that get a comma: in such files they may be keys.
 */
export function showChange(before: string, after: string): string[] {
  const [old, now] = [splitLines(before), splitLines(after)]
  let head = 0
  while (head < old.length && head < now.length && isSameLine(old[head], now[head])) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && isSameLine(old.at(-1 - tail), now.at(-1 - tail))) tail++
  const [from, to] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  return compare(...shortenPair(from, to), head + 1)
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function isSameLine(a: string | undefined, b: string | undefined): boolean {
  return a?.replace(/,\s*$/, '') === b?.replace(/,\s*$/, '')
}

/** One long line that becomes another: what they have in common is left out, but for what leads to the place. */
function shortenPair(old: readonly string[], now: readonly string[]): [readonly string[], readonly string[]] {
  const [before = '', after = ''] = [old[0], now[0]]
  if (old.length !== 1 || now.length !== 1 || Math.max(before.length, after.length) <= MAX_LINE) return [old, now]
  let head = 0
  while (head < before.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const cut = (line: string): string =>
    `…${line.slice(Math.max(0, head - SHOWN_AROUND), line.length - Math.max(0, tail - SHOWN_AROUND))}…`
  return [[cut(before)], [cut(after)]]
}

/** By the longest common subsequence of lines. */
function compare(old: readonly string[], now: readonly string[], firstLine: number): string[] {
  if (Math.max(old.length, now.length) > MAX_COMPARED_LINES) {
    return [`@@ ${firstLine} @@`, ...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)]
  }
  const lengths = commonLengths(old, now)
  const shown: string[] = []
  let wasSame = true
  const add = (line: string, at: number): void => {
    if (wasSame) shown.push(`@@ ${firstLine + at} @@`)
    wasSame = false
    shown.push(line)
  }
  for (let at = 0, to = 0; at < old.length || to < now.length; ) {
    if (at < old.length && to < now.length && isSameLine(old[at], now[to])) {
      wasSame = true
      at++
      to++
    } else if (
      to >= now.length ||
      (at < old.length && lengthAt(lengths, at + 1, to) >= lengthAt(lengths, at, to + 1))
    ) {
      add(`- ${old[at++]}`, at - 1)
    } else add(`+ ${now[to++]}`, at)
  }
  return shown
}

function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  for (let at = old.length - 1; at >= 0; at--) {
    const row = lengths[at] ?? []
    for (let to = now.length - 1; to >= 0; to--) {
      row[to] = isSameLine(old[at], now[to])
        ? 1 + lengthAt(lengths, at + 1, to + 1)
        : Math.max(lengthAt(lengths, at + 1, to), lengthAt(lengths, at, to + 1))
    }
  }
  return lengths
}

function lengthAt(lengths: readonly number[][], at: number, to: number): number {
  return lengths[at]?.[to] ?? 0
}
