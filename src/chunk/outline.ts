import type { SyntaxNode, Tree } from '@lezer/common'
import { cutGraphemes } from '../model/cut-graphemes.ts'
import { MAX_HEADING_CHARS } from '../options.ts'
import { lineEnd, lineStart } from './offsets.ts'

/** A heading of the document itself, not of a quote or list in it. */
export interface Heading {
  /** 1–6. */
  level: number
  /** As read, without markup; may be empty. */
  text: string
}

/** What stands under one heading, up to the next heading of any level. Offsets are of whole lines, `to` exclusive. */
export interface Section {
  from: number
  to: number
  /** Where the heading's own lines end; `from` where there is none. */
  bodyFrom: number
  /** The heading and those above it, outermost first; empty before the first heading. */
  headings: readonly Heading[]
}

/** An underlined line over this length is a paragraph with a rule below it. */
const MAX_UNDERLINED_CHARS = 100

/** Cuts a document at its headings, in order and without gap. */
export function outline(text: string, tree: Tree): Section[] {
  const sections: Section[] = []
  let current: Section = { from: 0, to: 0, bodyFrom: 0, headings: [] }
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    const heading = headingOf(text, node)
    if (heading === undefined) continue
    const from = lineStart(text, node.from)
    sections.push({ ...current, to: from })
    const above = current.headings.filter((other) => other.level < heading.level)
    current = { from, to: from, bodyFrom: lineEnd(text, node.to), headings: [...above, heading] }
  }
  sections.push({ ...current, to: text.length })
  return sections
}

function headingOf(text: string, node: SyntaxNode): Heading | undefined {
  const kind = /^(ATX|Setext)Heading([1-6])$/.exec(node.name)
  if (kind === null) return undefined
  const source = text.slice(node.from, node.to)
  const level = Number(kind[2])
  if (kind[1] === 'ATX') return { level, text: plainHeading(source.replace(/^#+/, '').replace(/[ \t]#+[ \t]*$/, '')) }
  const words = source.slice(0, source.lastIndexOf('\n'))
  if (words.includes('\n') || words.length > MAX_UNDERLINED_CHARS) return undefined
  return { level, text: plainHeading(words) }
}

/** A heading as a reader sees it: links by their text, no emphasis or code marks, one line, capped. */
function plainHeading(source: string): string {
  const plain = cutGraphemes(source, MAX_HEADING_CHARS * 2)
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '$1')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(\S(?:.*?\S)?)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return cutGraphemes(plain, MAX_HEADING_CHARS)
}
