import { TextProblem } from '../wirable-host.ts'

/** One statement of a TOML text: the head of a table, or a name with its value. Offsets as in the text. */
export interface TomlStatement {
  kind: 'table' | 'list-of-tables' | 'pair'
  /** The whole name, that of the table included. */
  path: string[]
  /** From its line's beginning to the end of its last line, the line end included. */
  start: number
  end: number
  /** Where the value stands; for the head of a table the head itself. */
  valueStart: number
  valueEnd: number
  /** Texts and lists of texts as they are meant; other values, which nobody here asks for, as `undefined`. */
  value: unknown
}

interface Read {
  end: number
  value: unknown
}

const BARE = /[A-Za-z0-9_-]+/y
/** Numbers, truth values, dates and times: their form is checked as far as it tells them from a slip. */
const PLAIN =
  /(?:true|false|[+-]?(?:inf|nan)|\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?|0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)(?=[\s,\]}#]|$)/y
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}
const MAX_DEPTH = 100

/** The statements of a TOML text in their order. Throws `TextProblem` where it is none. */
export function parseToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    const start = skipLines(text, at)
    if (start >= text.length) return statements
    const statement = text.charAt(start) === '[' ? readHead(text, start) : readPair(text, start, table)
    if (statement.kind !== 'pair') table = statement.path
    refuseTwice(text, statements, statement)
    statements.push(statement)
    at = statement.end
  }
}

/** A text as TOML writes it, on one line. */
export function quoteToml(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}

function readHead(text: string, start: number): TomlStatement {
  const isList = text.startsWith('[[', start)
  const close = isList ? ']]' : ']'
  const { path, end } = readKey(text, start + close.length)
  if (!text.startsWith(close, end)) fail(text, end, `"${close}" is missing`)
  const valueEnd = end + close.length
  const kind = isList ? 'list-of-tables' : 'table'
  return {
    kind,
    path,
    start: lineStart(text, start),
    end: endLine(text, valueEnd),
    valueStart: start,
    valueEnd,
    value: undefined,
  }
}

function readPair(text: string, start: number, table: readonly string[]): TomlStatement {
  const key = readKey(text, start)
  if (text.charAt(key.end) !== '=') fail(text, key.end, '"=" is missing')
  const valueStart = skipSpaces(text, key.end + 1)
  const { end, value } = readValue(text, valueStart, 0)
  const path = [...table, ...key.path]
  return {
    kind: 'pair',
    path,
    start: lineStart(text, start),
    end: endLine(text, end),
    valueStart,
    valueEnd: end,
    value,
  }
}

/** A table or a name twice is what a slip of the hand makes; hosts refuse the file for it. */
function refuseTwice(text: string, earlier: readonly TomlStatement[], { kind, path, valueStart }: TomlStatement): void {
  if (kind === 'list-of-tables') return
  const isInList = earlier.some(
    (one) => one.kind === 'list-of-tables' && one.path.every((part, at) => part === path[at]),
  )
  if (isInList) return
  const twin = earlier.some(
    (one) => one.kind === kind && one.path.length === path.length && one.path.every((part, at) => part === path[at]),
  )
  if (twin) fail(text, valueStart, `${path.join('.')} is there twice`)
}

function readKey(text: string, at: number): { path: string[]; end: number } {
  const path: string[] = []
  for (;;) {
    at = skipSpaces(text, at)
    const first = text.charAt(at)
    if (first === '"' || first === "'") {
      const { end, value } = readString(text, at)
      path.push(String(value))
      at = end
    } else {
      BARE.lastIndex = at
      const name = BARE.exec(text)?.[0]
      if (name === undefined) fail(text, at, 'a name is missing')
      path.push(name)
      at += name.length
    }
    at = skipSpaces(text, at)
    if (text.charAt(at) !== '.') return { path, end: at }
    at++
  }
}

