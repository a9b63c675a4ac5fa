import { blankCode } from '../blank-code.ts'
import { isNegation } from '../fact-words.ts'
import { findQuantities, type Quantity } from '../quantities.ts'
import { STOP_WORDS } from '../stop-words.ts'
import { foldText, tokensOfWord } from '../word-tokens.ts'
import { hasOpposite } from './opposites.ts'

/** A word that carries meaning, or a pair of characters of a script without spaces. Offsets are UTF-16 units of the whole text. */
export interface ContentWord {
  term: string
  /** As written, folded. */
  folded: string
  start: number
  end: number
  /** Place among all words of the statement, those without meaning of their own included. */
  position: number
  isName: boolean
  /** A function word that says which way something goes ("more", "before"): it is no subject of anything. */
  isDirection: boolean
}

/** One sentence or line of a text. */
export interface Statement {
  start: number
  end: number
  words: ContentWord[]
  quantities: Quantity[]
  /** Where it negates; `isInRun`: inside a run of a script without spaces, where nothing tells what is negated. */
  negations: { position: number; start: number; end: number; isInRun?: boolean }[]
  /** Positions at which a clause ends. */
  clauseEnds: number[]
  isQuestion: boolean
}

const BOUNDARY = /(?<=[.!?]["'”’)\]]?)\s+(?=[^\p{Ll}\s])|[。！？；]\s*|;\s+|\n+/gu
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[,;:()—]/gu
const CLAUSE_WORDS = new Set(
  'but because while although however though whereas since so and which who unless except'.split(' '),
)
const NEGATING_VERBS = new Set(
  'unable fail fails failed lack lacks lacked lacking refuse refuses refused cease ceased stopped absence longer neither hardly scarcely barely'.split(
    ' ',
  ),
)
/** What one does not know or is not sure of is not denied: a negation before one of these, in lower case, states nothing. */
const ATTITUDES = new Set(
  'sure certain know known understand think believe remember recall idea clue clear familiar confident wonder wait worry mind only just necessarily yet'.split(
    ' ',
  ),
)
/** Negations inside runs of scripts without spaces. */
const UNSPACED_NEGATION = /[不没沒無无未]|ない|ません|なかっ|않|없|아니|못하|ไม่/gu
const NEGATING_PAIR = /[不没沒無无未않없못]|ない|なか|せん|아니/
const NEXT = /\s(?:really |quite |even |too |so |very |entirely |completely |exactly )?([\p{L}]+)/uy
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const HAS_CAPITAL = /^\p{Lu}/u

/** Longest statement, UTF-16 units: what goes on without an end is cut, so that comparing two costs a bounded time. */
const MAX_STATEMENT_CHARS = 600
/** Values, and negations, of one statement that are looked at: more of them are a table. */
const MAX_VALUES = 16

/** The statements of a text, blocks of code left out. Linear in its length. */
export function readStatements(text: string): Statement[] {
  const prose = blankCode(text)
  const quantities = findQuantities(prose)
  const statements: Statement[] = []
  let from = 0
  let nextQuantity = 0
  const push = (end: number): void => {
    while (end - from > MAX_STATEMENT_CHARS) {
      const space = prose.lastIndexOf(' ', from + MAX_STATEMENT_CHARS)
      const cut = space > from ? space : from + MAX_STATEMENT_CHARS
      pushPiece(cut)
      from = cut
    }
    pushPiece(end)
  }
  const pushPiece = (end: number): void => {
    const first = nextQuantity
    while (nextQuantity < quantities.length && (quantities[nextQuantity]?.start ?? 0) < end) nextQuantity += 1
    const statement = readStatement(
      prose,
      from,
      end,
      quantities.slice(first, Math.min(nextQuantity, first + MAX_VALUES)),
    )
    if (statement.words.length > 0) statements.push(statement)
  }
  for (const match of prose.matchAll(BOUNDARY)) {
    push(match.index)
    from = match.index + match[0].length
  }
  push(prose.length)
  return statements
}

function readStatement(text: string, start: number, end: number, quantities: Quantity[]): Statement {
  const statement: Statement = {
    start,
    end,
    words: [],
    quantities,
    negations: [],
    clauseEnds: [],
    isQuestion: /[?？]\s*$/.test(text.slice(Math.max(start, end - 3), end + 1)),
  }
  let position = 0
  let quantity = 0
  for (const match of text.slice(start, end).matchAll(WORD)) {
    const raw = match[0]
    const at = start + match.index
    if (!/[\p{L}\p{N}]/u.test(raw)) {
      statement.clauseEnds.push(position)
      continue
    }
    position += 1
    const lower = raw.toLowerCase()
    while ((quantities[quantity]?.end ?? end) <= at) quantity += 1
    const isValue = (quantities[quantity]?.start ?? end) <= at
    if (isNegation(lower) || NEGATING_VERBS.has(lower)) {
      statement.negations.push({ position, start: at, end: at + raw.length })
      continue
    }
    if (CLAUSE_WORDS.has(lower)) statement.clauseEnds.push(position)
    if (!isValue) pushContent(statement, raw, at, position)
  }
  statement.negations = statement.negations
    .filter(({ end: after }) => !ATTITUDES.has(nextWord(text, after)))
    .slice(0, MAX_VALUES)
  return statement
}

function nextWord(text: string, from: number): string {
  NEXT.lastIndex = from
  return NEXT.exec(text)?.[1]?.toLowerCase() ?? ''
}

function pushContent(statement: Statement, raw: string, at: number, position: number): void {
  const folded = foldText(raw)
  const isUnspaced = UNSPACED.test(raw)
  if (isUnspaced) {
    for (const { index, 0: negation } of raw.matchAll(UNSPACED_NEGATION)) {
      statement.negations.push({ position, start: at + index, end: at + index + negation.length, isInRun: true })
    }
  }
  const isName = HAS_CAPITAL.test(raw) && statement.words.length + statement.negations.length > 0 && position > 1
  let pair = 0
  for (const { term, kind } of tokensOfWord(raw).tokens) {
    const isDirection = STOP_WORDS.has(folded)
    if (isDirection ? !hasOpposite(folded) : kind !== 'word') continue
    // A run without spaces gives pairs of characters, one place on each.
    const place = isUnspaced
      ? { start: at + Math.min(pair, raw.length - 1), end: at + Math.min(pair + 2, raw.length) }
      : { start: at, end: at + raw.length }
    pair += 1
    if (isUnspaced && NEGATING_PAIR.test(term)) continue
    statement.words.push({ term, folded: isUnspaced ? term : folded, ...place, position, isName, isDirection })
  }
}
