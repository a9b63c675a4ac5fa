/** Scripts without spaces: a term may begin anywhere in a run of letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Terms are stems, which may end in another letter than the word does; only longer ones can be trusted so far. */
const MIN_STEM = 4

/** Marks the words of a line that a search matched, given the terms that it matched. */
export function emphasise(line: string, terms: readonly string[], mark: (word: string) => string): string {
  const folded = terms.map(fold).filter(Boolean)
  if (folded.length === 0) return line
  return line.replace(WORD, (word) => {
    if (UNSPACED.test(word)) return markInside(word, terms, mark)
    return folded.some((term) => isFormOf(fold(word), term)) ? mark(word) : word
  })
}

/** Whether a line holds a word that the search matched. */
export function isMatched(line: string, terms: readonly string[]): boolean {
  return emphasise(line, terms, () => '') !== line
}

/** The words of a query behind the terms that it matched: terms are stems, which are not for reading. */
export function wordsBehind(query: string, terms: readonly string[]): string[] {
  const words = new Set<string>()
  emphasise(query, terms, (word) => {
    words.add(word)
    return word
  })
  return [...words]
}

function markInside(run: string, terms: readonly string[], mark: (word: string) => string): string {
  const inside = terms.filter((term) => UNSPACED.test(term) && run.includes(term))
  return inside.reduce((text, term) => text.replace(term, () => mark(term)), run)
}

function isFormOf(word: string, term: string): boolean {
  if (word === term) return true
  const stem = term.length > MIN_STEM ? term.slice(0, -1) : term
  return term.length >= MIN_STEM && word.startsWith(stem)
}

/** Letter case and accents do not count. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
