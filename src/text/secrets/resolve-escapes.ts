/** A text as it is meant, with the escapes of the notation around it resolved. */
export interface ResolvedText {
  text: string
  /** Where a character of it stands in the text as written; of its end, the end. UTF-16 units. */
  originOf(at: number): number
}

/**
 * Signs that stand for another one: a backslash before white space that is spelled out (`\n`), before a sign of Markdown or JSON, or at
 * the end of a line, `\u0026`, `%3D`, `&amp;`; and the underscores of emphasis around a long word, which look like a part of it.
 */
const ESCAPE =
  /\\{1,4}(?:u00[2-7][\da-f]|[nrt](?=[a-z\d])|[_/.~+=*$&#!-])|\\\n(?=\S)|%(?:[2-7][\da-f]|0[9ad])|&(?:amp|quot|apos|lt|gt|#39|#x27);|(?<![\w\\])_{1,3}(?=[a-z\d][\w.~+/=-]{14,500}_)|(?<=[\w.~+/=-]{14}[a-z\d=])_{1,3}(?!\w)/gi
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
  '&#x27;': "'",
}
const WHITE_SPACE: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t' }

/** Resolves the escapes of a text once; undefined where it has none. Linear time. */
export function resolveEscapes(written: string): ResolvedText | undefined {
  let text = ''
  let from = 0
  /** Starts of the runs that are as written, in the resolved and in the written text. */
  const resolvedStarts = [0]
  const writtenStarts = [0]
  for (const { 0: sign, index } of written.matchAll(ESCAPE)) {
    text += written.slice(from, index)
    resolvedStarts.push(text.length)
    writtenStarts.push(index)
    text += meaningOf(sign)
    from = index + sign.length
    resolvedStarts.push(text.length)
    writtenStarts.push(from)
  }
  if (from === 0) return undefined
  text += written.slice(from)
  return {
    text,
    originOf(at) {
      const run = lastAtOrBefore(resolvedStarts, at)
      return (writtenStarts[run] ?? 0) + at - (resolvedStarts[run] ?? 0)
    },
  }
}

function meaningOf(sign: string): string {
  if (sign.startsWith('_')) return ' '
  if (sign.startsWith('&')) return ENTITIES[sign.toLowerCase()] ?? sign
  if (sign.startsWith('%')) return String.fromCharCode(Number.parseInt(sign.slice(1), 16))
  const meant = sign.replace(/^\\+/, '')
  if (meant === '\n') return ''
  if (/^u00/i.test(meant)) return String.fromCharCode(Number.parseInt(meant.slice(1), 16))
  return WHITE_SPACE[meant.toLowerCase()] ?? meant
}

/** Index of the last number that is at most `value`, in ascending numbers of which the first is. */
function lastAtOrBefore(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((numbers[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
