import { isNegation } from './fact-words.ts'

const NON_ASCII = /[^\x00-\x7f]/
/** ASCII as East Asian keyboards write it. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
/** Hyphens that do not break, the minus sign, and the dash of a range. */
const HYPHEN = /[\u2010\u2011\u2212]|(?<=\p{N})\u2013(?=\p{N})/gu

const HAS_FENCE = /^ {0,3}(?:```|~~~)/m
const FENCE = /^ {0,3}(`{3,}|~{3,}(?!~))[ \t]*([^\n`]*)\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm
const MAY_HAVE_MARKS = /(?:^|\n)[ \t]*[-*_>#•]|[*_`[]/
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/gm
const LINE_MARK = /^((?:[ \t]*>(?=[ \t]))*)([ \t]*)(#{1,6}|[-*•])[ \t]+/gm
const QUOTE_MARK = /^(?:[ \t]*>(?=[ \t]))+/gm
const TASK_BOX = /\[([ xX])\](?=[ \t])/g
/** Inline code, and words between marks of emphasis: in one paragraph, and touching no word outside. */
const CODE_OR_EMPHASIS = new RegExp(
  [
    String.raw`(?<![\p{L}\p{M}\p{N}${'`'}])${'`'}([^${'`'}\n]+)${'`'}(?![\p{L}\p{M}\p{N}${'`'}])`,
    String.raw`(?<![\p{L}\p{M}\p{N}*_])(\*{1,3})(?=[^\s*])((?:[^*\n]|\n(?!\s))*[^*\s])\2(?![\p{L}\p{M}\p{N}*_])`,
    String.raw`(?<![\p{L}\p{M}\p{N}*_])(_{1,3})(?=[^\s_])((?:[^_\n]|\n(?!\s))*[^_\s])\4(?![\p{L}\p{M}\p{N}*_])`,
  ].join('|'),
  'gu',
)
/** Code that reads the same without its marks: no signs, and no word that counts for less outside. */
const PLAIN_CODE = /^(?!(?:an?|the|please|btw|fyi)$)[\w\s./-]*$/i

/**
 * Code with marks in it, addresses, words with what joins their pieces, and every other visible character alone. Most texts are
 * ASCII and hold no address, and classes of Unicode are slow: each kind has an expression of its own.
 */
const ADDRESS = String.raw`[A-Za-z][A-Za-z0-9+.\-]{0,20}:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]]|`
const JOINED = (letter: string, digit: string): string =>
  String.raw`${letter}+(?:(?:[\-.:\/_'@&#\\+=]|(?<=${digit}),(?=${digit}))${letter}+)*`
const buildUnit = (letter: string, digit: string, address: string, flags: string): RegExp =>
  new RegExp(`\`[^\`\\n]+\`|${address}${JOINED(letter, digit)}|\\S`, flags)
const ASCII_UNITS = {
  plain: buildUnit('[A-Za-z0-9]', '[0-9]', '', 'y'),
  withAddress: buildUnit('[A-Za-z0-9]', '[0-9]', ADDRESS, 'y'),
}
const UNICODE_UNITS = {
  plain: buildUnit('[\\p{L}\\p{N}\\p{M}]', '\\p{N}', '', 'uy'),
  withAddress: buildUnit('[\\p{L}\\p{N}\\p{M}]', '\\p{N}', ADDRESS, 'uy'),
}
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u
const IS_PLAIN = /^[\p{L}\p{M}]+(?:[-'][\p{L}\p{M}]+)*$/u
const ENDS_IN_DIGIT = /\p{N}$/u
const STARTS_WITH_DIGIT = /^\p{N}/u
const WHITE_SPACE = /\s/
const SMALL_LETTER = /\p{Ll}/u
const AFTER_ARTICLE = /[\p{L}\p{N}"'“„«([*_`]/u
const CONSONANT = /[bcdfgjklmnpqrstvwxyz]/i
const UPPER_START = /^\p{Lu}/u

const SEPARATORS = new Set('.,;:!…。、।—–')
const QUOTES = new Set('"\'`“”„‚«»‹›「」『』')
const OPENING = new Set('([（【')
const CLOSING = new Set(')]）】')

/** Words that a text loses nothing with, wherever they stand. */
const ARTICLES = new Set(['a', 'an', 'the'])
const MAX_ARTICLE_CHARS = 3
/** The same at the start of a sentence. */
const COURTESIES = new Set(['please', 'btw', 'fyi'])
/** Words that are others in capitals, and words that are others with a capital. */
const OTHER_IN_CAPITALS = new Set(['us', 'it', 'who', 'aids'])
const OTHER_WITH_CAPITAL = new Set(['polish', 'turkey', 'china'])
/** Longest unit of measure that its case can change, in characters: mW and MW, Gb and GB. */
const MAX_UNIT_CHARS = 2

/**
 * What a text says without how it is written: texts with equal normal forms differ in white space, Markdown marks, quotation
 * marks, separating punctuation, letter case, typographic variants of a character, articles and opening courtesies, and in
 * nothing else. Whatever may carry a fact stays, in order: every other word as it is inflected, numbers with sign, unit and
 * decimal mark, question marks, symbols, identifiers and units in their case, code to the letter, the box of a task, the
 * depth of an item, and punctuation that a negation, a number or a name leans on.
 *
 * Equality of normal forms is an equivalence, so that near duplicates need no search: their hashes are equal, in whatever
 * order they come. A sketch that estimates resemblance (Broder 1997, "On the resemblance and containment of documents")
 * would find more pairs, and each of these has a word that only one of the texts holds.
 */
export function toNormalForm(text: string): string {
  const source = NON_ASCII.test(text) ? unifyCharacters(text) : text
  if (!HAS_FENCE.test(source)) return joinUnits(removeMarks(source))
  const parts: string[] = []
  let from = 0
  for (const fence of source.matchAll(FENCE)) {
    parts.push(joinUnits(removeMarks(source.slice(from, fence.index))))
    const [, , language = '', code = ''] = fence
    parts.push(`\n${language.trim()}\n${code.replace(/(?<![ \t])[ \t]+$/gm, '').trimEnd()}\n`)
    from = fence.index + fence[0].length
  }
  parts.push(joinUnits(removeMarks(source.slice(from))))
  return parts.join('').trim()
}

function unifyCharacters(text: string): string {
  return text
    .normalize('NFC')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(HYPHEN, '-')
    .replaceAll('’', "'")
}

/** Takes away what lays a text out in Markdown. An item below another keeps a sign of it. */
function removeMarks(text: string): string {
  if (!MAY_HAVE_MARKS.test(text)) return text
  return text
    .replace(RULE, '')
    .replace(LINE_MARK, (_, quotes: string, indent: string, mark: string) => {
      const isNested = indent.length > (quotes === '' ? 0 : 1)
      return isNested && !mark.startsWith('#') ? '↳ ' : ''
    })
    .replace(QUOTE_MARK, '')
    .replace(TASK_BOX, (_, state: string) => (state === ' ' ? '☐' : '☑'))
    .replace(
      CODE_OR_EMPHASIS,
      (whole: string, code?: string, _star?: string, starred?: string, _line?: string, lined?: string) => {
        if (starred !== undefined) return starred
        // A lone word between underscores may be a name: __init__.
        if (lined !== undefined) return lined.includes(' ') ? lined : whole
        return code !== undefined && PLAIN_CODE.test(code) ? code : whole
      },
    )
}

function joinUnits(text: string): string {
  const writer = new UnitWriter(text)
  const kind = NON_ASCII.test(text) ? UNICODE_UNITS : ASCII_UNITS
  const unit = text.includes('://') ? kind.withAddress : kind.plain
  for (let at = 0; at < text.length; ) {
    // Most units are words of small letters between spaces: an expression for each would take most of the time.
    const wordEnd = skipSmallLetters(text, at)
    const isWhole = wordEnd > at && isSpace(text.charCodeAt(wordEnd))
    if (isWhole) {
      writer.writeWord(text.slice(at, wordEnd), wordEnd, true)
      at = wordEnd
    } else {
      unit.lastIndex = at
      const found = unit.exec(text)?.[0]
      if (found !== undefined) writer.write(found, at)
      at += found?.length ?? 1
    }
    while (isSpace(text.charCodeAt(at))) at++
  }
  return writer.units.join(' ')
}

function skipSmallLetters(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code >= 97 && code <= 122; code = text.charCodeAt(at)) at++
  return at
}

/** Blank, tab or line end; other white space is left to the expressions. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Decides unit by unit what stays. */
class UnitWriter {
  readonly units: string[] = []
  readonly #text: string
  /** Separating punctuation since the last unit; '' when there was none. */
  #separator = ''
  /** The last word as it was written. */
  #lastRaw = ''
  /** For each open bracket, whether it stayed. */
  readonly #brackets: boolean[] = []

  constructor(text: string) {
    this.#text = text
  }

  write(unit: string, start: number): void {
    const end = start + unit.length
    if (startsWord(unit) || unit.length > 2) this.writeWord(unit, end)
    else if (this.#stays(unit, this.#text.charAt(start - 1), end)) this.#writeSymbol(unit)
  }

  #stays(symbol: string, before: string, end: number): boolean {
    const after = this.#text.charAt(end)
    if (SEPARATORS.has(symbol) || symbol === '-') return this.#staysSeparator(symbol, before, after)
    if (QUOTES.has(symbol)) return symbol !== '`' && ENDS_IN_DIGIT.test(before)
    if (OPENING.has(symbol)) {
      const stays = startsWord(before) || (isOperator(this.units.at(-1) ?? '') && this.#separator === '')
      this.#brackets.push(stays)
      return stays
    }
    if (!CLOSING.has(symbol)) return true
    return (this.#brackets.pop() ?? false) || startsWord(after) || isOperator(this.#nextVisible(end))
  }

  /** Separators stay as a part of what they touch: `.env`, `-5`, `!=`, `->`. Others are kept in mind for the next word. */
  #staysSeparator(symbol: string, before: string, after: string): boolean {
    const leads = startsWord(after) && !startsWord(before) && !CLOSING.has(before) && !QUOTES.has(before)
    if (symbol !== '—' && symbol !== '–' && symbol !== '…' && !SEPARATORS.has(before)) {
      if (leads || isOperator(after) || (symbol === '-' && isOperator(before))) return true
    }
    if (this.#separator === '' || this.#separator === '-') this.#separator = symbol
    return false
  }

  #nextVisible(from: number): string {
    let at = from
    while (WHITE_SPACE.test(this.#text.charAt(at))) at++
    return this.#text.charAt(at)
  }

  #writeSymbol(symbol: string): void {
    this.units.push(symbol)
    this.#separator = ''
    this.#lastRaw = ''
  }

  /** `isLower`: the caller knows that it is in lower case. */
  writeWord(raw: string, end: number, isLower = false): void {
    const lower = isLower ? raw : raw.toLowerCase()
    const separator = this.#separator
    if (raw.length <= MAX_ARTICLE_CHARS && ARTICLES.has(lower) && this.#isArticle(raw, end)) return
    if (separator !== '' || this.units.length === 0) {
      if (COURTESIES.has(lower)) return
      this.#writeSeparator(raw, lower, separator)
    }
    this.units.push(lower === raw ? raw : this.#foldCase(raw, lower))
    this.#separator = ''
    this.#lastRaw = raw
  }

  /** An article has a word after it; a label ("option a", "Key A") has none, or a capital where no sentence begins. */
  #isArticle(raw: string, end: number): boolean {
    if (!WHITE_SPACE.test(this.#text.charAt(end))) return false
    const next = this.#nextVisible(end)
    if (raw === 'A') return (this.units.length === 0 || this.#separator !== '') && SMALL_LETTER.test(next)
    return AFTER_ARTICLE.test(next) && (raw.toLowerCase() !== 'an' || !CONSONANT.test(next))
  }

  /** Two numbers, a negation and names are other things without the mark between them. */
  #writeSeparator(raw: string, lower: string, separator: string): void {
    const last = this.units.at(-1)
    if (last === undefined || separator === '') return
    const isBetweenNumbers = ENDS_IN_DIGIT.test(last) && STARTS_WITH_DIGIT.test(raw)
    const isBetweenNames = separator === ',' && UPPER_START.test(this.#lastRaw) && UPPER_START.test(raw)
    if (isBetweenNumbers) this.units.push(separator === '—' || separator === '–' ? '-' : separator)
    else if (isBetweenNames || isNegation(last) || isNegation(lower)) this.units.push(',')
  }

  /** Lower case, unless the case is a part of what is said. */
  #foldCase(raw: string, lower: string): string {
    if (raw === 'I') return lower
    if (raw.length === 1 || !IS_PLAIN.test(raw)) return raw
    const isUpper = raw === raw.toUpperCase()
    if (!isUpper && !raw.split(/[-']/).every((piece) => piece.slice(1) === piece.slice(1).toLowerCase())) return raw
    const isUnit = raw.length <= MAX_UNIT_CHARS && this.#separator === '' && ENDS_IN_DIGIT.test(this.#lastRaw)
    if (isUnit || (isUpper && OTHER_IN_CAPITALS.has(lower)) || OTHER_WITH_CAPITAL.has(lower)) return raw
    return lower
  }
}

/** Whether it begins with a letter or a digit. */
function startsWord(text: string): boolean {
  const code = text.charCodeAt(0)
  if (code >= 128) return LETTER_OR_DIGIT.test(text)
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

function isOperator(character: string): boolean {
  return character !== '' && '+-*/=<>^%|&~'.includes(character)
}
