/** A list item, or a sentence of a paragraph: what a cue is read from. */
export interface TextUnit {
  /** On one line, Markdown marks at its beginning taken off. */
  text: string
  /** The same length; what is code or quoted is blanked out. */
  plain: string
  isItem: boolean
  checkbox?: 'open' | 'done'
  /** The sentence before it in its paragraph or item. */
  before?: string
  /** The heading or line ending with a colon under which it stands, within the text. */
  under: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n`]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const HEADING = /^ {0,3}#{1,6}\s+(.*)$/
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([ xX✓✔])\][ \t]+)?/
/** Tables, quotes, rules, definitions of links: nobody states there what is to be done. */
const NO_PROSE = /^[ \t]*(?:>|\||(?:[-*_][ \t]*){3,}$|\[[^\]]+\]:\s)|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])/
const EXAMPLE =
  /\b(?:examples?|samples?|templates?|e\.g\.|beispiele?|vorlagen?|exemples?|ejemplos?|plantillas?)\b|示例|例子|例/i
/** "30. April" is one date. */
const SENTENCE_END = /(?<!(?:^|\s)\d{1,2}\.)(?<=[.!?]["'”’)*]*)\s+(?=[^\p{Ll}\s])|(?<=[。！？；])\s*|;\s+/u
/** What stands in quotation marks somebody else said, or is a sample. */
const QUOTED = /"[^"\n]{3,}"|“[^”\n]{3,}”|„[^“”\n]{3,}[“”]|«[^»\n]{3,}»|「[^」\n]{2,}」|`[^`\n]+`/g
const MAY_QUOTE = /["“„«「`]/
const MAY_MARK = /\*\*|__|~~/
/** Longest unit, UTF-16 units: what goes on without an end is no line of a list. */
const MAX_UNIT_CHARS = 400

/** The items and sentences of a text in order. Code, quotes, tables, headings and what stands under "Example" give none. */
export function readUnits(text: string): TextUnit[] {
  const units: TextUnit[] = []
  let under = ''
  let isExample = false
  let block: { lines: string[]; checkbox?: 'open' | 'done'; isItem: boolean } | null = null
  const flush = (): void => {
    if (block && !isExample) pushUnits(units, { ...block, under })
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

function pushUnits(
  units: TextUnit[],
  { lines, ...rest }: { lines: string[]; checkbox?: 'open' | 'done'; isItem: boolean; under: string },
): void {
  const joined = lines.join(' ').replace(/\s+/g, ' ').trim()
  if (rest.checkbox) {
    units.push(toUnit(joined, rest))
    return
  }
  let before = ''
  for (const sentence of joined.split(SENTENCE_END)) {
    const text = sentence.trim()
    if (text === '') continue
    units.push(toUnit(text, before === '' ? rest : { ...rest, before }))
    before = text
  }
}

/** Expressions that look far ahead are asked only where there is something for them. */
function withoutCode(text: string): string {
  const open = text.includes('<!--') ? text.replace(COMMENT, blank) : text
  return open.includes('```') || open.includes('~~~') ? open.replace(FENCE, blank) : open
}

function toUnit(text: string, rest: Omit<TextUnit, 'text' | 'plain'>): TextUnit {
  const cut = text.length > MAX_UNIT_CHARS ? text.slice(0, MAX_UNIT_CHARS).toWellFormed() : text
  return { text: cut, plain: toPlain(cut), ...rest }
}

function toPlain(text: string): string {
  const unquoted = MAY_QUOTE.test(text) ? text.replace(QUOTED, blank) : text
  return MAY_MARK.test(unquoted) ? unquoted.replace(/\*\*|__|~~/g, '  ') : unquoted
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}
