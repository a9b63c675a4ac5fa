import { cutGraphemes } from '../../model/cut-graphemes.ts'
import { FENCED_BLOCK } from '../fences.ts'
import { readSigns, type Signs } from './signs.ts'

/** A list item, or a sentence of a paragraph: what a cue is read from. */
export interface TextUnit {
  /** On one line, Markdown marks at its beginning taken off. */
  text: string
  /** The same length; what is code or quoted is blanked out. */
  plain: string
  /** Of `plain`. */
  signs: Signs
  isItem: boolean
  checkbox?: 'open' | 'done'
  /** The sentence before it in its paragraph or item. */
  before?: string
  /** The heading or line ending with a colon under which it stands, within the text. */
  under: string
}

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const HEADING = /^ {0,3}#{1,6}\s+(.*)$/
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([ xX✓✔])\][ \t]+)?/
/** Tables, quotes, rules, definitions of links: nobody states there what is to be done. */
const NO_PROSE = /^[ \t]*(?:>|\||(?:[-*_][ \t]*){3,}$|\[[^\]]+\]:\s)|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])/
const EXAMPLE =
  /\b(?:examples?|samples?|templates?|e\.g\.|beispiele?|vorlagen?|exemples?|ejemplos?|plantillas?)\b|示例|例子|例/i
/** In a text whose white space is single spaces. "30. April" is one date. Spaces first: the rest is only looked at there. */
const SENTENCE_END = / (?<=[.!?]["'”’)*]* )(?<!(?:^| )\d{1,2}\. )(?=[^\p{Ll} ])|; /u
/** The same, where sentences may end without a space. */
const WIDE_SENTENCE_END = new RegExp(`${SENTENCE_END.source}|(?<=[。！？；]) ?`, 'u')
const MAY_END_WIDE = /[。！？；]/
/** What stands in quotation marks somebody else said, or is a sample. */
const QUOTED = /"[^"\n]{3,}"|“[^”\n]{3,}”|„[^“”\n]{3,}[“”]|«[^»\n]{3,}»|「[^」\n]{2,}」|`[^`\n]+`/g
const MAY_QUOTE = /["“„«「`]/
const MAY_MARK = /\*\*|__|~~/
/** Lines of one item or paragraph. */
interface Block {
  lines: string[]
  checkbox?: 'open' | 'done'
  isItem: boolean
}

/** Longest unit, UTF-16 units: what goes on without an end is no line of a list. */
const MAX_UNIT_CHARS = 400

/** The items and sentences of a text in order. Code, quotes, tables, headings and what stands under "Example" give none. */
export function readUnits(text: string): TextUnit[] {
  const units: TextUnit[] = []
  let under = ''
  let isExample = false
  let block: Block | null = null
  const flush = (): void => {
    if (block && !isExample) pushUnits(units, block, under)
    const joined = block?.lines.join(' ').trim() ?? ''
    if (block && !block.isItem && joined.length <= MAX_UNIT_CHARS && /[:：]\**$/.test(joined)) under = joined
    block = null
  }
  for (const line of withoutCode(text).split('\n')) {
    const heading = HEADING.exec(line)
    if (heading) {
      flush()
      under = (heading[1] ?? '').trim()
      isExample = EXAMPLE.test(under)
      continue
    }
    if (line.trim() === '' || NO_PROSE.test(line)) {
      flush()
      continue
    }
    const item = ITEM.exec(line)
    if (item) {
      flush()
      const mark = item[1]
      const checkbox = mark === undefined ? undefined : mark === ' ' ? 'open' : 'done'
      block = { lines: [line.slice(item[0].length).trim()], isItem: true, ...(checkbox && { checkbox }) }
    } else if (block) block.lines.push(line.trim())
    else block = { lines: [line.trim()], isItem: false }
  }
  flush()
  return units
}

/** Whether what is under this heading are samples. */
export function isExampleHeading(heading: string): boolean {
  return EXAMPLE.test(heading)
}

function pushUnits(units: TextUnit[], block: Block, under: string): void {
  // Most texts have single spaces, which need no replacing.
  const joined = block.lines
    .join(' ')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
  if (block.checkbox) {
    units.push({ ...toUnit(joined, block, under), checkbox: block.checkbox })
    return
  }
  let before = ''
  for (const sentence of joined.split(MAY_END_WIDE.test(joined) ? WIDE_SENTENCE_END : SENTENCE_END)) {
    const text = sentence.trim()
    if (text === '') continue
    const unit = toUnit(text, block, under)
    if (before !== '') unit.before = before
    units.push(unit)
    before = text
  }
}

/** Expressions that look far ahead are asked only where there is something for them. */
function withoutCode(text: string): string {
  const open = text.includes('<!--') ? text.replace(COMMENT, blank) : text
  return open.includes('```') || open.includes('~~~') ? open.replace(FENCED_BLOCK, blank) : open
}

function toUnit(text: string, { isItem }: Block, under: string): TextUnit {
  const cut = cutGraphemes(text, MAX_UNIT_CHARS)
  const plain = toPlain(cut)
  return { text: cut, plain, signs: readSigns(plain), isItem, under }
}

function toPlain(text: string): string {
  const unquoted = MAY_QUOTE.test(text) ? text.replace(QUOTED, blank) : text
  return MAY_MARK.test(unquoted) ? unquoted.replace(/\*\*|__|~~/g, '  ') : unquoted
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}
