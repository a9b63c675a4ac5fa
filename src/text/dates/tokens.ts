import { existingDay } from './calendar.ts'
import { findWrittenDates } from './find-dates.ts'
import type { Lexicon } from './lexicon/read-lexicon.ts'
import type { Roles, Step } from './lexicon/roles.ts'
import { foldForDates } from './words.ts'

/** A word or number of a text, or several that make one; words that say nothing of time have no role. */
export interface Token {
  /** Offsets, `to` exclusive. */
  from: number
  to: number
  roles: Roles
}

const PIECE =
  /\d{1,2}:\d{2}(?::\d{2})?|(?<![\p{L}\d/._-])\d{1,2}(?:\/\d{1,2}\/(?:\d{4}|\d{2})|\.\d{1,2}\.\d{4}|-\d{1,2}-\d{4}|\/\d{1,2})(?![\d/]|\.\d)|\d+(?:[.,]\d+)+|\d+|[qt][1-4](?![\p{L}\d])|[\p{L}\p{M}]+|[^\s]/gu
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〇]/u
const HANGUL = /\p{Script=Hangul}/u
const ORDINAL_ENDING = /^(?:er|re|º|ª|o|a|e|ème|eme|ste|de|ro|ra|do|da|to|ta|mo|ma|वां|वें|वीं|ый|й|го|ое)$/
const PUNCTUATION_FILLER = /^[-/.,(、，·’)（）]$/
const RANGE_SIGN = /^[-–—~～〜]$/
const HAN_DIGITS = '〇一二三四五六七八九'
const HAN_NUMBER = /^[〇零一二三四五六七八九十百千两兩廿]+/
const MAX_WORDS = 4
/** Characters behind digits that tell what they are. */
const AFTER_CHARS = 12
/** Nothing, a sign, or the word before a time of day. */
const COUNTS_NOTHING = /^\s*(?:$|[^\s\p{L}\p{M}\d%])|^\s+(?:um|à|a|as|às|alle|om|entre|zwischen|tussen|को)\s/u
const FULL_DATE = /^\d{1,2}(?:\/\d{1,2}\/(?:\d{2}|\d{4})|\.\d{1,2}\.\d{4}|-\d{1,2}-\d{4})$/

/** Folds as foldForDates, and digits of all scripts to ASCII, every offset as it was. */
export function foldDigits(text: string): string {
  return foldForDates(text).replace(/[０-９٠-٩۰-۹०-९]/g, (digit) => {
    const zero = [0xff10, 0x0660, 0x06f0, 0x0966].find(
      (start) => digit.charCodeAt(0) - start < 10 && digit.charCodeAt(0) >= start,
    )
    return String(digit.charCodeAt(0) - (zero ?? 0))
  })
}

/** The words of a text with what they can be in a language; steps ("3 weeks"), dates and years are one token each. */
export function readTokens(text: string, lexicon: Lexicon, timeZone: string): Token[] {
  const folded = foldDigits(text)
  const written = findWrittenDates(folded, timeZone)
  const pieces = [...folded.matchAll(PIECE)].map((match) => ({ at: match.index, text: match[0] }))
  const tokens: Token[] = []
  let end = 0
  for (let i = 0; i < pieces.length; i++) {
    const whole = pieces[i]
    if (whole === undefined || whole.at + whole.text.length <= end) continue
    // What is written together with a date in full goes on behind it.
    const piece = whole.at < end ? { at: end, text: whole.text.slice(end - whole.at) } : whole
    pieces[i] = piece
    const date = written.find(({ index }) => index === piece.at)
    const found = date
      ? [{ from: date.index, to: date.index + date.length, roles: { day: date.day } }]
      : readPiece(pieces, i, folded, lexicon)
    tokens.push(...found)
    end = found.at(-1)?.to ?? piece.at + piece.text.length
  }
  return joinTokens(tokens, lexicon.hasMarks)
}

interface Piece {
  at: number
  text: string
}

