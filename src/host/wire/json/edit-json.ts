import { TextProblem } from '../wirable-host.ts'
import {
  type JsonArray,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  parseJson,
  skipBlank,
  toValue,
} from './parse-json.ts'

/** Names of members and places of items, from the root. */
export type JsonPath = ReadonlyArray<string | number>

/** What stands at a path, or undefined. */
export function readAt(text: string, path: JsonPath): unknown {
  return toValue(nodeAt(text, path))
}

/**
 * The text with a value at a path, by the least change: what is there and equal stays, else it alone is replaced; what is missing is added
 * at the end of its container in the text's own indentation and line ends. Throws `TextProblem` where something on the way is no object.
 */
export function setAt(text: string, path: JsonPath, value: unknown): string {
  const root = parseJson(text)
  if (root === undefined) return startText(text, nest(path, value))
  let node: JsonNode = root
  for (const [depth, step] of path.entries()) {
    const next: JsonNode | undefined = childAt(node, step)
    if (next === undefined) {
      if (node.kind !== 'object' || typeof step !== 'string') throw noRoom(text, node, path.slice(0, depth))
      return insertChild(text, node, step, nest(path.slice(depth + 1), value))
    }
    node = next
  }
  if (isSame(toValue(node), value)) return text
  return splice(
    text,
    node.start,
    node.end,
    render(value, { text, indent: lineIndent(text, node.start), isInline: false }),
  )
}

/** The text with an item more in the array at a path, which is made where it is missing. */
export function appendAt(text: string, path: JsonPath, item: unknown): string {
  const node = nodeAt(text, path)
  if (node === undefined) return setAt(text, path, [item])
  if (node.kind !== 'array') throw noRoom(text, node, path, 'a list')
  return insertChild(text, node, undefined, item)
}

/** The text without what stands at a path; what is not there is not missed. */
export function removeAt(text: string, path: JsonPath): string {
  const container = nodeAt(text, path.slice(0, -1))
  const step = path.at(-1)
  if (container === undefined || container.kind === 'scalar' || step === undefined) return text
  const children: ReadonlyArray<JsonNode | JsonMember> = childrenOf(container)
  const index =
    container.kind === 'object' ? container.members.findLastIndex(({ name }) => name === step) : Number(step)
  const child = children[index]
  if (child === undefined) return text
  const before = contentEnd(text, container.start + 1, child.start)
  const comma = commaAfter(text, child.end)
  const previous = children[index - 1]
  let changed = splice(text, before, comma === undefined ? child.end : comma + 1, '')
  if (comma === undefined && previous !== undefined) {
    const itsComma = commaAfter(changed, previous.end)
    if (itsComma !== undefined) changed = splice(changed, itsComma, itsComma + 1, '')
  }
  return children.length === 1 ? closeUp(changed, container.start) : changed
}

/**
 * The text without containers along a path that are empty, from the innermost outwards. Those that `before` has stay: they are not ours.
 */
export function pruneAt(text: string, path: JsonPath, before: string | undefined): string {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length)
    const value = readAt(text, part)
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (!isEmpty || (before !== undefined && nodeAt(before, part) !== undefined)) return text
    text = removeAt(text, part)
  }
  return text
}

