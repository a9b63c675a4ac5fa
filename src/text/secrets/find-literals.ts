import { LITERAL_TABLE_CHARS } from '../../options.ts'

/** Calls `visit` with the number of each literal in a text and where it starts, in the order of their ends. */
export type LiteralFinder = (text: string, visit: (literal: number, start: number) => void) => void

/** Numbers of the UTF-16 unit. */
const UNITS = 65_536
const END_OF_LIST = -1

/**
 * Finds many literals in one pass over the text, upper and lower case alike, with overlaps: the automaton of Aho and Corasick
 * ("Efficient string matching", 1975) as one table of transitions. Literals are lower case. The first `tableAfter` characters are
 * searched for one literal after the other, which needs no table: a process that lives for one question sees no more.
 */
export function createLiteralFinder(literals: readonly string[], tableAfter = LITERAL_TABLE_CHARS): LiteralFinder {
  let seen = 0
  let findSlowly: LiteralFinder | undefined
  let find: LiteralFinder | undefined
  return (text, visit) => {
    seen += text.length
    if (find === undefined && seen <= tableAfter) {
      findSlowly ??= buildPlainFinder(literals)
      findSlowly(text, visit)
      return
    }
    find ??= buildFinder(literals)
    find(text, visit)
  }
}

/** The same without a table: each literal by itself, then all in the order of their ends, the longest of one end first. */
function buildPlainFinder(literals: readonly string[]): LiteralFinder {
  const lower = new Map<string, string>()
  for (const unit of new Set(literals.join(''))) {
    const upper = unit.toUpperCase()
    if (upper.length === 1) lower.set(upper, unit)
  }
  return (text, visit) => {
    let folded = ''
    for (let at = 0; at < text.length; at += 1) folded += lower.get(text.charAt(at)) ?? text.charAt(at)
    const found: Array<{ literal: number; start: number; end: number }> = []
    for (const [literal, { length }] of literals.entries()) {
      const words = literals[literal] ?? ''
      for (let start = folded.indexOf(words); start !== -1; start = folded.indexOf(words, start + 1))
        found.push({ literal, start, end: start + length })
    }
    found.sort((a, b) => a.end - b.end || a.start - b.start)
    for (const { literal, start } of found) visit(literal, start)
  }
}

function buildFinder(literals: readonly string[]): LiteralFinder {
  const classes = new Uint16Array(UNITS)
  let classCount = 1
  for (const unit of new Set(literals.join(''))) {
    for (const form of [unit, unit.toUpperCase()]) if (form.length === 1) classes[form.charCodeAt(0)] = classCount
    classCount += 1
  }
  const { next, found, shorter } = buildAutomaton(literals, classes, classCount)
  const lengths = literals.map(({ length }) => length)
  return (text, visit) => {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = next[state * classCount + (classes[text.charCodeAt(at)] ?? 0)] ?? 0
      for (let node = state; node > 0; node = shorter[node] ?? 0) {
        const literal = found[node] ?? END_OF_LIST
        if (literal !== END_OF_LIST) visit(literal, at + 1 - (lengths[literal] ?? 0))
      }
    }
  }
}

interface Automaton {
  /** The state after a state and a class of characters. */
  next: Uint16Array
  /** The literal that ends in a state. */
  found: Int32Array
  /** The next shorter state in which a literal ends; 0 for none. A state without any points to 0 and has no literal. */
  shorter: Uint16Array
}

function buildAutomaton(literals: readonly string[], classes: Uint16Array, classCount: number): Automaton {
  const capacity = 1 + literals.reduce((sum, { length }) => sum + length, 0)
  const next = new Uint16Array(capacity * classCount)
  const found = new Int32Array(capacity).fill(END_OF_LIST)
  const shorter = new Uint16Array(capacity)
  const fallback = new Uint16Array(capacity)
  let states = 1
  for (const [number, literal] of literals.entries()) {
    let state = 0
    for (const unit of literal) {
      const edge = state * classCount + (classes[unit.charCodeAt(0)] ?? 0)
      if (next[edge] === 0) {
        next[edge] = states
        states += 1
      }
      state = next[edge] ?? 0
    }
    found[state] = number
  }
  const queue: number[] = [...next.subarray(0, classCount)].filter((state) => state > 0)
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] ?? 0
    const back = fallback[state] ?? 0
    shorter[state] = found[back] === END_OF_LIST ? (shorter[back] ?? 0) : back
    for (let kind = 0; kind < classCount; kind += 1) {
      const edge = state * classCount + kind
      const after = next[edge] ?? 0
      if (after === 0) next[edge] = next[back * classCount + kind] ?? 0
      else {
        fallback[after] = next[back * classCount + kind] ?? 0
        queue.push(after)
      }
    }
  }
  return { next: next.slice(0, states * classCount), found, shorter }
}