function readPiece(pieces: readonly Piece[], i: number, folded: string, lexicon: Lexicon): Token[] {
  const piece = pieces[i] ?? { at: 0, text: '' }
  const whole = (roles: Roles, to = piece.at + piece.text.length): Token[] => [{ from: piece.at, to, roles }]
  if (/^\d/.test(piece.text)) return whole(...readDigits(pieces, i, folded))
  if (UNSPACED.test(piece.text)) return scanUnspaced(piece, lexicon)
  for (let count = Math.min(MAX_WORDS, pieces.length - i); count > 1; count--) {
    const last = pieces[i + count - 1] ?? piece
    const phrase = folded.slice(piece.at, last.at + last.text.length)
    const roles = lexicon.words.get(phrase.replace(/\s+/g, ' '))
    if (roles !== undefined) return whole(roles, piece.at + phrase.length)
  }
  if (/^[qt]\d$/.test(piece.text)) return whole({ quarter: Number(piece.text.slice(1)) })
  const roles = lookUp(piece.text, lexicon)
  if (roles !== undefined) return whole(roles)
  if (RANGE_SIGN.test(piece.text)) return whole({ to: true, filler: true })
  return whole(PUNCTUATION_FILLER.test(piece.text) ? { filler: true } : {})
}

function lookUp(word: string, { words, endings, beginnings }: Lexicon): Roles | undefined {
  const known = words.get(word)
  if (known !== undefined) return known
  for (const beginning of beginnings) {
    const rest = word.startsWith(beginning) ? words.get(word.slice(beginning.length)) : undefined
    if (rest !== undefined) return rest
  }
  for (let length = word.length - 1; length >= 2 && endings.size > 0; length--)
    if (endings.has(word.slice(length))) {
      const roles = words.get(word.slice(0, length))
      if (roles !== undefined) return roles
    }
  return undefined
}

/** Roles of digits, and where they end: ordinal endings belong to them. */
function readDigits(pieces: readonly Piece[], i: number, folded: string): [Roles, number] {
  const { at, text } = pieces[i] ?? { at: 0, text: '' }
  const end = at + text.length
  const behind = folded.slice(end, end + AFTER_CHARS)
  if (!/^\d+$/.test(text)) return [separatedRoles(text, behind), end]
  const value = Number(text)
  const next = pieces[i + 1]
  const isEnding = next !== undefined && next.at === end && ORDINAL_ENDING.test(next.text)
  const isPoint = /^\.(?=\s*[^\s\d])/.test(behind)
  const isDegree = /^\.?[º°ªo]/.test(behind) && !isEnding
  return [
    {
      ...numberRoles(value, text, isEnding || isPoint || isDegree),
      ...(COUNTS_NOTHING.test(behind) && { isBare: true as const }),
    },
    isEnding ? next.at + next.text.length : end,
  ]
}

/** 5/3/2025 and 5.3.2025 are days, 5/3 and 5.3. may be; versions, decimals and times are none. */
function separatedRoles(text: string, behind: string): Roles {
  const parts = text.split(/[/.-]/).map(Number)
  const [first = 0, second = 0, third = 0] = parts
  if (FULL_DATE.test(text)) {
    const year = third < 100 ? third + (third < 70 ? 2000 : 1900) : third
    const day = existingDay(year, second, first) ?? existingDay(year, first, second)
    return day === undefined ? {} : { day }
  }
  const isDayAndMonth = text.includes('/') || /^(?:\.|\s*(?:$|[,;!?)–-]))/.test(behind)
  return /^\d{1,2}[/.]\d{1,2}$/.test(text) && isDayAndMonth ? { dayAndMonth: [first, second] } : {}
}

function numberRoles(value: number, written: string, isOrdinal: boolean): Roles {
  return {
    number: value,
    ...(isOrdinal && { ordinal: value }),
    ...(value >= 1 && value <= 31 && { date: value }),
    ...(/^(?:1[6-9]|20)\d\d$/.test(written) && { year: value }),
  }
}

/**
 * The longest words of a text without spaces. In Korean, where words have spaces and endings, a syllable alone says nothing
 * in a word that is not explained to its end (주세요 is no week).
 */
function scanUnspaced(piece: Piece, lexicon: Lexicon): Token[] {
  const tokens = longestWords(piece, lexicon)
  const isExplained = !HANGUL.test(piece.text) || tokens.every(({ roles }) => Object.keys(roles).length > 0)
  return isExplained ? tokens : tokens.map((token) => (token.to - token.from > 1 ? token : { ...token, roles: {} }))
}

function longestWords(piece: Piece, { words, longest }: Lexicon): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < piece.text.length; ) {
    const [length, roles] = longestAt(piece.text, i, words, longest)
    tokens.push({ from: piece.at + i, to: piece.at + i + length, roles })
    i += length
  }
  return tokens
}

