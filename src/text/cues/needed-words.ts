import { STOP_WORDS } from '../stop-words.ts'

/**
 * What has to stand in a text for an expression to match there: of each way to match one word (ASCII letters with none of them beside it)
 * or one other character, in lower case. Null where there are ways that need neither. Reads what `cue-words.ts` uses of regular expressions;
 * whatever it does not know may be anything, so that it asks for too little rather than too much.
 */
export function neededWords({ source }: RegExp): string[] | null {
  const needed = new Set<string>()
  for (const way of new SourceReader(source).readAlternatives()) {
    const words = neededOf([ANYTHING, ...way, ANYTHING])
    if (words === null) return null
    for (const word of words) needed.add(word)
  }
  return [...needed]
}

/** A letter or other character that stands for itself, a sign for what is no word's part, one for what may be anything or nothing, or a choice. */
type Part = string | { ways: Part[][] }

const GAP = ' '
const ANYTHING = '\0'
/** Ways to write one piece of an expression that are looked at, beyond which it counts for nothing. */
const MAX_WRITINGS = 600

/** Of the pieces between gaps the one whose words are longest: it is seldom met where nothing is meant. */
function neededOf(way: readonly Part[]): string[] | null {
  const pieces: Part[][] = [[]]
  for (const part of way) {
    if (part === GAP) pieces.push([])
    else pieces.at(-1)?.push(part)
  }
  return pickBest(pieces.flatMap(neededOfPiece))
}

function neededOfPiece(piece: readonly Part[]): Array<string[] | null> {
  const isSeen = (part: Part): boolean => typeof part === 'string' || part.ways.some((way) => way.length > 0)
  const isGap = (part: Part): boolean => typeof part !== 'string' && part.ways.flat().every((one) => one === GAP)
  const seen = piece.filter(isSeen)
  const first = seen.find((part) => !isGap(part))
  const last = seen.findLast((part) => !isGap(part))
  const inChoices = piece.map((part) => {
    if (typeof part === 'string') return null
    // Beside others there may be anything on that side.
    const [before, after] = [part === first ? [] : [ANYTHING], part === last ? [] : [ANYTHING]]
    return join(part.ways.map((way) => neededOf([...before, ...way, ...after])))
  })
  if (seen.length === 1 && inChoices.some((words) => words !== null)) return inChoices
  return [join(write(piece)?.map((written) => toList(rarestWord(written)))), ...inChoices]
}

function toList(word: string | null): string[] | null {
  return word === null ? null : [word]
}

/** What is needed in one way or another; null where one needs nothing. */
function join(ways: Array<string[] | null> = []): string[] | null {
  const words: string[] = []
  for (const way of ways) {
    if (way === null) return null
    words.push(...way)
  }
  return words.length === 0 ? null : words
}

function pickBest(lists: ReadonlyArray<string[] | null>): string[] | null {
  return lists.reduce((best, one) => (one && (best === null || shortest(one) >= shortest(best)) ? one : best), null)
}

function shortest(words: readonly string[]): number {
  return Math.min(...words.map(weight))
}

/** How seldom something is met: long words are rarer than short ones, and a character of another script is rather rare. */
function weight(word: string): number {
  if (!/^[a-z]/.test(word)) return 4
  return STOP_WORDS.has(word) ? word.length / 10 : word.length
}

/** All ways to write parts, with gaps around them; null where they are too many. */
function write(parts: readonly Part[]): string[] | null {
  if (parts.every((part) => typeof part === 'string')) return [parts.join('')]
  let written = ['']
  for (const part of parts) {
    const ends: string[] = []
    for (const end of typeof part === 'string' ? [part] : part.ways.map(write)) {
      if (end === null) return null
      if (typeof end === 'string') ends.push(end)
      else ends.push(...end)
    }
    written = [...new Set(written.flatMap((start) => ends.map((end) => start + end)))]
    if (written.length > MAX_WRITINGS) return null
  }
  return written
}

/** The rarest of what are words for certain, the later of two; else another character. */
function rarestWord(written: string): string | null {
  const words = ` ${written} `.match(/(?<![a-z\0])[a-z]+(?![a-z\0])/g) ?? []
  const rarest = words.reduce((best, word) => (best === '' || weight(word) >= weight(best) ? word : best), '')
  return rarest === '' ? (/[^\0-\x7f‘-”]/.exec(written)?.[0] ?? null) : rarest
}

const CLOSING = { '(': ')', '[': ']', '{': '}' } as const

class SourceReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Up to the end, or to the parenthesis that closes a group. */
  readAlternatives(): Part[][] {
    const ways: Part[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1
        ways.push([])
      } else ways.at(-1)?.push(...this.#readRepeated())
    }
    return ways
  }

  /** An atom and how often it may stand. */
  #readRepeated(): Part[] {
    const atom = this.#readAtom()
    const mark = this.#source[this.#at] ?? ''
    if (!'?*+{'.includes(mark) || mark === '') return [atom]
    this.#at = mark === '{' ? this.#closing('{') + 1 : this.#at + 1
    if (this.#source[this.#at] === '?') this.#at += 1
    if (mark === '+' && atom === GAP) return [GAP]
    return [{ ways: [[], [mark === '?' || atom === GAP ? atom : ANYTHING]] }]
  }

  #readAtom(): Part {
    const start = this.#at
    const mark = this.#source[start] ?? ''
    this.#at += 1
    if (mark === '(') return this.#readGroup()
    if (mark === '[') {
      this.#at = this.#closing('[', start) + 1
      return toClass(this.#source.slice(start + 1, this.#at - 1))
    }
    if (mark === '^' || mark === '$') return GAP
    if (mark === '.') return ANYTHING
    return mark === '\\' ? this.#readEscape() : toCharacter(mark)
  }

  #readEscape(): Part {
    const mark = this.#source[this.#at] ?? ''
    this.#at += 1
    if ('bsW'.includes(mark)) return GAP
    if (mark === 'p') this.#at = this.#source.indexOf('}', this.#at) + 1
    return /[a-zA-Z]/.test(mark) ? ANYTHING : toCharacter(mark)
  }

  #readGroup(): Part {
    const [opening = ''] = /^\?(?::|[=!]|<[=!]|<\w+>)/.exec(this.#source.slice(this.#at)) ?? []
    if (/[=!]$/.test(opening)) return this.#readLook(opening)
    this.#at += opening.length
    const ways = this.readAlternatives()
    this.#at += 1
    return { ways }
  }

  /** What must not be a letter on either side is the border of a word. */
  #readLook(opening: string): Part {
    const inside = this.#source.slice(this.#at + opening.length)
    this.#at = this.#closing('(', this.#at - 1) + 1
    return opening.endsWith('!') && inside.startsWith('[\\p{L}') ? GAP : { ways: [[]] }
  }

  /** Where what was opened ends. */
  #closing(open: keyof typeof CLOSING, from = this.#at): number {
    let depth = 0
    let isClass = false
    for (let at = from; at < this.#source.length; at++) {
      const mark = this.#source[at] ?? ''
      if (mark === '\\') at += 1
      else if (isClass || (mark === '[' && open !== '[')) isClass = mark !== ']'
      else if (mark === open) depth += 1
      else if (mark === CLOSING[open] && --depth === 0) return at
    }
    return this.#source.length
  }
}

function toCharacter(mark: string): string {
  return /[\p{L}\p{N}_]/u.test(mark) ? mark.toLowerCase() : GAP
}

function toClass(members: string): Part {
  if (/^\^|\\|.-./.test(members)) return ANYTHING
  return { ways: [...new Set([...members].map(toCharacter))].map((member) => [member]) }
}
