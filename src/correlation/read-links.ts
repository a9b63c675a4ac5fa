import { NESTED_FENCED_BLOCK } from '../text/fences.ts'

/** A link as it is written in a text. Offsets are UTF-16 units, `end` not included. */
export interface WrittenLink {
  kind: 'wikilink' | 'markdown'
  /** What it names, without heading, alias and query; '' where a wikilink names a heading of its own document. */
  target: string
  heading?: string
  start: number
  end: number
}

const WIKILINK = /\[\[(?<target>[^[\]|#\n]{0,200})(?:#(?<heading>[^[\]|\n]{1,200}))?(?:\|[^[\]\n]{0,200})?\]\]/g
const MARKDOWN_LINK = /\[(?<label>[^[\]\n]{1,300})\]\((?<target>[^()\s]{1,500})(?:\s+"[^"\n]{0,200}")?\)/g
/** An address of the web, of mail, of a program: no file of a workspace. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i
/**
 * What is no text: fenced blocks (in quotes and lists too, to the end of the text where none closes them), code between backticks and
 * comments. What stands there is an example.
 */
const NO_TEXT = new RegExp(
  [
    NESTED_FENCED_BLOCK.source,
    String.raw`(${'`'}{1,2})(?!${'`'})[^${'`'}\n]+\2`,
    String.raw`<!--[\s\S]*?(?:-->|(?![\s\S]))`,
  ].join('|'),
  'gm',
)

/** Wikilinks and Markdown links of a text, in order of place. None in code or comments, none to an address; escaped brackets open none. */
export function readLinks(text: string): WrittenLink[] {
  if (!text.includes('](') && !text.includes('[[')) return []
  const readable = text.replace(/\\[[\]`\\]/g, '  ').replace(NO_TEXT, (hidden) => hidden.replace(/[^\n]/g, ' '))
  return [...readWikilinks(readable), ...readMarkdownLinks(readable)].sort((a, b) => a.start - b.start)
}

function readWikilinks(text: string): WrittenLink[] {
  return [...text.matchAll(WIKILINK)].flatMap(({ 0: whole, index, groups = {} }) => {
    const target = (groups.target ?? '').trim()
    const heading = groups.heading?.trim()
    if (target === '' && !heading) return []
    return [{ kind: 'wikilink', target, ...(heading && { heading }), start: index, end: index + whole.length }]
  })
}

function readMarkdownLinks(text: string): WrittenLink[] {
  return [...text.matchAll(MARKDOWN_LINK)].flatMap(({ 0: whole, index, groups = {} }) => {
    const written = groups.target ?? ''
    const target = safelyDecode(written.replace(/[#?].*$/, ''))
    if (target === '' || ADDRESS.test(target)) return []
    return [{ kind: 'markdown', target, start: index, end: index + whole.length }]
  })
}

function safelyDecode(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch (error) {
    if (error instanceof URIError) return target
    throw error
  }
}
