import { TextProblem } from '../wirable-host.ts'
import { parseToml, quoteToml, type TomlStatement } from './parse-toml.ts'

/** A table of ours with texts and lists of texts, and the remark that stands above it. */
export interface TomlTable {
  path: readonly string[]
  values: Readonly<Record<string, string | readonly string[]>>
  remark: string
}

/** The values of a table, wherever in the text and in whatever form it is written; undefined where it is not. */
export function readTable(text: string, path: readonly string[]): Record<string, unknown> | undefined {
  const found = parseToml(text).filter((statement) => isBelow(statement.path, path))
  if (found.length > 0) {
    const pairs = found.filter(({ kind, path: own }) => kind === 'pair' && own.length === path.length + 1)
    const inline = found.find(({ kind, path: own }) => kind === 'pair' && own.length === path.length)?.value
    return {
      ...(isRecord(inline) ? inline : {}),
      ...Object.fromEntries(pairs.map(({ path: own, value }) => [own.at(-1), value])),
    }
  }
  const [parent, name] = [path.slice(0, -1), path.at(-1) ?? '']
  const inline = parseToml(text).find(
    (statement) => statement.kind === 'pair' && isEqual(statement.path, parent),
  )?.value
  const value = isRecord(inline) ? inline[name] : undefined
  return isRecord(value) ? value : undefined
}

/**
 * The text with our table at its end, or with other values in the table that is there. Throws `TextProblem` where what is there has a
 * form that nothing can be added to, with the lines to put in.
 */
export function putTable(text: string, table: TomlTable): string {
  const statements = parseToml(text)
  const head = statements.find(({ kind, path }) => kind === 'table' && isEqual(path, table.path))
  if (head === undefined) {
    refuseOtherForms(text, statements, table)
    return append(text, table)
  }
  for (const [name, value] of Object.entries(table.values)) text = putValue(text, table.path, name, value)
  return text
}

/** The text without our table, the tables below it, its remark and the blank line that set it off. */
export function removeTable(text: string, { path, remark }: Pick<TomlTable, 'path' | 'remark'>): string {
  for (;;) {
    const statements = parseToml(text)
    const at = statements.findIndex((statement) => isBelow(statement.path, path))
    const first = statements[at]
    if (first === undefined) return text
    let last = first
    for (const next of statements.slice(at + 1)) {
      if (!isBelow(next.path, path)) break
      last = next
    }
    const start = withRemark(text, first.start, remark)
    text = text.slice(0, start) + text.slice(last.end)
  }
}

/** The lines of a table, as they are to be put in by hand. */
export function showTable({ path, values }: TomlTable): string {
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${show(value)}`)
  return [`[${path.join('.')}]`, ...lines].join('\n')
}

function append(text: string, table: TomlTable): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  const lines = [`# ${table.remark}`, ...showTable(table).split('\n')]
  return text + gap + lines.map((line) => line + eol).join('')
}

function putValue(text: string, path: readonly string[], name: string, value: string | readonly string[]): string {
  const statements = parseToml(text)
  const pair = statements.find((statement) => statement.kind === 'pair' && isEqual(statement.path, [...path, name]))
  if (pair) {
    const isSame = JSON.stringify(pair.value) === JSON.stringify(value)
    return isSame ? text : text.slice(0, pair.valueStart) + show(value) + text.slice(pair.valueEnd)
  }
  const head = statements.find(({ kind, path: own }) => kind === 'table' && isEqual(own, path))
  if (head === undefined) return text
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const isOpen = !text.slice(0, head.end).endsWith('\n')
  return `${text.slice(0, head.end)}${isOpen ? eol : ''}${name} = ${show(value)}${eol}${text.slice(head.end)}`
}

function refuseOtherForms(text: string, statements: readonly TomlStatement[], table: TomlTable): void {
  const closed = statements.find(
    ({ kind, path }) =>
      (kind === 'pair' && (isBelow(path, table.path) || isBelow(table.path, path))) ||
      (kind === 'list-of-tables' && isBelow(table.path, path)),
  )
  if (closed === undefined) return
  throw new TextProblem(`${closed.path.join('.')} is written in a form that no table can be added to`, {
    text,
    at: closed.valueStart,
    remedy: `Write it as tables, or put this in by hand:\n${showTable(table)}`,
  })
}

/** Where the remark above a table begins, with the blank line that sets it off; without our remark the table's own beginning. */
function withRemark(text: string, start: number, remark: string): number {
  const lineStart = text.lastIndexOf('\n', start - 2) + 1
  if (text.slice(lineStart, start).trim() !== `# ${remark}`) return start
  const gap = /\n(\r?\n)$/.exec(text.slice(0, lineStart))?.[1] ?? ''
  return lineStart - gap.length
}

function show(value: string | readonly string[]): string {
  return typeof value === 'string' ? quoteToml(value) : `[${value.map(quoteToml).join(', ')}]`
}

function isBelow(path: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.length <= path.length && ancestor.every((part, at) => part === path[at])
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && isBelow(a, b)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
