import type { SecretForm, SecretSpan } from './secret-form.ts'
import { isStandIn, looksSecret, type NameStrength } from './secret-value.ts'

/** The telling end of a name, by what it says of the value. */
const PASSWORD_NAMES = ['password', 'passwd', 'passphrase', 'passcode', 'pass', 'pw', 'pwd', '_psk', 'passwort']
const SECRET_NAMES = ['secret', 'token', 'credential', 'apikey', 'secret_value']
const WEAK_NAMES = ['key', 'creds', '_auth', '-auth', '_pat', '-pat', '_dsn', 'bearer', '_jwt', '_sid']
const NAMES = [...PASSWORD_NAMES, ...SECRET_NAMES, ...WEAK_NAMES]

const END_OF_NAME =
  /(?:s(?![a-z])|[ _-](?:v?\d{1,3}(?!\w)|prod|production|dev|test|staging|live|value|base64|b64|main|old|new|current))?/iy
/** A name at the end of its line, and what stands before a value that is all of the next line. */
const BEFORE_NEXT_LINE = String.raw`[*_]{0,2}[ \t]{0,4}(?:[:：=][*_]{0,2}[ \t]{0,4}(?:[|>][+-]?[ \t]{0,4})?)?\n{1,2}[ \t]{0,16}(?:[*>-][ \t]{1,4})?(?=[*_"'${'`'}]{0,3}[^\s"'${'`'}]{8,300}[*_"'${'`'}]{0,3}[ \t]{0,4}(?:\n|$))`
/** Between a name and its value: signs of assignment in programs, settings, markup and speech. */
const SIGN = new RegExp(
  [
    // name: |, **name**:, ## name, - name, and the value alone on the next line or the one after it
    BEFORE_NEXT_LINE,
    // "name": value, name = value, name := value, name: String = value, **name**: value
    String.raw`(?:\\{0,4}["'${'`'}])?[*_]{0,2}\]?(?:(?::[ \t]{0,2}|[ \t])(?:string|str|&str|char\*?))?[ \t]{0,4}(?:=>|:{0,3}=|\?=|\.=|:|：)[*_]{0,2}[ \t]{0,4}`,
    // setProperty("name", "value") and {"name": "name", "value": "value"}
    String.raw`\\{0,4}["'][ \t]{0,4},[ \t]{0,4}(?:\\{0,4}["']value\\{0,4}["'][ \t]{0,4}:[ \t]{0,4})?(?=\\{0,4}["'])`,
    // <name>value</name> and key="name" value="value"
    String.raw`(?<=<[\w:.-]{0,60})>\s{0,40}`,
    String.raw`["'][ \t]{1,4}value[ \t]{0,4}=[ \t]{0,4}`,
    // - name: NAME, value: value on the next line
    String.raw`["']?[ \t]{0,4}\n[ \t]{0,40}value:[ \t]{0,4}`,
    // --name value, name 'value'
    String.raw`(?<=--[\w.-]{0,60})[ \t]{1,4}`,
    String.raw`[ \t]{1,4}(?=["'${'`'}])`,
    // set -x NAME value, setx NAME value, ENV NAME value
    String.raw`(?<=\b(?:set[ \t]{1,4}-\w{1,4}|setx|setenv|env)[ \t]{1,4}[\w.-]{0,60})[ \t]{1,4}`,
    // | name | value |
    String.raw`[${'`'}*]{0,2}[ \t]{1,20}\|[ \t]{1,4}`,
    // the name for the weir is value
    String.raw`[*_]{0,2}(?:[ \t]{1,3}(?:for|of|on|in|at|from)(?:[ \t]{1,3}[^\s,;:.!?]{1,40}){1,5}?)?[ \t]{1,3}(?:is|was|to|ist|lautet|war|es|era|est|é|è|jest|är|er)(?:[ \t]{1,3}(?:now|still|set|changed|to|just|currently|also|jetzt|ahora)){0,3}[ \t]{0,2}:?[ \t]{1,3}`,
  ].join('|'),
  'iy',
)
const VALUE =
  /(?<open>[*_]{0,2}\\{0,4}(?:""(?=")|''(?=')|))(?:"(?<dq>(?:[^"\n\\]|\\[^"\n]){1,2000})\\{0,4}"|'(?<sq>(?:[^'\n\\]|\\[^'\n]){1,2000})\\{0,4}'|`(?<bt>[^`\n]{1,2000})`|[“„«「『](?<tq>[^“”„»」』\n]{1,200})[“”»」』]|(?<bare>(?:[^\s"'`,;)}\]<\\|]|\\(?![nrt"'\\])|\|(?=[\w-])){1,300}))/y

