/** English names and numbers of the calendar, as patterns and as values. All patterns are lower-case sources without groups. */

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAY_NAMES = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')

export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\\.?'
export const WEEKDAY =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\\b'
/** A year that a note may speak of. */
export const YEAR = '(?:19|20)\\d{2}\\b'

const UNITS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  )
const TENTHS = 'twentieth thirtieth'.split(' ')

const TENS_WORD = `(?:${TENS.join('|')})`
const UNIT_WORD = `(?:${[...UNITS].reverse().join('|')})`

/** A count: digits or words up to ninety-nine, "a", "a couple of", "a few". */
export const COUNT = `(?:\\d{1,4}|${TENS_WORD}(?:[ -]${UNIT_WORD})?|${UNIT_WORD}|a couple(?: of)?|a few|couple(?: of)?|few|several|an?)\\b`
/** A day of the month with its ending or in words: 8th, twenty second. */
export const ORDINAL = `(?:\\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[ -](?:${ORDINALS.slice(0, 9).join('|')})|${[...ORDINALS, ...TENTHS].join('|')})\\b`
/** A day of the month in any form. */
export const DATE = `(?:${ORDINAL}|\\d{1,2}\\b|${TENS_WORD}(?:[ -]${UNIT_WORD})?\\b|${UNIT_WORD}\\b)`
/** A year in digits, shortened ('18), or in words (nineteen eighty six, two thousand nineteen). */
export const ANY_YEAR = `(?:(?:1\\d|20)\\d{2}\\b|’\\d{2}\\b|(?:nineteen|twenty)(?: hundred)?(?: and)? (?:${TENS_WORD}(?:[ -]${UNIT_WORD})?|${UNIT_WORD})\\b|two thousand(?: and)? (?:${TENS_WORD}(?:[ -]${UNIT_WORD})?|${UNIT_WORD})\\b)`

/** Every word of the numbers above. */
export const NUMBER_WORDS: readonly string[] = [...UNITS, ...TENS, ...ORDINALS, ...TENTHS, 'hundred', 'thousand']

const DIGITS_ONLY: readonly (readonly [string, string])[] = [
  [COUNT, '(?:\\d{1,4}|a couple(?: of)?|a few|couple(?: of)?|few|several|an?)\\b'],
  [ANY_YEAR, '(?:(?:1\\d|20)\\d{2}\\b|’\\d{2}\\b)'],
  [DATE, '(?:\\d{1,2}(?:st|nd|rd|th)\\b|\\d{1,2}\\b)'],
  [ORDINAL, '\\d{1,2}(?:st|nd|rd|th)\\b'],
]

/** The same pattern source for texts that spell no number: a fraction of the size, and so of the time to compile it. */
export function withoutNumberWords(source: string): string {
  return DIGITS_ONLY.reduce((text, [all, digits]) => text.replaceAll(all, digits), source)
}

/**
 * A character of a word, for folded text: letters and digits of scripts that put spaces between words. Ranges instead of
 * classes such as \p{L}, because compiling a hundred patterns with those takes longer than all matching.
 */
export const WORD_CHARACTER = '[0-9a-z_\\u00aa-\\u1fff]'

/** Lower case, one kind of apostrophe and space, every offset as it was. Patterns of dates are matched against folded text. */
export function foldForDates(text: string): string {
  // The one letter whose lower case is longer.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll("'", '’').replaceAll('\u00a0', ' ')
}

/** "morning", "late evening" behind a day. */
export const DAY_PART = '(?:\\s+(?:early |late )?(?:morning|afternoon|evening|night|noon)\\b)?'
/** What stands behind digits that are a date: not the rest of a time or of a range. */
export const NO_TIME = '(?!\\s*[:.]\\d|\\s*-\\s*\\d|\\s*(?:am|pm|a\\.m|p\\.m)\\b)'

/** 1–12, or 0 if the word is no month. */
export function readMonth(word: string): number {
  return MONTH_NAMES.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3))) + 1
}

/** 0 Monday – 6 Sunday. */
export function readWeekday(word: string): number {
  return WEEKDAY_NAMES.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)))
}

/** The value of a count, date or ordinal in digits or words; 0 if it has none. */
export function readNumber(words: string): number {
  const digits = /^\d+/.exec(words)
  if (digits !== null) return Number(digits[0])
  if (/couple/.test(words)) return 2
  if (/few|several/.test(words)) return 3
  if (/^an?$/.test(words)) return 1
  return words.split(/[ -]/).reduce((sum, word) => {
    if (UNITS.includes(word)) return sum + UNITS.indexOf(word) + 1
    if (ORDINALS.includes(word)) return sum + ORDINALS.indexOf(word) + 1
    if (TENS.includes(word)) return sum + (TENS.indexOf(word) + 2) * 10
    return TENTHS.includes(word) ? sum + (TENTHS.indexOf(word) + 2) * 10 : sum
  }, 0)
}

/** The year that ANY_YEAR or two digits stand for. */
export function readYear(words: string): number {
  const digits = /\d+/.exec(words)
  if (digits !== null) {
    const value = Number(digits[0])
    if (digits[0].length > 2) return value
    return value + (value < 70 ? 2000 : 1900)
  }
  if (words.startsWith('two thousand'))
    return (
      2000 +
      readNumber(
        words
          .slice('two thousand'.length)
          .replace(/\band\b/, '')
          .trim(),
      )
    )
  const [century = '', ...rest] = words.replace(/\b(?:hundred|and)\b/g, '').split(/\s+/)
  return readNumber(century) * 100 + readNumber(rest.join(' '))
}
