import type { Memory } from '../model/memory.ts'
import { isSameValue, type Quantity } from '../text/quantities.ts'
import { findChangeWords } from '../text/statements/changes.ts'
import { readStatements, type Statement } from '../text/statements/read-statements.ts'
import type { AskedValue } from './asked-value.ts'
import { CHANGED_VALUE } from './newer-options.ts'
import { keepReadings } from './readings.ts'

/** A value that a text states, with what it says of it. */
interface StatedValue {
  quantity: Quantity
  /** Terms around it and of its unit. */
  near: ReadonlySet<string>
  /** Those of them that are written as names. */
  names: ReadonlySet<string>
  /** The other values of its statement. */
  beside: readonly Quantity[]
  /** Whether its statement says that something changed. */
  isUpdate: boolean
}

function readValue(statement: Statement, quantity: Quantity, isUpdate: boolean): StatedValue {
  const words = statement.words.filter(({ isDirection }) => !isDirection)
  const before = words.filter(({ end }) => end <= quantity.start).slice(-CHANGED_VALUE.reach)
  const after = words.filter(({ start }) => start >= quantity.end).slice(0, CHANGED_VALUE.reach)
  const near = [...before, ...after]
  return {
    quantity,
    near: new Set([...near.map(({ term }) => term), ...quantity.units]),
    names: new Set(near.filter(({ isName }) => isName).map(({ term }) => term)),
    beside: statement.quantities.filter((other) => other !== quantity),
    isUpdate,
  }
}

const readValues = keepReadings(({ text }): readonly StatedValue[] => {
  const changes = findChangeWords(text)
  return readStatements(text).flatMap((statement) => {
    const isUpdate = changes.some(({ start, end }) => start >= statement.start && end <= statement.end)
    return statement.quantities.map((quantity) => readValue(statement, quantity, isUpdate))
  })
})

/** Whether two values measure or count the same. */
function areComparable(a: StatedValue, b: StatedValue): boolean {
  const [first, second] = [a.quantity, b.quantity]
  // "I finished three issues", and "I finished my fifth issue".
  const areCounts = [first.kind, second.kind].every((kind) => kind === 'number' || kind === 'ordinal')
  if (!areCounts) return first.kind === second.kind
  const [unitA, unitB] = [first.units[0], second.units[0]]
  if (unitA === undefined && unitB === undefined) return first.kind === 'number' && second.kind === 'number'
  // "150 commits", and "the commits have reached 165".
  if (unitA === undefined) return !second.isMeasure && a.near.has(unitB ?? '')
  if (unitB === undefined) return !first.isMeasure && b.near.has(unitA)
  return first.units.includes(unitB) || second.units.includes(unitA)
}

const holds = (quantities: readonly Quantity[], wanted: Quantity): boolean =>
  quantities.some((other) => other.kind === wanted.kind && isSameValue(other, wanted))

/** Whether the two are said of things with other names: where one name is missing, another one stands in its place. */
function nameOthers(newer: StatedValue, older: StatedValue, asked: ReadonlySet<string>): boolean {
  const isMissing = [...older.names].some((name) => asked.has(name) && !newer.near.has(name))
  return isMissing && [...newer.names].some((name) => !older.near.has(name))
}

/**
 * Whether both values are said of what is asked, by the words of the query near both. A text that says of itself that something
 * changed leaves more of them out; so does one later in the same talk, where what else the two have in common shows it.
 */
function areOfTheAsked(
  newer: StatedValue,
  older: StatedValue,
  { asked, isSameTalk }: { asked: ReadonlySet<string>; isSameTalk: boolean },
): boolean {
  const held = [...older.near].filter((term) => asked.has(term))
  const common = held.filter((term) => newer.near.has(term)).length
  if (common < CHANGED_VALUE.minCommon || nameOthers(newer, older, asked)) return false
  const words = [...older.near].filter((term) => !asked.has(term) && newer.near.has(term)).length
  const values = older.beside.filter((value) => holds(newer.beside, value)).length
  const support = common + (isSameTalk ? CHANGED_VALUE.otherWeight * (words + values) : 0)
  const { ofOlder, ofQuery } = newer.isUpdate ? CHANGED_VALUE.update : CHANGED_VALUE.plain
  return support >= ofOlder * held.length && support >= ofQuery * asked.size
}

/** Whether the newer memory states another value than the older one of what is asked. */
export function statesNewValue(newer: Memory, older: Memory, { terms: asked, kinds }: AskedValue): boolean {
  const before = readValues(older).filter(({ quantity }) => kinds.has(quantity.kind))
  if (before.length === 0) return false
  const known = before.map(({ quantity }) => quantity)
  const isSameTalk = newer.place.path === older.place.path && newer.place.root === older.place.root
  return readValues(newer).some(
    (value) =>
      kinds.has(value.quantity.kind) &&
      !holds(known, value.quantity) &&
      before.some((old) => areComparable(value, old) && areOfTheAsked(value, old, { asked, isSameTalk })),
  )
}