/** Names up to this length end other words too. */
const MAX_SHORT_NAME = 5
const JOINED_NAME = /(?:api|access|secret|private|auth|master|encryption|account|db|user|smtp|mysql|root|admin)$/i
/** What a key is for, when it locks nothing. */
const PLAIN_KEY =
  /(?<![A-Za-z])(?:public|primary|recv|receive|gpg|pgp|foreign|cache|sort|partition|idempotency|object|s3|row|hash|map|dedupe?|routing|group|index|storage|lookup|unique|composite|event|message|hot|arrow|shortcut|query|react|list|item|translation|i18n|label|registry|host|known|lock|config|setting|env|dict|json|data|file|bucket|rate|limit|job|queue|task|thread|conversation|correlation|request|trace|search|order|join|parent|child|entity|node|state|store|memo|design|color|theme|issue|project|run)[\s_.-]?$/i
/** What a token marks, when it is no proof of who asks. */
const PLAIN_TOKEN =
  /(?<![A-Za-z])(?:next|prev(?:ious)?|page|paging|continuation|continue|cursor|sync|cancell?ation|pagination|resume|max|num|total|eos|bos|pad|unk|mask|sep|cls)[\s_.-]?$/i
/** A key that opens something by its name. */
const TELLING_KEY =
  /(?<![A-Za-z])(?:api|access|secret|private|encryption|signing|account|auth|master|license|service|app|application|admin|ssh|ssl|deploy|shared|client)[\s_.-]?$/i
/** What is looked at of the words before a name's telling end. */
const MAX_NAME_CHARS = 60
const NONE: readonly SecretSpan[] = []

/** Secrets known by the name of what they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, "the token is …". */
export const NAMED_SECRETS: SecretForm = {
  kinds: ['password', 'secret'],
  hints: NAMES,
  find(text, at) {
    const hint = longestNameAt(text, at)
    END_OF_NAME.lastIndex = at + hint.length
    END_OF_NAME.exec(text)
    SIGN.lastIndex = Math.max(END_OF_NAME.lastIndex, at + hint.length)
    const sign = SIGN.exec(text)?.[0]
    if (sign === undefined) return NONE
    const from = SIGN.lastIndex
    VALUE.lastIndex = from
    const match = VALUE.exec(text)
    if (match === null) return NONE
    return judge({ text, at, hint, sign, from, match })
  },
}

function longestNameAt(text: string, at: number): string {
  const folded = text.slice(at, at + 12).toLowerCase()
  return NAMES.reduce((best, name) => (name.length > best.length && folded.startsWith(name) ? name : best), '')
}

interface Assignment {
  text: string
  at: number
  hint: string
  sign: string
  /** Where the value's part begins. */
  from: number
  match: RegExpExecArray
}

function judge({ text, at, hint, sign, from, match }: Assignment): readonly SecretSpan[] {
  const { open = '', dq, sq, bt, tq, bare } = match.groups ?? {}
  const context = text.slice(Math.max(0, at - MAX_NAME_CHARS), at)
  const before = /[\w.-]*$/.exec(context)?.[0] ?? ''
  const name = before + text.slice(at, at + hint.length)
  const isQuoted = bare === undefined
  const isInQuery = /[?&]$/.test(text.slice(0, at - before.length).slice(-1))
  const raw = dq ?? sq ?? bt ?? tq ?? bare ?? ''
  const value = isQuoted ? raw : trimBare(isInQuery ? (raw.split('&')[0] ?? '') : raw)
  const start = from + open.length + (isQuoted ? 1 : 0)
  const next = text.charAt(start + value.length)
  // "Pass `x` to it" is no assignment.
  const isVerb = (hint === 'pass' || hint === 'pw') && !/[=:>,|]|value/.test(sign) && !/--[\w.-]{0,60}$/.test(context)
  const strength = isVerb || !isWholeWord(text, at, hint) ? null : strengthOf(hint, context)
  if (strength === null || !isSecretValue({ name, sign, value, isQuoted, next, strength })) return NONE
  const end = value === bare ? endOfRun(text, start + value.length) : start + value.length
  return [{ start, end, kind: strength === 'password' ? 'password' : 'secret' }]
}

