/** What reads as `<`: the sign itself, its other widths, look-alikes, and the ways to write it in code. Of a folded text. */
const BRACKET =
  '[<\\u2039\\u2329\\u27e8\\u27ea\\u276e\\u2770\\u276c\\u3008\\u300a\\u00ab\\u02c2\\u1438\\u29fc\\ufe64\\uff1c]|&(?:amp;?){0,3}(?:lt|#0{0,6}60|#x0{0,6}3c|lsaquo|lang|laquo);?|%3c|\\\\u003c|\\\\x3c'
/** What may stand between the sign and the name: no word. Its parts exclude each other; the bound is far above what reads as one tag. */
const GAP = '(?:[^\\p{L}\\p{N}]|&(?:amp;){0,3}#?[a-z0-9]{1,9};|%[0-9a-f]{2}|\\\\(?:u[0-9a-f]{4}|x[0-9a-f]{2})){0,80}?'
/** Our tags, by the two words of their names. */
const TAG_NAMES = [
  ['recalled', 'context'],
  ['heartbeat', 'signals'],
] as const
const NAME = `(?:${TAG_NAMES.map((words) => words.map(spaced).join('[^\\p{L}\\p{N}]{0,8}')).join('|')})`
const OUR_TAG = new RegExp(`(?:${BRACKET})${GAP}(?=${NAME})`, 'gu')
const BRACKETS = new RegExp(BRACKET, 'gu')

/**
 * Anything else that could be read as a tag or a model's control token: `<`, in any width, before a letter or, with or without
 * blanks, before `/`, `!`, `?` or `|`. A plain comparison stays as it is.
 */
const TAG_START = /[<\uff1c\ufe64](?=\p{L}|\s*[/!?|\uff0f\uff01\uff1f\uff5c])/gu
/** Marks with which some models' prompts part instructions from talk. */
const INSTRUCTION_MARK =
  /[[\uff3b](\s*[/\uff0f]?\s*(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\s*)[\]\uff3d]/giu

/** Every character that can begin what reads as `<`, in any width. Without one there is nothing to take apart. */
const MAY_BEGIN_TAG =
  /[<\u2039\u2329\u27e8\u27ea\u276e\u2770\u276c\u3008\u300a\u00ab\u02c2\u1438\u29fc\ufe64\uff1c\ufe3d\ufe3f&\ufe60\uff06%\ufe6a\uff05\\\ufe68\uff3c]/u

/** Takes from a text what could be read as a tag: ours in whatever spelling, those of hosts, the control tokens of models. */
export function defuseTags(text: string): string {
  return defuseOurTag(text).replace(TAG_START, '&lt;').replace(INSTRUCTION_MARK, '($1)')
}

/** What reads as `<` before our own tag's name becomes `(`. */
function defuseOurTag(text: string): string {
  if (!MAY_BEGIN_TAG.test(text)) return text
  const { folded, starts } = fold(text)
  let result = ''
  let last = 0
  for (const tag of folded.matchAll(OUR_TAG)) {
    for (const { index, 0: sign } of tag[0].matchAll(BRACKETS)) {
      const from = starts[tag.index + index] ?? text.length
      result += `${text.slice(last, from)}(`
      last = starts[tag.index + index + sign.length] ?? text.length
    }
  }
  return result + text.slice(last)
}

/** The text in one width and case, as one reads it, and where each unit of that comes from. */
function fold(text: string): { folded: string; starts: number[] } {
  let folded = ''
  let at = 0
  const starts: number[] = []
  for (const character of text) {
    const plain = character.normalize('NFKC').toLowerCase()
    for (let unit = 0; unit < plain.length; unit++) starts.push(at)
    folded += plain
    at += character.length
  }
  starts.push(at)
  return { folded, starts }
}

/** A pattern of the word, also where blanks or a line's end part its letters. */
function spaced(word: string): string {
  return [...word].join('[\\s|]{0,6}')
}
