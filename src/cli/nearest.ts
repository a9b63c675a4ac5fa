/** Edits that a slip of the fingers may take; further away is another word. */
const MAX_EDITS = 3
/** A suggestion must share more than this part of the word. */
const MIN_LIKENESS = 0.4

/** The name that was probably meant, or undefined when none is close. Letter case does not count. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestEdits = MAX_EDITS + 1
  for (const name of names) {
    const edits = editDistance(word.toLowerCase(), name.toLowerCase())
    const likeness = 1 - edits / Math.max(word.length, name.length)
    if (edits < bestEdits && likeness > MIN_LIKENESS) {
      best = name
      bestEdits = edits
    }
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return Math.max(a.length, b.length)
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let edits = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution)
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
