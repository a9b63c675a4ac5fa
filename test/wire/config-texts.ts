import fc from 'fast-check'

/** How people lay out such a file. */
export interface Layout {
  indent: string
  eol: string
  isTrailing: boolean
  isBare: boolean
  comments: readonly string[]
  end: string
}

export const layouts = fc.record({
  indent: fc.constantFrom('', '  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  isTrailing: fc.boolean(),
  isBare: fc.boolean(),
  comments: fc.array(fc.constantFrom('// "x": {', '/* , } */', '//', ''), { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('', '\n', '\n\n'),
})
const jsonNames = fc.constantFrom('a', 'b', 'servers', 'plugins', 'entries', '$x', '__proto__', 'ä "q"')
export const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5e9, '', 'x // y', '\u2028"\\', '},'),
    fc.array(tie('tree'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(jsonNames, tie('tree'), { maxKeys: 4 }),
}))
/** Documents that people might keep. */
export const documents = fc.dictionary(jsonNames, tree, { maxKeys: 5 })

/** Writes a value in a layout; a comment, where there is one, stands at the end of a line. */
export function writeJson(value: unknown, layout: Layout, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { indent, eol, isTrailing, isBare, comments, end } = layout
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const isLine = indent === ''
  const children = Object.entries(value).map(([name, child]) => {
    const label = isBare && /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
    return (Array.isArray(value) ? '' : `${label}: `) + writeJson(child, layout, depth + 1)
  })
  const lines = children.map((child, at) => {
    const comma = at < children.length - 1 || (isTrailing && !isLine) ? ',' : ''
    const comment = isLine ? '' : (comments[(at + depth) % comments.length] ?? '')
    return child + comma + (comment === '' ? '' : ` ${comment}`)
  })
  const gap = isLine ? '' : eol + indent.repeat(depth + 1)
  const tail = isLine ? '' : eol + indent.repeat(depth)
  const body = lines.length === 0 ? '' : gap + lines.join(isLine ? ' ' : gap) + tail
  return `${open}${body}${close}${depth === 0 ? end.replaceAll('\n', eol) : ''}`
}

const tomlNames = fc.constantFrom('a', 'b-c', '"d.e"', "'f g'", 'mcp', '1')
const tomlValues = fc.constantFrom(
  '1_000',
  '-0.5e3',
  'true',
  '1979-05-27T07:32:00Z',
  '1979-05-27 07:32:00',
  '07:32:00',
  '0xFF',
  'inf',
  '"x # y"',
  "'C:\\x'",
  '"""\n[mcp_servers.madeleine]\n""" ',
  "'''''x''''",
  '[ 1, # one\n  [2, "]"],\n]',
  '{ x = 1, y = { z = [] } }',
  '""',
)
const pairs = fc.uniqueArray(fc.tuple(tomlNames, tomlValues), { selector: ([name]) => name, maxLength: 4 })
const sections = fc.uniqueArray(
  fc.record({
    head: fc.constantFrom('[x]', '[x.y]', '["q.r"]', '[[list]]', '[mcp_servers.other]', '[mcp_servers.other.env]'),
    pairs,
    comment: fc.constantFrom('', ' # said', '#'),
    gap: fc.constantFrom('', '\n', '\n\n# alone\n'),
  }),
  { selector: ({ head }) => head, maxLength: 4 },
)
/** TOML texts of many forms, none of which has a table of ours. */
export const tomlTexts = fc
  .tuple(pairs, sections, fc.boolean(), fc.constantFrom('', '\n'))
  .map(([first, rest, isWindows, end]) => {
    const lines = (some: readonly (readonly [string, string])[]) =>
      some.map(([name, value]) => `${name} = ${value}\n`).join('')
    const text =
      lines(first) + rest.map((one) => `${one.gap}${one.head}${one.comment}\n${lines(one.pairs)}`).join('') + end
    return isWindows ? text.replaceAll('\n', '\r\n') : text
  })
