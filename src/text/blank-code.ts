const MARK = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm
/** How lines of programs begin and end, and sentences do not. */
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import|from|def|class|return|const|let|var|function|public|private|static|async|await|elif|else|try|except|catch|finally|if \(|for \(|while \(|#include|#!|@\w+|<\/?\w+|SELECT|INSERT|UPDATE|CREATE|[}\])]+)(?![\p{L}\p{N}])|=>|\w\([^()]*\)\s*[:;,{)]*\s*$|^\s*[\w.[\]'"]+\s*[-+*/|&:]?=\s*\S/u
/** Lines that are too few to tell, and the share of them that has to look like code. */
const TELLING = { lines: 2, share: 0.6 }

/**
 * The text of the same length in which blocks of code are blank. One whose fence stands in another piece of the same document is one too: a
 * piece that begins inside a block has its closing fence alone, and one from the middle has none.
 */
export function blankCode(text: string): string {
  const marks = [...text.matchAll(MARK)].map(({ index, 0: line, 1: fence = '', 2: info = '' }) => ({
    ...{ start: index, end: index + line.length, fence, isBare: info.trim() === '' },
  }))
  const [first] = marks
  if (!first) return looksLikeCode(text) ? blank(text, 0, text.length) : text
  let blanked = text
  let open: (typeof marks)[number] | undefined
  const isInside = first.isBare && looksLikeCode(text.slice(0, first.start)) && !looksLikeCode(text.slice(first.end))
  if (isInside) blanked = blank(blanked, 0, first.end)
  for (const mark of isInside ? marks.slice(1) : marks) {
    if (!open) open = mark
    else if (mark.isBare && mark.fence.startsWith(open.fence)) {
      blanked = blank(blanked, open.start, mark.end)
      open = undefined
    }
  }
  return open ? blank(blanked, open.start, text.length) : blanked
}

function blank(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, ' ') + text.slice(to)
}

function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const alike = lines.filter((line) => CODE_LINE.test(line)).length
  return lines.length >= TELLING.lines && alike >= lines.length * TELLING.share
}