function longestAt(text: string, at: number, words: ReadonlyMap<string, Roles>, longest: number): [number, Roles] {
  const han = HAN_NUMBER.exec(text.slice(at))?.[0] ?? ''
  for (
    let length = Math.min(longest, text.length - at);
    length > han.length || (length > 0 && length === han.length);
    length--
  ) {
    const roles = words.get(text.slice(at, at + length))
    if (roles !== undefined && !isCutShort(text, at + length)) return [length, roles]
  }
  if (han === '') return [1, {}]
  const value = readHanNumber(han)
  const isYear = han.length === 4 && !/[十百千]/.test(han)
  // 周 is part of the word before it in 上周五.
  const isWeekday = han.length === 1 && value >= 1 && value <= 6
  return [
    han.length,
    {
      ...numberRoles(value, isYear ? String(value) : '', false),
      ...(isWeekday && { weekNumber: value }),
    },
  ]
}

/** Whether a word in katakana goes on: クリスマスツリー is no クリスマス. */
function isCutShort(text: string, end: number): boolean {
  return /^[ァ-ヺー]{2}/.test(text.slice(end - 1, end + 1))
}

/** 二〇〇四 by places, 二十三 by words. */
function readHanNumber(text: string): number {
  const digitOf = (sign: string): number => (/[两兩]/.test(sign) ? 2 : sign === '零' ? 0 : HAN_DIGITS.indexOf(sign))
  if (!/[十百千廿]/.test(text)) return Number([...text].map(digitOf).join(''))
  let [sum, digit] = [0, 0]
  for (const sign of text.replaceAll('廿', '二十')) {
    const place = { 十: 10, 百: 100, 千: 1000 }[sign]
    if (place === undefined) digit = digitOf(sign)
    else {
      sum += (digit || 1) * place
      digit = 0
    }
  }
  return sum + digit
}

/** Numbers with the unit or mark behind them become steps, dates, months and years. */
function joinTokens(tokens: readonly Token[], hasMarks: boolean): Token[] {
  const joined: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    const next = tokens[i + 1]
    if (token === undefined) continue
    const { number } = token.roles
    const value = number ?? token.roles.ordinal
    const date = token.roles.date ?? (value !== undefined && value <= 31 ? value : undefined)
    const dated: Token = date === undefined ? token : { ...token, roles: { ...token.roles, date } }
    const roles = number === undefined || next === undefined ? undefined : countedRoles(dated.roles, number, next.roles)
    if (roles === undefined || next === undefined) joined.push(hasMarks ? withoutDate(token) : dated)
    else {
      joined.push({ from: token.from, to: next.to, roles })
      i++
    }
  }
  return joinSteps(joined)
}

function countedRoles(
  roles: Roles,
  number: number,
  { unit, yearMark, monthMark, dateMark, ordinalMark }: Roles,
): Roles | undefined {
  const year = roles.year ?? (yearMark && number >= 60 && number < 100 ? 1900 + number : undefined)
  const counted: Roles = {
    ...(ordinalMark && { ordinal: number }),
    ...(unit && roles.year === undefined && number < 1000 && { steps: [{ count: number, unit }] }),
    ...(yearMark && year !== undefined && { year, isMarked: true as const }),
    ...(monthMark && number >= 1 && number <= 12 && { month: number, isMarked: true as const }),
    ...(dateMark && roles.date !== undefined && { date: roles.date, isMarked: true as const }),
  }
  return Object.keys(counted).length === 0 ? undefined : counted
}

/** Where dates have marks, a number without one is none. */
function withoutDate(token: Token): Token {
  const { date: _, ...roles } = token.roles
  return { ...token, roles }
}

/** "3 months and 2 weeks". */
function joinSteps(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) continue
    const before = joined.at(-1)
    const isAnd = before !== undefined && (before.roles.and || before.roles.filler)
    const target = isAnd ? joined.at(-2) : before
    const steps: readonly Step[] | undefined = target?.roles.steps
    if (target === undefined || steps === undefined || token.roles.steps === undefined || token.roles.isMarked)
      joined.push(token)
    else {
      if (isAnd) joined.pop()
      joined.pop()
      joined.push({ from: target.from, to: token.to, roles: { steps: [...steps, ...token.roles.steps] } })
    }
  }
  return joined
}
