import { isSameValue, type Quantity } from '../text/quantities.ts'
import type { Statement } from '../text/statements/read-statements.ts'
import { CONFLICT } from './correlation-options.ts'

/**
 * The number or date that tells of which of many alike things a statement speaks: "Build 123 took 40 s", "Report of 3 May: 14 tickets". A
 * number is one at the beginning, right behind what it is a label of, when something is said after it ("on port 8080" is a value); a
 * day is one when a number follows it.
 */
function findLabel({ words, quantities }: Statement): Quantity | undefined {
  return quantities.find((quantity, index) => {
    const before = words.filter((word) => word.end <= quantity.start)
    if (before.length > CONFLICT.labelWords) return false
    if (quantity.kind === 'date') return quantities.slice(index + 1).some(({ kind }) => kind === 'number')
    const isBare = (quantity.kind === 'number' && !quantity.isMeasure) || quantity.kind === 'version'
    const last = before.at(-1)
    if (!isBare || last === undefined || quantity.start - last.end > 2) return false
    return words.some(({ start }) => start >= quantity.end) || index + 1 < quantities.length
  })
}

/** Whether two statements speak of different ones of many alike things: then both may hold, whatever they say. */
export function haveDifferentLabels(a: Statement, b: Statement): boolean {
  const [first, second] = [findLabel(a), findLabel(b)]
  return first !== undefined && second !== undefined && first.kind === second.kind && !isSameValue(first, second)
}
