import { parse } from 'yaml'

/** The settings at the head of a note, and the text with their lines blank. */
export interface FrontMatter {
  /** Every scalar is a string as it is written: `2025-11-30`, `yes` and `007` stay that. */
  fields: Record<string, unknown>
  /** The whole text, front matter replaced by empty lines. */
  text: string
  /** The settings are not valid YAML: only their plain `name: value` lines were read. */
  isBroken?: true
}

/**
 * Splits off YAML between a first line `---` and the next line `---` or `...`. A first line `---` that nothing closes is a
 * rule, not front matter, and so is a block without any `name:`.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n')
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) return { fields: {}, text }
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line))
  if (end < 0) return { fields: {}, text }
  const head = lines.slice(1, end)
  if (
    head.some((line) => line.trim() !== '') &&
    !head.some((line) => /^[ \t]*["']?[^\s"'#:][^:]*:(?:\s|$)/.test(line))
  ) {
    return { fields: {}, text }
  }
  lines.fill('', 0, end + 1)
  const body = lines.join('\n')
  try {
    const value: unknown = parse(head.join('\n'), {
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'error',
      maxAliasCount: 100,
    })
    return { fields: isRecord(value) ? value : {}, text: body }
  } catch {
    // Somebody's `title: tide: low` is no reason to lose a note.
    return { fields: readPlainFields(head), text: body, isBroken: true }
  }
}

/** What a person would still read from broken YAML: the plain `name: value` lines. */
function readPlainFields(lines: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const line of lines) {
    const match = /^([A-Za-z][\w-]{0,60}):[ \t]+(.*)$/.exec(line)
    if (match?.[1] && match[2]) fields[match[1]] = match[2].trim().replace(/^(["'])(.*)\1$/, '$2')
  }
  return fields
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field as text: scalars as written, lists joined by commas; undefined when there is nothing in it. */
export function fieldText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(fieldText).filter((part) => part !== undefined)
    return parts.length > 0 ? parts.join(', ') : undefined
  }
  if (value === null || value === undefined || typeof value === 'object') return undefined
  const text = String(value).trim()
  return text === '' || text === 'null' || text === '~' ? undefined : text
}

/** A field as a list of texts: a list, or a text separated by commas. */
export function fieldList(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(fieldText).filter((part) => part !== undefined)
  return (fieldText(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
