import type { SecretForm, SecretSpan } from './secret-form.ts'

/** A private key's block is at most this long, UTF-16 units: an RSA key of 16,384 bits has 12,000, a PGP block some more. */
const MAX_KEY_CHARS = 30_000
/** A manifest is looked at this far on both sides of its kind, UTF-16 units. */
const MAX_MANIFEST_CHARS = 8000
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/iy
const BASE64_LINES = /[A-Za-z0-9+/=\s\\:,-]{0,30000}/y
/** What a key holds at least: a run of base64. */
const KEY_BODY = /^[\s\S]{0,600}?[A-Za-z0-9+/=]{16}/
const NONE: readonly SecretSpan[] = []

/**
 * Private keys in armour, PEM, OpenSSH and PGP, on lines of their own or in one with `\n` between. One whose end was cut off goes as far
 * as it looks like a key.
 */
const ARMOURED_KEY: SecretForm = {
  kinds: ['private-key'],
  hints: ['-----begin '],
  find(text, at) {
    BEGIN.lastIndex = at
    const begin = BEGIN.exec(text)?.[0]
    if (begin === undefined) return NONE
    const from = at + begin.length
    const closing = '-----END '
    const block = text.slice(from, from + MAX_KEY_CHARS)
    const end = block.search(/-----(?:END|BEGIN) /i)
    // Code and documents name the lines that frame a key.
    if (!KEY_BODY.test(end >= 0 ? block.slice(0, end) : block)) return NONE
    if (end >= 0 && text.startsWith(closing, from + end)) {
      const tail = /^[A-Z0-9 ]{0,60}-----/i.exec(text.slice(from + end + closing.length, from + end + 100))?.[0] ?? ''
      return [{ start: at, end: from + end + closing.length + tail.length, kind: 'private-key' }]
    }
    BASE64_LINES.lastIndex = from
    const rest = (BASE64_LINES.exec(text)?.[0] ?? '').slice(0, end >= 0 ? end : undefined).trimEnd()
    return [{ start: at, end: from + rest.length, kind: 'private-key' }]
  },
}

/** The private lines of a PuTTY key file. */
const PUTTY_KEY: SecretForm = {
  kinds: ['private-key'],
  hints: ['private-lines:'],
  find(text, at) {
    const lines = /^private-lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?){1,400})/i.exec(
      text.slice(at, at + MAX_KEY_CHARS),
    )
    if (lines === null) return NONE
    const end = at + lines[0].trimEnd().length
    return [{ start: at + lines[0].length - (lines[1] ?? '').length, end, kind: 'private-key' }]
  },
}

/** The private number of a key in JSON (RFC 7517): `d` and its companions beside `kty`. */
const JSON_WEB_KEY: SecretForm = {
  kinds: ['private-key'],
  hints: ['"kty"'],
  find(text, at) {
    const from = Math.max(0, at - 2000)
    const members = text
      .slice(from, at + 4000)
      .matchAll(/"(?:d|p|q|dp|dq|qi|k)"[ \t\n]{0,20}:[ \t\n]{0,20}"([\w-]{20,2000})"/g)
    return [...members].map((member) => {
      const end = from + member.index + member[0].length - 1
      return { start: end - (member[1] ?? '').length, end, kind: 'private-key' }
    })
  },
}

const DATA_SECTION = /^[ \t]{0,20}(?:data|stringData):[ \t]{0,20}$/
const ENTRY = /^([ \t]{1,40}[\w.-]{1,100}:[ \t]{1,20}["']?)([^\s"'|>{[][^\s"']{3,})/

/** The values of a Kubernetes `Secret`, whatever their names say; its data may stand before its kind. */
const SECRET_MANIFEST: SecretForm = {
  kinds: ['secret'],
  hints: ['kind: secret'],
  find(text, at) {
    if (/^[\w-]/.test(text.slice(at + 'kind: secret'.length, at + 'kind: secret'.length + 1))) return NONE
    const before = text.slice(Math.max(0, at - MAX_MANIFEST_CHARS), at)
    const from = at - before.length + Math.max(0, before.lastIndexOf('\n---'))
    const after = text.slice(at, at + MAX_MANIFEST_CHARS)
    const end = after.indexOf('\n---')
    return readEntries(text, from, at + (end < 0 ? after.length : end))
  },
}

function readEntries(text: string, from: number, to: number): SecretSpan[] {
  const spans: SecretSpan[] = []
  let isInData = false
  let at = from
  for (const line of text.slice(from, to).split('\n')) {
    const [, name = '', value = ''] = ENTRY.exec(line) ?? []
    if (DATA_SECTION.test(line)) isInData = true
    else if (isInData && value !== '' && !value.startsWith('[redacted'))
      spans.push({ start: at + name.length, end: at + name.length + value.length, kind: 'secret' })
    else if (value === '' && line.trim() !== '') isInData = false
    at += line.length + 1
  }
  return spans
}

/** Keys that are blocks of a text. */
export const KEY_BLOCKS: readonly SecretForm[] = [ARMOURED_KEY, PUTTY_KEY, JSON_WEB_KEY, SECRET_MANIFEST]
