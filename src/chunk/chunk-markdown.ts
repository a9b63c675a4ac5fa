import type { Tree } from '@lezer/common'
import type { Chunk, MarkdownDocument } from '../model/document.ts'
import { MAX_EMBED_HEADER_CHARS } from '../options.ts'
import { dayRange, findDates, toIsoWithOffset } from '../text/dates.ts'
import type { ChunkTally } from './chunk-tally.ts'
import { cutSection, type SectionPiece } from './cut-section.ts'
import { classifyText } from './memory-type.ts'
import { indexLines } from './offsets.ts'
import { type Heading, outline, type Section } from './outline.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { hasContent, saysSomething } from './section-body.ts'
import { toWellFormed } from './segment-text.ts'

/** How a document becomes chunks. */
export interface ChunkMarkdownOptions {
  /** IANA zone of the user: a day in a heading or file name becomes its first instant there. Without it, it stays `YYYY-MM-DD`. */
  timeZone?: string
  tally?: ChunkTally
}

/**
 * One chunk a section of a Markdown file (its lines as they are, its own heading included), in order; a section over the cap
 * is cut at blocks, items and rows, then as any text. A piece of a cut table repeats the head, a piece of a cut code block is
 * fenced again; nothing else is added or overlaps. Sections without content (blank, comments, bare links, a short heading
 * alone) give none.
 */
export function chunkMarkdown(document: MarkdownDocument, options: ChunkMarkdownOptions = {}): Chunk[] {
  const text = toWellFormed(document.text)
  const tree = parseMarkdown(text)
  const lineOf = indexLines(text)
  const sections = outline(text, tree)
  const kept = keepSections(text, sections)
  if (options.tally) countLeftOut(text, { sections, kept }, options.tally)
  return kept.flatMap((section) =>
    piecesOf(text, tree, section, options.tally).map((piece) =>
      toChunk({ document, text, section, piece, lineOf, options }),
    ),
  )
}

/** Sections that say something. A heading alone does if it is a sentence and no section below it is kept. */
function keepSections(text: string, sections: readonly Section[]): Section[] {
  const kept: Section[] = []
  let next: Section | undefined
  for (const section of sections.toReversed()) {
    const heading = section.headings.at(-1)
    const hasKeptChild = heading !== undefined && next?.headings.includes(heading) === true
    const isKept =
      hasContent(text.slice(section.bodyFrom, section.to)) ||
      (heading !== undefined && !hasKeptChild && saysSomething(heading.text))
    if (!isKept) continue
    kept.push(section)
    next = section
  }
  return kept.reverse()
}

function countLeftOut(
  text: string,
  { sections, kept }: { sections: readonly Section[]; kept: readonly Section[] },
  tally: ChunkTally,
): void {
  const isKept = new Set(kept)
  for (const section of sections) {
    if (isKept.has(section)) continue
    const length = section.to - section.from
    if (text.slice(section.from, section.to).trim() === '') tally.strip('blank lines', length)
    else tally.skip('sections that say nothing', length)
  }
}

/** The pieces of a section without blank lines around them; pieces without a letter or digit are left out. */
function piecesOf(text: string, tree: Tree, section: Section, tally: ChunkTally | undefined): SectionPiece[] {
  const { from, to } = trimRange(text, section.from, section.to)
  let rest = section.to - section.from
  const pieces = cutSection(text, tree, from, to)
    .map((piece) => ({ ...piece, ...trimRange(text, piece.from, piece.to) }))
    .filter((piece) => {
      const isKept = /[\p{L}\p{N}]/u.test(text.slice(piece.from, piece.to))
      const length = piece.to - piece.from
      if (isKept) tally?.keep(length)
      else tally?.skip('nothing but signs', length)
      rest -= length
      return isKept
    })
  tally?.strip('blank lines', rest)
  return pieces
}

/** Without blank lines and the space at the end; the indent of the first line is kept if the range begins with it. */
function trimRange(text: string, from: number, to: number): { from: number; to: number } {
  const part = text.slice(from, to)
  const startsLine = from === 0 || text.charAt(from - 1) === '\n'
  const blank = (startsLine ? /^(?:[^\S\n]*\n)*/ : /^\s*/).exec(part)?.[0].length ?? 0
  return { from: from + blank, to: from + Math.max(blank, part.trimEnd().length) }
}

interface ChunkParts {
  document: MarkdownDocument
  text: string
  section: Section
  piece: SectionPiece
  lineOf: (offset: number) => number
  options: ChunkMarkdownOptions
}

function toChunk({ document, text, section, piece, lineOf, options }: ChunkParts): Chunk {
  const content = piece.before + text.slice(piece.from, piece.to) + piece.after
  const titles = section.headings.map((heading) => heading.text).filter((title) => title !== '')
  return {
    text: content,
    headerPath:
      titles.length > 0 || section.headings.length > 0 ? titles : [document.title].filter((title) => title !== ''),
    startLine: lineOf(piece.from),
    endLine: lineOf(Math.max(piece.from, piece.to - 1)),
    embedText: `${embedHeader(document.title, titles)}${content}`,
    type:
      document.type ??
      classifyText(content, {
        heading: planHeading(section.headings),
        otherwise: plainType(document, section.headings),
      }),
    trust: document.trust,
    importance: document.importance,
    ...dateOf(document, section.headings, options.timeZone),
  }
}

/** What stands in the note of a day, or below a day in a running log, happened; else it is so. */
function plainType(document: MarkdownDocument, headings: readonly Heading[]): 'event' | 'fact' {
  const isLogged = headings.some(({ text }) => findDates(text).length > 0)
  return document.dateOrigin === 'name' || isLogged ? 'event' : 'fact'
}

/** The headings that speak for a section: its own and those above it, but not the one over the whole document. */
function planHeading(headings: readonly Heading[]): string {
  return headings
    .filter((heading, index) => index === headings.length - 1 || heading.level > 1)
    .map((heading) => heading.text)
    .join('\n')
}

/** `Title > Header path` on a line of its own; a first heading that is the title is not said twice. */
function embedHeader(title: string, titles: readonly string[]): string {
  const path = title === '' || titles[0]?.toLowerCase() === title.toLowerCase() ? titles : [title, ...titles]
  const line = path.join(' > ')
  // The last heading says most, so a long line loses its beginning.
  const capped = line.length > MAX_EMBED_HEADER_CHARS ? `…${line.slice(1 - MAX_EMBED_HEADER_CHARS)}` : line
  return capped === '' ? '' : `${toWellFormed(capped)}\n`
}

/** The day that the nearest heading names, else the document's date. */
function dateOf(
  document: MarkdownDocument,
  headings: readonly Heading[],
  timeZone: string | undefined,
): Pick<Chunk, 'occurredAt' | 'dateOrigin'> {
  for (const heading of headings.toReversed()) {
    const day = findDates(heading.text)[0]
    if (day !== undefined) return { occurredAt: placeDay(day, timeZone), dateOrigin: 'text' }
  }
  if (document.date === undefined) return {}
  const occurredAt = placeDay(document.date, timeZone)
  return document.dateOrigin === undefined ? { occurredAt } : { occurredAt, dateOrigin: document.dateOrigin }
}

/** A day becomes its first instant in the zone; an instant stays. */
function placeDay(date: string, timeZone: string | undefined): string {
  if (timeZone === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return date
  return toIsoWithOffset(dayRange(date, timeZone).from, timeZone)
}
