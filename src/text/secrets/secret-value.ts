/** Values that stand for a secret without being one. */
const PLACEHOLDER =
  /^(?:[<[{]|\$[\w{(]|%[A-Z_]+%|%\(|\*+$|x{3,}|\.{3}|-+$|your|my[-_]|example|changeme|change_me|placeholder|dummy|sample|insert|enter|replace|todo|redacted|null\b|undefined|none$|true$|false$|nil$|string|number|boolean|required|optional|process\.|os\.|env\.|import|config\.|self\.|this\.|await |new |get)|(?:x{6,}|\*{4,}|\.{3,}|…$)|_here$|-here$|placeholder|(?:^|[-_])example|redacted/i
const PATH_LIKE = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$|^[A-Za-z]:\\|:\/\//
/** The name of a type or a variable (`Ed25519PrivateKey`), not a value. */
const NAME_OF_SECRET = /^[A-Za-z_][\w.|]*(?:Key|Token|Secret|Credentials?)$|^[A-Za-z_.]+(?:Password|_password)$/
const NUMBER = /^[\d.,]+[a-z%]{0,3}$/i
/** Longer than any time or count is written. */
const LONG_NUMBER = /^\d{18,60}$|^\d{15}$/
const DATE_OR_VERSION = /^\d{4}-\d\d-\d\d|^v?\d+(?:\.\d+)+(?:-[a-z]+[.\d]*)?$|^\d\d?:\d\d/i
/** Words with numbers at their end: names of things. */
const SLUG =
  /^[a-z]+(?:[-_.:/][a-z]+)*(?:[-_.:/]?v?\d{1,4})?$|^[A-Z]+(?:_[A-Z]+)*(?:_?\d{1,3})?$|^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{0,2}$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Letters alone are drawn at random, not a name in humps, when the case changes after at least this share of them. */
const MIN_CASE_CHANGES = 0.33
const MIN_LETTERS = 12
const PLAIN_CHARACTERS = /^[\w+/=.~:|%-]+$/

/** How sure a name makes that its value is a secret. */
export type NameStrength = 'password' | 'secret' | 'weak'

const MIN_CHARS: Record<NameStrength, number> = { password: 6, secret: 8, weak: 16 }
const MIN_ENTROPY_BITS: Record<NameStrength, number> = { password: 2.5, secret: 2.5, weak: 3 }

/** True of what no name makes a secret: stand-ins, paths, expressions of code, numbers, dates, versions. */
export function isStandIn(value: string): boolean {
  return (
    PLACEHOLDER.test(value) ||
    PATH_LIKE.test(value) ||
    NAME_OF_SECRET.test(value) ||
    NUMBER.test(value) ||
    DATE_OR_VERSION.test(value)
  )
}

/** True of a value that looks drawn at random, or chosen as a password is: characters of several classes, few of them repeated. */
export function looksSecret(value: string, strength: NameStrength): boolean {
  if (strength === 'secret' && LONG_NUMBER.test(value)) return true
  if (value.length < MIN_CHARS[strength] || /\s/.test(value) || isStandIn(value)) return false
  if (strength !== 'password' && SLUG.test(value)) return false
  if (strength !== 'weak' && changesCase(value)) return true
  if (strength === 'weak' && (UUID.test(value) || !PLAIN_CHARACTERS.test(value))) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length
  const isMixed = /\d/.test(value) ? classes >= 2 : strength !== 'weak' && classes >= 3
  return isMixed && entropyBits(value) >= MIN_ENTROPY_BITS[strength]
}

function changesCase(value: string): boolean {
  if (value.length < MIN_LETTERS || !/^[A-Za-z]+$/.test(value)) return false
  let changes = 0
  for (let at = 1; at < value.length; at += 1) {
    const isUpper = value.charCodeAt(at) < 97
    if (isUpper !== value.charCodeAt(at - 1) < 97) changes += 1
  }
  return changes >= value.length * MIN_CASE_CHANGES
}

/** Shannon entropy of the characters, bits each. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