/** Whether two values of JSON are the same; the order of members does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return (
    left.size === right.size && [...left].every(([name, value]) => right.has(name) && isSame(value, right.get(name)))
  )
}

function nodeAt(text: string, path: JsonPath): JsonNode | undefined {
  let node = parseJson(text)
  for (const step of path) node = node && childAt(node, step)
  return node
}

function childAt(node: JsonNode, step: string | number): JsonNode | undefined {
  if (node.kind === 'object') return node.members.findLast(({ name }) => name === step)?.value
  return node.kind === 'array' && typeof step === 'number' ? node.items[step] : undefined
}

function childrenOf(node: JsonObject | JsonArray): ReadonlyArray<JsonNode | JsonMember> {
  return node.kind === 'object' ? node.members : node.items
}

function insertChild(
  text: string,
  container: JsonObject | JsonArray,
  name: string | undefined,
  value: unknown,
): string {
  const children = childrenOf(container)
  const [first, last] = [children[0], children.at(-1)]
  const close = container.end - 1
  const end = contentEnd(text, container.start + 1, close)
  const eol = eolOf(text)
  // A text on one line stays on one line, unless a comment would swallow what is added.
  const isInline =
    isOneLine(text, container, first) &&
    skipBlank(text, end) === skipSpace(text, end) &&
    !endsInLineComment(text, last?.end ?? container.start + 1, end)
  const outer = lineIndent(text, container.start)
  const indent = (first === undefined || isInline ? undefined : ownIndent(text, first.start)) ?? outer + unitOf(text)
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `
  const body = label + render(value, { text, indent, isInline })
  const comma = last && commaAfter(text, last.end)
  if (isInline) {
    const gap = last === undefined ? '' : comma === undefined ? ', ' : ' '
    return splice(text, end, end, `${gap}${body}`)
  }
  const added = `${eol}${indent}${body}${comma === undefined ? '' : ','}`
  if (last === undefined) return splice(text, end, close, `${added}${eol}${outer}`)
  const tail = text.slice(end, close).includes('\n') ? '' : `${eol}${outer}`
  const withChild = splice(text, end, end, added + tail)
  return comma === undefined ? splice(withChild, last.end, last.end, ',') : withChild
}

/** Whether a container is written on one line: an empty one is, where the whole text is. */
function isOneLine(text: string, { start, end }: JsonNode, first: JsonNode | JsonMember | undefined): boolean {
  if (first === undefined)
    return !text.slice(start, end).includes('\n') && !text.trim().includes('\n') && text.trim() !== '{}'
  return !text.slice(start, first.start).includes('\n')
}

/** After the last thing before `end` that is no white space; comments are things. */
function contentEnd(text: string, from: number, end: number): number {
  let at = end
  while (at > from && /\s/.test(text.charAt(at - 1))) at--
  return at
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && /[\s\uFEFF]/.test(text.charAt(at))) at++
  return at
}

function endsInLineComment(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; ) {
    if (text.startsWith('//', at)) {
      const lineEnd = text.indexOf('\n', at)
      if (lineEnd === -1 || lineEnd >= end) return true
      at = lineEnd + 1
    } else if (text.startsWith('/*', at)) at = text.indexOf('*/', at + 2) + 2
    else at++
  }
  return false
}

function commaAfter(text: string, end: number): number | undefined {
  const at = skipBlank(text, end)
  return text.charAt(at) === ',' ? at : undefined
}

/** A container that holds nothing but white space becomes one without. */
function closeUp(text: string, start: number): string {
  const end = skipSpace(text, start + 1)
  return /[\]}]/.test(text.charAt(end)) ? splice(text, start + 1, end, '') : text
}

function render(
  value: unknown,
  { text, indent, isInline }: { text: string; indent: string; isInline: boolean },
): string {
  if (isInline) return JSON.stringify(value)
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`)
}

/** A whole text for a value, after whatever blank or comment was there. */
function startText(text: string, value: unknown): string {
  const eol = eolOf(text)
  const head =
    text.trim() === '' ? (text.startsWith('\uFEFF') ? '\uFEFF' : '') : text.endsWith('\n') ? text : `${text}${eol}`
  return `${head}${JSON.stringify(value, null, 2).replaceAll('\n', eol)}${eol}`
}

function nest(path: JsonPath, value: unknown): unknown {
  return path.reduceRight((inner, step) => ({ [step]: inner }), value)
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** One step of indentation: that of the first indented line which opens with a name, else two spaces. */
function unitOf(text: string): string {
  return /\n([ \t]+)["'\p{ID_Start}$_]/u.exec(text)?.[1] ?? '  '
}

function lineIndent(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? ''
}

/** The indentation of what begins its line. */
function ownIndent(text: string, at: number): string | undefined {
  const indent = lineIndent(text, at)
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at) === indent ? indent : undefined
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}

function noRoom(
  text: string,
  { start }: JsonNode,
  path: JsonPath,
  wanted = 'a group of names and values',
): TextProblem {
  const name = path.length === 0 ? 'the whole of it' : path.join('.')
  return new TextProblem(`${name} is not ${wanted}`, { text, at: start })
}
