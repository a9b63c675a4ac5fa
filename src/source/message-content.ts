import { cutGraphemes } from '../model/cut-graphemes.ts'
import { MAX_TOOL_CALL_CHARS } from '../options.ts'
import { isObject, type JsonObject, textField } from './transcript-format.ts'

/** Content blocks of a message: a plain string counts as one text block, what is no block is left out. */
export function contentBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** The text of the text blocks; images, thinking and calls are no text. */
export function blocksText(blocks: readonly JsonObject[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => textField(block.text) ?? '')
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Characters of all texts within a value; names of fields are none. */
export function textCharacters(value: unknown): number {
  const open = [value]
  let count = 0
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') count += one.length
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) open.push(inner)
  }
  return count
}

/** Arguments that say most about a call, in the order in which they are looked for. */
const TELLING_ARGUMENTS: readonly string[] = [
  'command',
  'file_path',
  'path',
  'query',
  'pattern',
  'url',
  'description',
  'prompt',
  'name',
]

/** One line for a call in the turn that makes it, so that what was run can be found: `[tool] Bash: npm test`. */
export function describeCall(name: string, input: unknown): string {
  const short = shortInput(input).replace(/\s+/g, ' ').trim()
  const line = short === '' ? `[tool] ${name}` : `[tool] ${name}: ${short}`
  return line.length > MAX_TOOL_CALL_CHARS ? `${cutGraphemes(line, MAX_TOOL_CALL_CHARS - 1)}…` : line
}

function shortInput(input: unknown): string {
  if (typeof input === 'string') return input
  if (!isObject(input)) return ''
  for (const key of TELLING_ARGUMENTS) {
    const value = textField(input[key])
    if (value) return value
  }
  return Object.entries(input)
    .map(([key, value]) => cutGraphemes(`${key}=${shortValue(value)}`, MAX_TOOL_CALL_CHARS))
    .join(' ')
}

/** Of a list of things to do what they say, of other values their JSON. */
function shortValue(value: unknown): string {
  if (typeof value === 'string') return value
  const said = Array.isArray(value) ? value.map((item) => (isObject(item) ? textField(item.content) : undefined)) : []
  return said.length > 0 && said.every((text) => text !== undefined) ? said.join('; ') : JSON.stringify(value)
}
