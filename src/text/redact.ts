import { SECRET_FORMS, type SecretForm } from './secret-forms.ts'

/** A text without its secrets, and how many of each kind were taken out. */
export interface Redaction {
  text: string
  found: Record<string, number>
}

/**
 * `NAME = value`, `"name": "value"`, `--name value`, from the telling end of the name on: `max_tokens`, `token_type` and
 * `tokenizer` do not end with it.
 */
const ASSIGNMENT =
  /(?<before>(?<name>pass(?:word|wd|phrase|code)|passwort|[_-]pass|pwd|secret|token|credential|(?:api|access|secret|private|encryption|signing|account|auth|master|license)[_-]?key(?:[_-]?id)?)["'`]?(?<sign>[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}|[ \t]{1,4}(?=["'`])|(?<=--[\w.-]{0,60})[ \t]{1,4}))(?:"(?<dq>[^"\n]{1,2000})"|'(?<sq>[^'\n]{1,2000})'|`(?<bt>[^`\n]{1,2000})`|(?<bare>[^\s"'`,;)}\]]{1,2000}))/gi
const ASSIGNMENT_HINT = /pass|pwd|secret|token|credential|key/i
/** Values that stand for a secret without being one. */
const PLACEHOLDER =
  /^(?:[<[{$%*]|x{3,}|\.{3}|-+$|your|my[-_]|example|changeme|placeholder|dummy|redacted|null$|undefined$|none$|true$|false$|nil$|string$|number$|boolean$|required|optional|process\.|os\.|env\.|import|config\.|self\.|this\.|await |new |get)/i
const PATH_LIKE = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$|^[A-Za-z]:\\|:\/\//
/** A property of something (`form.password`), not a value. */
const EXPRESSION = /^[A-Za-z_$][A-Za-z_$]*(?:\??\.[A-Za-z_$]+)+$/
const MIN_SECRET_CHARS = 6
const MIN_ENTROPY_BITS = 2.5

/**
 * Replaces secrets by `[redacted:<kind>]` and keeps the words around them. Knows the tokens of the common services, keys,
 * headers, URLs with credentials, and assignments to names that say secret. Line breaks inside a secret stay, so that the
 * number of lines does not change. Idempotent.
 */
export function redactSecrets(text: string): Redaction {
  const found: Record<string, number> = {}
  const lower = text.toLowerCase()
  let result = text
  for (const form of SECRET_FORMS) {
    if (hasHint(lower, form)) result = replaceForm(result, form, found)
  }
  if (ASSIGNMENT_HINT.test(lower)) result = replaceAssignments(result, found)
  return { text: result, found }
}

function hasHint(lower: string, form: SecretForm): boolean {
  return typeof form.hint === 'string' ? lower.includes(form.hint) : form.hint.some((hint) => lower.includes(hint))
}

function replaceForm(text: string, form: SecretForm, found: Record<string, number>): string {
  return text.replace(form.pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const { before = '', after = '' } = typeof groups === 'object' && groups ? (groups as Record<string, string>) : {}
    found[form.kind] = (found[form.kind] ?? 0) + 1
    return `${before}${marker(form.kind, match)}${after}`
  })
}

/** An assignment as found in a text. */
interface Assignment {
  /** The whole name, what stands before its telling end included. */
  name: string
  sign: string
  value: string
  isQuoted: boolean
  /** The character after the value. */
  next: string
}

function replaceAssignments(text: string, found: Record<string, number>): string {
  return text.replace(ASSIGNMENT, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    const offset = rest.at(-3) as number
    const value = groups.dq ?? groups.sq ?? groups.bt ?? groups.bare ?? ''
    const isQuoted = groups.bare === undefined
    const name = (/[\w.-]{0,60}$/.exec(text.slice(Math.max(0, offset - 60), offset))?.[0] ?? '') + (groups.name ?? '')
    const next = text.charAt(offset + match.length)
    if (!isSecretValue({ name, sign: groups.sign ?? '', value, isQuoted, next })) return match
    const kind = /pass|pwd/i.test(name) ? 'password' : 'secret'
    found[kind] = (found[kind] ?? 0) + 1
    const before = groups.before ?? ''
    const quote = isQuoted ? match.charAt(before.length) : ''
    return `${before}${quote}${marker(kind, value)}${quote}`
  })
}

/** Strict where prose or code is likely (`password: required`, `password=hashed`), lenient in a setting (`DB_PASSWORD=letmein`). */
function isSecretValue({ name, sign, value, isQuoted, next }: Assignment): boolean {
  if (value.length < MIN_SECRET_CHARS || PLACEHOLDER.test(value) || PATH_LIKE.test(value) || /\s/.test(value))
    return false
  if (!isQuoted && (/[([{]/.test(value) || EXPRESSION.test(value))) return false
  if (/^\d+(?:\.\d+)?[a-z]{0,3}$/i.test(value)) return false
  const isWord = /^[A-Za-z_]+$/.test(value)
  if (/^=/.test(sign.trim()) && isSettingName(name) && /pass|pwd|secret/i.test(name)) return true
  if (sign === '=' && /pass|pwd|secret/i.test(name)) return isQuoted || !isWord || !/[,)\s]/.test(next)
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length
  const isMixed = /\d/.test(value) ? classes >= 2 : classes >= 3
  return isMixed && entropyBits(value) >= MIN_ENTROPY_BITS
}

function isSettingName(name: string): boolean {
  return /^[A-Z][A-Z\d_]+$/.test(name)
}

/** Shannon entropy of the characters, bits each. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

function marker(kind: string, secret: string): string {
  const lineBreaks = secret.includes('\n') ? '\n'.repeat(secret.split('\n').length - 1) : ''
  return `[redacted:${kind}]${lineBreaks}`
}
