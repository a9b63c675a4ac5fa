import { countWords } from './segment-text.ts'

const HAS_WORD = /[\p{L}\p{N}]/u
/** A section over this length is more than a list of links, whatever it is made of. */
const MAX_LINK_SECTION_CHARS = 4000
/** From this many words on, the text of a link says something by itself. */
const LINK_WORDS = 3
/** From this many words on, a heading says something without a text below it; shorter ones are templates. */
const HEADING_WORDS = 4

/** Whether the lines below a heading say anything: not if they are blank, rules, HTML comments or bare links. */
export function hasContent(body: string): boolean {
  if (!HAS_WORD.test(body)) return false
  const withoutComments = dropComments(body)
  if (!HAS_WORD.test(withoutComments)) return false
  return body.length > MAX_LINK_SECTION_CHARS || HAS_WORD.test(dropLinks(withoutComments))
}

/** Whether a heading is worth keeping where nothing stands below it. */
export function saysSomething(heading: string): boolean {
  return countWords(heading) >= HEADING_WORDS
}

function dropComments(body: string): string {
  let kept = ''
  let at = 0
  for (let open = body.indexOf('<!--'); open >= 0; open = body.indexOf('<!--', at)) {
    kept += body.slice(at, open)
    const close = body.indexOf('-->', open + 4)
    at = close < 0 ? body.length : close + 3
  }
  return kept + body.slice(at)
}

function dropLinks(body: string): string {
  return body
    .replace(/^ {0,3}\[[^[\]\n]+\]:.*$/gm, '')
    .replace(/!?\[\[[^[\]\n]*\]\]/g, '')
    .replace(/!\[[^[\]\n]*\]\([^)\n]{0,2000}\)/g, '')
    .replace(/\[([^[\]\n]*)\](?:\([^)\n]{0,2000}\)|\[[^[\]\n]*\])/g, (_, text: string) =>
      countWords(text) >= LINK_WORDS ? text : '',
    )
    .replace(/<?\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s>]*>?/gi, '')
}
