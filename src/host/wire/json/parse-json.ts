import { TextProblem } from '../wirable-host.ts'

/** A value in a text, and where it stands. Offsets count UTF-16 units; `end` is after the last one. */
export type JsonNode = JsonObject | JsonArray | JsonScalar

export interface JsonObject {
  kind: 'object'
  start: number
  end: number
  members: JsonMember[]
}

export interface JsonArray {
  kind: 'array'
  start: number
  end: number
  items: JsonNode[]
}

export interface JsonScalar {
  kind: 'scalar'
  start: number
  end: number
  value: string | number | boolean | null
}

export interface JsonMember {
  name: string
  /** From the name to the end of the value. */
  start: number
  end: number
  value: JsonNode
}

const WHITE = /[\s\uFEFF]/
const NAME = /[\p{ID_Start}$_](?:[\p{ID_Continue}$]|\u200c|\u200d)*/uy
const NUMBER = /[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y
const WORDS: ReadonlyArray<[string, boolean | null]> = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' }
/** Deeper than any configuration, far from the end of the stack. */
const MAX_DEPTH = 200

/**
 * Reads a JSON text with the liberties of JSONC and JSON5 (comments, trailing commas, other quotes, bare names), since each host takes
 * some of them and none of them is ours to forbid. A blank text is undefined. Throws `TextProblem` where it is no such text.
 */
export function parseJson(text: string): JsonNode | undefined {
  const start = skipBlank(text, 0)
  if (start === text.length) return undefined
  const node = readValue(text, start, 0)
  const rest = skipBlank(text, node.end)
  if (rest < text.length) fail(text, rest, `there is something after its end: ${show(text, rest)}`)
  return node
}

/** The value that a node stands for. Of members with one name the last one counts. */
export function toValue(node: JsonNode | undefined): unknown {
  if (node === undefined) return undefined
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(toValue)
  return Object.fromEntries(node.members.map(({ name, value }) => [name, toValue(value)]))
}

/** The first place from `at` on that is neither white space nor in a comment. */
export function skipBlank(text: string, at: number): number {
  for (;;) {
    while (at < text.length && WHITE.test(text.charAt(at))) at++
    const isLine = text.startsWith('//', at)
    if (!isLine && !text.startsWith('/*', at)) return at
    const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
    if (end === -1 && !isLine) fail(text, at, 'a comment does not end')
    at = end === -1 ? text.length : end + (isLine ? 1 : 2)
  }
}

function readValue(text: string, at: number, depth: number): JsonNode {
  if (depth > MAX_DEPTH) fail(text, at, 'it is nested too deeply')
  const first = text.charAt(at)
  if (first === '{') return readObject(text, at, depth)
  if (first === '[') return readArray(text, at, depth)
  if (first === '"' || first === "'") return readString(text, at)
  const word = WORDS.find(([name]) => text.startsWith(name, at))
  if (word) return { kind: 'scalar', start: at, end: at + word[0].length, value: word[1] }
  NUMBER.lastIndex = at
  const number = NUMBER.exec(text)?.[0]
  if (number === undefined) fail(text, at, `${show(text, at)} is no value`)
  return { kind: 'scalar', start: at, end: at + number.length, value: Number(number) }
}

function readObject(text: string, start: number, depth: number): JsonObject {
  const members: JsonMember[] = []
  let at = skipBlank(text, start + 1)
  while (text.charAt(at) !== '}') {
    const name = readName(text, at)
    const colon = skipBlank(text, name.end)
    if (text.charAt(colon) !== ':') fail(text, colon, `a colon is missing before ${show(text, colon)}`)
    const value = readValue(text, skipBlank(text, colon + 1), depth + 1)
    members.push({ name: name.value, start: at, end: value.end, value })
    at = afterChild(text, value.end, '}')
  }
  return { kind: 'object', start, end: at + 1, members }
}

function readArray(text: string, start: number, depth: number): JsonArray {
  const items: JsonNode[] = []
  let at = skipBlank(text, start + 1)
  while (text.charAt(at) !== ']') {
    const item = readValue(text, at, depth + 1)
    items.push(item)
    at = afterChild(text, item.end, ']')
  }
  return { kind: 'array', start, end: at + 1, items }
}

/** Where the next child or the closing bracket stands. */
function afterChild(text: string, end: number, close: string): number {
  const at = skipBlank(text, end)
  if (text.charAt(at) === ',') return skipBlank(text, at + 1)
  if (text.charAt(at) !== close) fail(text, at, `a comma or "${close}" is missing before ${show(text, at)}`)
  return at
}

function readName(text: string, at: number): { value: string; end: number } {
  if (/["']/.test(text.charAt(at))) {
    const { value, end } = readString(text, at)
    return { value: String(value), end }
  }
  NAME.lastIndex = at
  const name = NAME.exec(text)?.[0]
  if (name === undefined) fail(text, at, `${show(text, at)} is no name`)
  return { value: name, end: at + name.length }
}

function readString(text: string, start: number): JsonScalar {
  const quote = text.charAt(start)
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === quote) return { kind: 'scalar', start, end: at + 1, value }
    if (character === '\n') break
    if (character !== '\\') {
      value += character
      continue
    }
    const escaped = readEscape(text, at)
    value += escaped.value
    at = escaped.end - 1
  }
  return fail(text, start, 'a text in quotes does not end')
}

function readEscape(text: string, at: number): { value: string; end: number } {
  const hex = /^\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(text.slice(at, at + 6))
  const digits = hex?.[1] ?? hex?.[2]
  if (hex && digits !== undefined) {
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + hex[0].length }
  }
  const next = text.charAt(at + 1)
  if (next === 'u' || next === 'x') fail(text, at, `${show(text, at)} is no escape`)
  // A line that goes on in the next one.
  if (next === '\r' && text.charAt(at + 2) === '\n') return { value: '', end: at + 3 }
  if (next === '\n' || next === '\r') return { value: '', end: at + 2 }
  return { value: ESCAPES[next] ?? next, end: at + 2 }
}

/** A few characters to find the place by; of a longer text, which may be a secret, not more. */
function show(text: string, at: number): string {
  return at >= text.length ? 'its end' : JSON.stringify(text.charAt(at))
}

function fail(text: string, at: number, message: string): never {
  throw new TextProblem(message, { text, at })
}