/** A bare value is judged by its beginning; it goes on to the end of its run. */
const RUN = /(?:[^\s"'`,;)}\]<\\|&])*/y
function endOfRun(text: string, from: number): number {
  RUN.lastIndex = from
  return from + (RUN.exec(text)?.[0].length ?? 0)
}

/** Signs at the end that belong to the sentence or the markup. */
function trimBare(value: string): string {
  return value.replace(/[.,:!?*]+$/, '')
}

/** Short names end other words too: `monkey` holds no key and `bypass` no password, `apiKey` and `DBPASS` do. */
function isWholeWord(text: string, at: number, hint: string): boolean {
  if (hint.length > MAX_SHORT_NAME || !/^[a-z]/.test(hint)) return true
  if (hint === 'pass' && text.startsWith('PASS:', at)) return false
  const [last = '', first = ''] = [text.charAt(at - 1), text.charAt(at)]
  if (!/[A-Za-z]/.test(last)) return true
  const isHump = /[A-Z]/.test(first) && (/[a-z]/.test(last) || (hint === 'pass' && /[A-Z]/.test(last)))
  return isHump || JOINED_NAME.test(text.slice(Math.max(0, at - 12), at))
}

function strengthOf(hint: string, before: string): NameStrength | null {
  if (PASSWORD_NAMES.includes(hint)) return 'password'
  const words = before.replace(/([a-z\d])([A-Z])/g, '$1_$2')
  if (hint === 'token') return PLAIN_TOKEN.test(words) ? null : 'secret'
  if (SECRET_NAMES.includes(hint)) return 'secret'
  if (hint !== 'key') return 'weak'
  if (PLAIN_KEY.test(words)) return null
  return TELLING_KEY.test(words) ? 'secret' : 'weak'
}

/** A property of something (`form.password`), not a value. */
const EXPRESSION = /^[A-Za-z_$][A-Za-z_$]*(?:\??\.[A-Za-z_$]+)+$/

interface Candidate {
  name: string
  sign: string
  value: string
  isQuoted: boolean
  /** The character after the value. */
  next: string
  strength: NameStrength
}

/** Strict where prose or code is likely (`password: required`, `password=hashed`), lenient in a setting (`DB_PASSWORD=letmein`). */
function isSecretValue({ name, sign, value, isQuoted, next, strength }: Candidate): boolean {
  if (!isQuoted && /[([{]/.test(value) && strength !== 'password') return false
  if (!isQuoted && /^[\w.$]*[([{]/.test(value)) return false
  if (!isQuoted && EXPRESSION.test(value)) return false
  if (looksSecret(value, strength)) return true
  if (sign.includes('\n')) return false
  if (/passphrase$/i.test(name) && isQuoted && /^\S+(?: \S+){2,11}$/.test(value)) return true
  if (value.length < 6 || /\s/.test(value) || isStandIn(value) || strength === 'weak') return false
  const isSetting = /^[A-Z][A-Z\d_]+$/.test(name)
  if (/^=/.test(sign.trim()) && isSetting && strength === 'password') return true
  if (/^=/.test(sign.trim()) && isSetting && /secret/i.test(name)) return true
  if (strength === 'password' && isLabelled(sign, isQuoted, next) && /^\p{L}+$/u.test(value))
    return !SAID_OF_PASSWORDS.test(value)
  const isWord = /^[A-Za-z_]+$/.test(value)
  return (
    sign === '=' && (strength === 'password' || /secret/i.test(name)) && (isQuoted || !isWord || !/[,)\s]/.test(next))
  )
}

/** What forms, types and messages say after "password:", and the word itself. */
const SAID_OF_PASSWORDS =
  /^(?:required|optional|incorrect|invalid|missing|hidden|unknown|changed|updated|reset|empty|expired|correct|wrong|secret|hashed|encrypted|protected|strong|default|disabled|enabled|stored|redacted|varchar|string|plaintext|bcrypt|scrypt|argon|text|input|field|value|please|must|should|cannot|minimum|password|passwort|kennwort|contraseña|senha|wachtwoord|enter|confirm|choose|create|change|forgot|forgotten|passwd|passphrase|null|undefined|false|length|secure|manager|prompt|public|private|prompted|provided|masked|omitted|removed|unset|unchanged|pending|accepted|rejected|failed|success|verified|ignored|notset|credentials)$/i

/** `password: word` that is all of its line, or quoted. */
function isLabelled(sign: string, isQuoted: boolean, next: string): boolean {
  return sign.includes(':') && (isQuoted || next === '' || next === '\n')
}
