import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common'
import { MAX_CHUNK_CHARS, MAX_REPEATED_CHARS } from '../options.ts'
import { type BorderFinder, cutText, TEXT_BORDERS } from './cut-text.ts'
import { countBelow, lineEnd, lineStart } from './offsets.ts'

/** A piece of a section: offsets in the document, and what is added so that the piece can be read alone. */
export interface SectionPiece {
  from: number
  to: number
  /** The head of the table, or the opening fence of the code block, in which the piece begins. */
  before: string
  /** The closing fence of the code block in which the piece ends. */
  after: string
}

/** A table or code block. Cut inside, each piece repeats its head and foot. Offsets are those of whole lines. */
interface Frame {
  from: number
  to: number
  /** A cut in the frame stands between these two, or it would leave a head without a body. */
  innerFrom: number
  innerTo: number
  head: string
  foot: string
}

/** Blocks of the section · items and rows · everything nested deeper. */
const BLOCK_LEVELS = 3

/** Cuts the lines [from, to) of a document at blocks, then at items and rows, then as any text; none at all if they fit the cap. */
export function cutSection(text: string, tree: Tree, from: number, to: number): SectionPiece[] {
  if (to - from <= MAX_CHUNK_CHARS) return [{ from, to, before: '', after: '' }]
  const levels: number[][] = Array.from({ length: BLOCK_LEVELS }, () => [])
  const frames: Frame[] = []
  let depth = -1
  tree.iterate({
    from,
    to,
    enter: (node) => {
      depth += 1
      const frame = frameOf(text, node, from, to)
      if (frame !== undefined) frames.push(frame)
      if (depth < 1 || !startsBlock(node)) return
      levels[Math.min(depth, BLOCK_LEVELS) - 1]?.push(lineStart(text, node.from) - from)
    },
    leave: () => {
      depth -= 1
    },
  })
  return cutFramed(text.slice(from, to), levels, frames).map((piece) => ({
    ...piece,
    from: from + piece.from,
    to: from + piece.to,
  }))
}

function startsBlock(node: SyntaxNodeRef): boolean {
  return node.type.is('Block') || node.name === 'TableRow'
}

function cutFramed(section: string, levels: readonly number[][], frames: readonly Frame[]): SectionPiece[] {
  const starts = frames.map((frame) => frame.from)
  const frameAt = (at: number): Frame | undefined => {
    const frame = frames[countBelow(starts, at) - 1]
    return frame !== undefined && at < frame.to ? frame : undefined
  }
  const isAllowed = (at: number): boolean => {
    const frame = frameAt(at)
    return frame === undefined || (at > frame.innerFrom && at < frame.innerTo)
  }
  const finders = [...levels.map(amongOffsets), ...TEXT_BORDERS]
  const borders = finders.map(
    (find): BorderFinder =>
      (...window) =>
        find(...window).filter(isAllowed),
  )
  const headAt = (at: number): string => frameAt(at)?.head ?? ''
  const reserve = frames.reduce((most, frame) => Math.max(most, frame.foot.length), 0)
  const ranges = cutText(section, (start) => MAX_CHUNK_CHARS - reserve - headAt(start).length, borders)
  return ranges.map(({ from, to }) => ({ from, to, before: headAt(from), after: frameAt(to)?.foot ?? '' }))
}

function amongOffsets(offsets: readonly number[]): BorderFinder {
  return (_text, from, to) => offsets.slice(countBelow(offsets, from + 1), countBelow(offsets, to + 1))
}

function frameOf(text: string, node: SyntaxNodeRef, sectionFrom: number, sectionTo: number): Frame | undefined {
  if (node.name !== 'Table' && node.name !== 'FencedCode') return undefined
  const from = lineStart(text, node.from)
  const to = Math.min(lineEnd(text, node.to), sectionTo)
  const parts = node.name === 'Table' ? tableParts(text, node.node, from) : fenceParts(text, node.node, from)
  const isRepeated = parts.head.length + parts.foot.length <= MAX_REPEATED_CHARS
  return {
    from: from - sectionFrom,
    to: to - sectionFrom,
    innerFrom: from + parts.head.length - sectionFrom,
    innerTo: (parts.innerTo ?? to) - sectionFrom,
    head: isRepeated ? parts.head : '',
    foot: isRepeated ? parts.foot : '',
  }
}

interface FrameParts {
  head: string
  foot: string
  innerTo?: number
}

/** Header row and delimiter row. */
function tableParts(text: string, table: SyntaxNode, from: number): FrameParts {
  const delimiter = table.getChild('TableDelimiter')
  return { head: text.slice(from, lineEnd(text, (delimiter ?? table).to)), foot: '' }
}

/** The opening line; the same fence, behind the same quote marks, closes it. */
function fenceParts(text: string, code: SyntaxNode, from: number): FrameParts {
  const [open, close] = code.getChildren('CodeMark')
  const mark = text.slice(open?.from ?? from, open?.to ?? from)
  const indent = text.slice(from, open?.from ?? from).replace(/[^>\s]/g, ' ')
  const parts = { head: text.slice(from, lineEnd(text, code.from)), foot: `\n${indent}${mark}` }
  return close === undefined ? parts : { ...parts, innerTo: lineStart(text, close.from) }
}
