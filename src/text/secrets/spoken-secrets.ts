import type { SecretForm, SecretSpan } from './secret-form.ts'
import { looksSecret } from './secret-value.ts'

/** "Password" and its like in other languages; English is a name like any other. */
const WORDS = [
  ...[
    'contraseña',
    'contrasena',
    'clave',
    'mot de passe',
    'kennwort',
    'wachtwoord',
    'senha',
    'palavra-passe',
    'parola',
  ],
  ...[
    'hasło',
    'heslo',
    'lösenord',
    'adgangskode',
    'passord',
    'salasana',
    'jelszó',
    'şifre',
    'mật khẩu',
    'kata sandi',
    'lozinka',
  ],
  ...[
    'пароль',
    'парола',
    'κωδικός',
    '密码',
    '密碼',
    '口令',
    'パスワード',
    '暗証番号',
    '비밀번호',
    '암호',
    'รหัสผ่าน',
    'पासवर्ड',
  ],
  ...['كلمة المرور', 'كلمة السر', 'رمز عبور', 'סיסמה', 'סיסמא'],
]
/** What leads from the word to the password: a few words at most, then a sign, a copula, or a quote. */
const LINK =
  /[*_]{0,2}(?:(?:[^\S\n]{1,2}[^\s:：=「"'`“«]{1,20}){0,4}?[^\S\n]{0,2}(?:[:：=—–]|->|→|(?<=\s)(?:is|es|est|ist|lautet|é|è|jest|je|är|er|on|war|era)(?=\s)|[是為为はが은는이가]|คือ|है|هي|هو)[^\S\n]{0,3}|[^\S\n]{0,2})[*_]{0,2}[「『"'`“«]?(?=[!-~]{6})/y
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
const ENDS_IN_LATIN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]$/u
const PASSWORD = /[!-~]{6,100}/y
const PASSPHRASE =
  /(?<before>(?:passphrase|seed phrase|recovery phrase|mnemonic)(?: is[ \t]{0,2}:?|[ \t]{0,2}[:=])[ \t]{1,3}["'`]?)[a-z]{2,12}(?:[ -][a-z]{2,12}){3,24}(?=["'`]?(?:[.\n]|$))/iy
const PIN =
  /(?<before>(?:\bPIN(?: code)?|\bpasscode|door code|Geheimzahl)(?: (?:for|of)(?: [\w-]{1,20}){1,4}?)?(?: is| ist|:| =){1,2} )\d{4,8}(?![\w.,]\d|\w)/y
const NONE: readonly SecretSpan[] = []

const FOREIGN_PASSWORD: SecretForm = {
  kinds: ['password'],
  hints: WORDS,
  find(text, at) {
    const folded = text.slice(at, at + 16).toLowerCase()
    const word = WORDS.find((candidate) => folded.startsWith(candidate)) ?? ''
    // Within another word it means something else: `hasEnhanced` says nothing in Portuguese.
    if (LETTER.test(text.charAt(at - 1)) || (ENDS_IN_LATIN.test(word) && LETTER.test(text.charAt(at + word.length))))
      return NONE
    LINK.lastIndex = at + word.length
    const link = LINK.exec(text)
    if (link === null) return NONE
    const start = LINK.lastIndex
    PASSWORD.lastIndex = start
    const run = PASSWORD.exec(text)?.[0] ?? ''
    const value = run.replace(/["'`].*$/, '').replace(/[.,;:!?)\]]+$/, '')
    return looksSecret(value, 'password') ? [{ start, end: start + value.length, kind: 'password' }] : NONE
  },
}

function expressionForm(kind: string, hints: readonly string[], pattern: RegExp): SecretForm {
  return {
    kinds: [kind],
    hints,
    find(text, at) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match === null) return NONE
      return [{ start: at + (match.groups?.before?.length ?? 0), end: at + match[0].length, kind }]
    },
  }
}

/** Secrets that are said in a sentence. */
export const SPOKEN_SECRETS: readonly SecretForm[] = [
  FOREIGN_PASSWORD,
  expressionForm('passphrase', ['passphrase', 'seed phrase', 'recovery phrase', 'mnemonic'], PASSPHRASE),
  expressionForm('pin', ['pin', 'passcode', 'door code', 'geheimzahl'], PIN),
]
