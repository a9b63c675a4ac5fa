import { SECRET_FORMS, type SecretForm } from './secret-forms.ts'

/** A text without its secrets, and how many of each kind were taken out. */
export interface Redaction {
  text: string
  found: Record<string, number>
}

/**
 * `NAME = value`, `"name": "value"`, `--name value`: a name that says secret, then the value. The name ends with the telling
 * word, so that `max_tokens`, `token_type` and `tokenizer` are none.
 */
const ASSIGNMENT =
  /(?<![\w.-])(?<before>(?<name>[\w.-]{0,60}?(?:pass(?:word|wd|phrase|code)|passwort|[_-]pass|pwd|secret|token|credential|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key|auth[_-]?key|master[_-]?key|license[_-]?key))["'`]?(?<sign>[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}|[ \t]{1,4}(?=["'`])|(?<=--[\w.-]{0,60})[ \t]{1,4}))(?:"(?<dq>[^"\n]{1,2000})"|'(?<sq>[^'\n]{1,2000})'|`(?<bt>[^`\n]{1,2000})`|(?<bare>[^\s"'`,;)}\]]{1,2000}))/gi
const ASSIGNMENT_HINT = /pass|pwd|secret|token|credential|key/i
/** Values that stand for a secret without being one. */
const PLACEHOLDER =
  /^(?:[<[{$%*]|x{3,}|\.{3}|-+$|your|my[-_]|example|changeme|placeholder|dummy|redacted|null$|undefined$|none$|true$|false$|nil$|string$|number$|boolean$|required|optional|process\.|os\.|env\.|import|config\.|self\.|this\.|await |new |get)/i
const PATH_LIKE = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$|^[A-Za-z]:\\|:\/\//
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

function replaceAssignments(text: string, found: Record<string, number>): string {
  return text.replace(ASSIGNMENT, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    const value = groups.dq ?? groups.sq ?? groups.bt ?? groups.bare ?? ''
    const isQuoted = groups.bare === undefined
    if (!isSecretValue(value, groups.name ?? '', (groups.sign ?? '').trim(), isQuoted)) return match
    const kind = /pass|pwd/i.test(groups.name ?? '') ? 'password' : 'secret'
    found[kind] = (found[kind] ?? 0) + 1
    const before = groups.before ?? ''
    const quote = isQuoted ? match.charAt(before.length) : ''
    return `${before}${quote}${marker(kind, value)}${quote}`
  })
}

/** Strict where prose is likely (`password: required`), lenient where it is a setting (`DB_PASSWORD=letmein`). */
function isSecretValue(value: string, name: string, sign: string, isQuoted: boolean): boolean {
  if (value.length < MIN_SECRET_CHARS || PLACEHOLDER.test(value) || PATH_LIKE.test(value)) return false
  if (!isQuoted && /[(]/.test(value)) return false
  if (/^\d+(?:\.\d+)?[a-z]{0,3}$/i.test(value)) return false
  const isSetting = sign === '=' && /pass|pwd|secret/i.test(name) && !/\s/.test(value)
  if (isSetting) return true
  if (/\s/.test(value)) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length
  const isMixed = /\d/.test(value) ? classes >= 2 : classes >= 3
  return isMixed && entropyBits(value) >= MIN_ENTROPY_BITS
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
