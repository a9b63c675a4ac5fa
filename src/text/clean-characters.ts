/** Terminal control: CSI and OSC sequences, string sequences, two-character escapes. Every part is bounded or excludes its own start. */
const ANSI =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|\x1b[PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|\x1b[ -/]{0,4}[0-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b/g
/** With all of the character before it, which may be two units long. */
const OVERSTRIKE = /[^\n\x08]\x08/gu
const LINE_CONTROL = /[\x0b\x0c\x85\u2028\u2029]/g
const CONTROL = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g
const NEEDS_CARE = /[^\t\n\x20-\x7e]/

/**
 * Flags of England, Scotland and Wales (the only tag sequences in use), then whatever a reader does not see: soft hyphen, fillers,
 * zero-width characters, direction overrides, tags, variation selectors.
 */
const HIDDEN =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}#*0-9]|\ufe0f/u
const MONGOLIAN = /\p{Script=Mongolian}/u
const IDEOGRAPH = /\p{Script=Han}/u

/**
 * Text as a person sees it: no terminal escapes, no control or hidden characters, line ends as `\n`. Emoji sequences
 * and the joiners of scripts that need them stay. The number of lines is that of the text split at `\n` or `\r\n`.
 */
export function cleanCharacters(text: string): string {
  if (!NEEDS_CARE.test(text)) return text
  return text
    .replace(/(?<!\r)\r+\n/g, '\n')
    .replace(ANSI, '')
    .replace(OVERSTRIKE, '')
    .replace(/\r/g, ' ')
    .replace(LINE_CONTROL, ' ')
    .replace(CONTROL, '')
    .replace(HIDDEN, keepIfVisible)
}

/** Characters with which words are hidden or turned around: tags, direction overrides and isolates. */
const COVERT = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** How many characters that serve to deceive `cleanCharacters` took out of a text; those of a legal flag are none. */
export function countCovertCharacters(text: string): number {
  COVERT.lastIndex = 0
  if (!COVERT.test(text)) return 0
  return (text.match(COVERT)?.length ?? 0) - (cleanCharacters(text).match(COVERT)?.length ?? 0)
}

/** What a match of HIDDEN becomes: itself where it is part of what one sees, else nothing. */
function keepIfVisible(match: string, offset: number, whole: string): string {
  const code = match.codePointAt(0) ?? 0
  if (code === 0x1f3f4) return match
  const before = lastCharacter(whole, offset)
  if (code === 0x200d || code === 0x200c) {
    const after = String.fromCodePoint(whole.codePointAt(offset + match.length) ?? 0)
    const joinsEmoji = code === 0x200d && PICTOGRAPH.test(before) && PICTOGRAPH.test(after)
    // At the end of a word too: Malayalam and Bengali write final consonants so.
    return joinsEmoji || JOINING_SCRIPT.test(before) ? match : ''
  }
  if (code === 0xfe0e || code === 0xfe0f) return PICTOGRAPH.test(before) && before !== match ? match : ''
  if (code >= 0x180b && code <= 0x180f) return MONGOLIAN.test(before) ? match : ''
  const selectsIdeograph = (code >= 0xfe00 && code <= 0xfe02) || (code >= 0xe0100 && code <= 0xe01ef)
  return selectsIdeograph && IDEOGRAPH.test(before) ? match : ''
}

function lastCharacter(text: string, end: number): string {
  if (end === 0) return ''
  const low = text.charCodeAt(end - 1)
  const isPair = low >= 0xdc00 && low <= 0xdfff && end > 1
  return isPair ? text.slice(end - 2, end) : text.charAt(end - 1)
}
