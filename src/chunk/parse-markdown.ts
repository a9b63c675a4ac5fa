import type { Tree } from '@lezer/common'
import { GFM, parser } from '@lezer/markdown'

/** Only blocks matter here; inline parsing is most of the time and the part that nasty input slows down. */
const INLINE_PARSERS = [
  'Escape',
  'Entity',
  'InlineCode',
  'HTMLTag',
  'Emphasis',
  'HardBreak',
  'Link',
  'Image',
  'LinkEnd',
  'Autolink',
  'Strikethrough',
]

const blockParser = parser.configure([GFM, { remove: INLINE_PARSERS }])

/** Quotes and lists nested deeper on one line than any person writes: the parser's time grows with the square of the depth. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){24}[ \t]*[>\-+*\d]/gm

/** The block structure of a Markdown text (CommonMark with tables and task lists). Offsets are those of the text. */
export function parseMarkdown(text: string): Tree {
  return blockParser.parse(text.replace(TOO_DEEP, (markers) => `${markers.slice(0, -1)}x`))
}
