import type { Roles } from './lexicon/roles.ts'
import type { Token } from './tokens.ts'

/** A role that the next word must have; with `?` it may be missing. */
export type Element = keyof Roles | `${keyof Roles}?`

export interface TokenMatch {
  /** For each element the token that has its role; undefined where an optional one is missing. */
  found: readonly (Roles | undefined)[]
  /** Index of the token behind. */
  end: number
}

const MAX_FILLERS = 3

/** Matches words in this order from a token on; words that are only filler are skipped between them. */
export function matchTokens(
  tokens: readonly Token[],
  at: number,
  elements: readonly Element[],
): TokenMatch | undefined {
  const [element, ...rest] = elements
  if (element === undefined) return { found: [], end: at }
  const isOptional = element.endsWith('?')
  const role = (isOptional ? element.slice(0, -1) : element) as keyof Roles
  const place = nextWith(tokens, at, role)
  if (place !== undefined) {
    const behind = matchTokens(tokens, place + 1, rest)
    if (behind !== undefined) return { found: [tokens[place]?.roles, ...behind.found], end: behind.end }
  }
  if (!isOptional) return undefined
  const without = matchTokens(tokens, at, rest)
  return without && { found: [undefined, ...without.found], end: without.end }
}

function nextWith(tokens: readonly Token[], at: number, role: keyof Roles): number | undefined {
  for (let i = at; i <= at + MAX_FILLERS; i++) {
    const roles = tokens[i]?.roles
    if (roles === undefined) return undefined
    if (roles[role] !== undefined) return i
    if (!roles.filler) return undefined
  }
  return undefined
}

/** The first token from here on that is not only filler. */
export function skipFillers(tokens: readonly Token[], at: number): number {
  let i = at
  while (i < at + MAX_FILLERS && tokens[i]?.roles.filler) i++
  return i
}