function readValue(text: string, at: number, depth: number): Read {
  if (depth > MAX_DEPTH) fail(text, at, 'it is nested too deeply')
  const first = text.charAt(at)
  if (first === '"' || first === "'") return readString(text, at)
  if (first === '[') return readList(text, at, depth)
  if (first === '{') return readInlineTable(text, at, depth)
  PLAIN.lastIndex = at
  const plain = PLAIN.exec(text)?.[0]
  if (plain === undefined) fail(text, at, 'a value is missing or has no known form')
  return { end: at + plain.length, value: undefined }
}

function readList(text: string, start: number, depth: number): Read {
  const value: unknown[] = []
  let at = skipLines(text, start + 1)
  while (text.charAt(at) !== ']') {
    const item = readValue(text, at, depth + 1)
    value.push(item.value)
    at = afterItem(text, item.end, ']')
  }
  return { end: at + 1, value }
}

function readInlineTable(text: string, start: number, depth: number): Read {
  const value: Record<string, unknown> = {}
  let at = skipLines(text, start + 1)
  while (text.charAt(at) !== '}') {
    const key = readKey(text, at)
    if (text.charAt(key.end) !== '=') fail(text, key.end, '"=" is missing')
    const item = readValue(text, skipSpaces(text, key.end + 1), depth + 1)
    value[key.path.join('.')] = item.value
    at = afterItem(text, item.end, '}')
  }
  return { end: at + 1, value }
}

function afterItem(text: string, end: number, close: string): number {
  const at = skipLines(text, end)
  if (text.charAt(at) === ',') return skipLines(text, at + 1)
  if (text.charAt(at) !== close) fail(text, at, `a comma or "${close}" is missing`)
  return at
}

function readString(text: string, start: number): Read {
  const quote = text.charAt(start)
  const isLong = text.startsWith(quote.repeat(3), start)
  let at = start + (isLong ? 3 : 1)
  let value = ''
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (isLong && text.startsWith(quote.repeat(3), at)) {
      // Up to two quotation marks may stand before the three that end it.
      while (text.charAt(at + 3) === quote) at++
      return { end: at + 3, value }
    }
    if (!isLong && character === quote) return { end: at + 1, value }
    if (!isLong && character === '\n') break
    if (quote === '"' && character === '\\') {
      const escaped = readEscape(text, at, isLong)
      value += escaped.value
      at = escaped.end - 1
    } else value += character
  }
  return fail(text, start, 'a text in quotes does not end')
}

function readEscape(text: string, at: number, isLong: boolean): { value: string; end: number } {
  const digits = /^\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))/.exec(text.slice(at, at + 10))
  const code = digits?.[1] ?? digits?.[2] ?? digits?.[3]
  if (digits && code !== undefined && Number.parseInt(code, 16) <= 0x10ffff) {
    return { value: String.fromCodePoint(Number.parseInt(code, 16)), end: at + digits[0].length }
  }
  const folded = isLong ? /^\\[ \t]*\r?\n\s*/.exec(text.slice(at)) : null
  if (folded) return { value: '', end: at + folded[0].length }
  const value = ESCAPES[text.charAt(at + 1)]
  if (value === undefined) fail(text, at, 'a backslash is followed by no escape')
  return { value, end: at + 2 }
}

/** Over white space, line ends and comments. */
function skipLines(text: string, at: number): number {
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at++
    if (text.charAt(at) !== '#') return at
    while (at < text.length && text.charAt(at) !== '\n') at++
  }
}

function skipSpaces(text: string, at: number): number {
  while (text.charAt(at) === ' ' || text.charAt(at) === '\t') at++
  return at
}

function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return start === 0 && text.startsWith('\uFEFF') ? 1 : start
}

/** The end of a line on which nothing but a comment may follow. */
function endLine(text: string, at: number): number {
  const rest = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(text.slice(at))
  if (rest === null) fail(text, at, 'something stands after the end of the line’s value')
  return at + rest[0].length
}

function fail(text: string, at: number, message: string): never {
  throw new TextProblem(message, { text, at })
}
