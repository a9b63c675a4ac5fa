import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact.ts'

const ALNUM = 'aB3dE5gH7jK9mN1pQ4sT6vW8yZ0cF2'
const mixed = (length: number): string => Array.from({ length }, (_, i) => ALNUM[(i * 7 + 3) % ALNUM.length]).join('')
const github = `ghp_${mixed(36)}`
const stripe = `sk_live_${mixed(24)}`
const mark = '[redacted:github-token]'

describe('redactSecrets, of secrets behind escapes', () => {
  it.each([
    ['in JSON in a string', `{"out":"line\\n${github}\\tnext"}`, `{"out":"line\\n${mark}\\tnext"}`],
    ['in JSON in JSON', `{\\"out\\":\\"line\\\\n${github}\\"}`, `{\\"out\\":\\"line\\\\n${mark}\\"}`],
    ['in emphasis', `the _${github}_ one`, `the _${mark}_ one`],
    ['in strong emphasis', `the __${github}__ one`, `the __${mark}__ one`],
    ['with its underscores escaped for Markdown', `use ghp\\_${mixed(36)} now`, `use ${mark} now`],
    [
      'with several of them',
      `use ${stripe.replaceAll('_', '\\_')} now, not \\_that\\_`,
      'use [redacted:stripe-key] now, not \\_that\\_',
    ],
    ['in a URL parameter', `next=%22${github}%22&x=1`, `next=%22${mark}%22&x=1`],
    [
      'with the slashes of JSON',
      `{"u":"https:\\/\\/hooks.slack.com\\/services\\/T${mixed(8)}\\/B${mixed(8)}\\/${mixed(24)}"}`,
      '{"u":"[redacted:slack-webhook]"}',
    ],
    [
      'after an ampersand of JSON',
      `https://tide.example/p?a=1\\u0026sig=${mixed(40)}`,
      'https://tide.example/p?a=1\\u0026sig=[redacted:secret-in-query]',
    ],
    [
      'after an ampersand of HTML',
      `https://tide.example/p?a=1&amp;sig=${mixed(40)}`,
      'https://tide.example/p?a=1&amp;sig=[redacted:secret-in-query]',
    ],
  ])('finds one %s', (_where, text, clean) => {
    expect(redactSecrets(text).text).toBe(clean)
  })

  it('finds tokens over several lines, and keeps the lines', () => {
    const token = `eyJ${mixed(33)}.eyJ${mixed(120)}.${mixed(43)}`
    const wrapped = token.replace(/.{64}/g, '$&\n')
    expect(redactSecrets(`token:\n${wrapped}\n\nand then Mara called`).text).toBe(
      'token:\n[redacted:jwt]\n\n\n\n\nand then Mara called',
    )
    expect(redactSecrets(`> ${wrapped.replaceAll('\n', '\n> ')}`).text).not.toContain(token.slice(-20))
    const header = redactSecrets(`-H "Authorization: Bearer ${mixed(20)}\\\n${mixed(36)}" weir`).text
    expect(header).toBe('-H "Authorization: Bearer [redacted:authorization]\n" weir')
  })

  it.each([
    ['Password:\n', mixed(14), '\n\nof the depot', 'password'],
    ['- **Password**:\n  - ', mixed(14), '\n- more', 'password'],
    ['api_key: |\n  ', mixed(30), '\nregion: eu', 'secret'],
    ['## API key\n\n', mixed(30), '\n', 'secret'],
    ['set -x API_KEY ', mixed(20), '\n', 'secret'],
    ['ENV API_KEY ', mixed(20), '\n', 'secret'],
    ['password = """', mixed(20), '"""', 'password'],
    ['WIFI:T:WPA;S:Depot;P:', 'tide-42;'.slice(0, 7), ';;', 'password'],
  ])('finds the value after %j', (before, secret, after, kind) => {
    expect(redactSecrets(before + secret + after).text).toBe(`${before}[redacted:${kind}]${after}`)
  })

  it.each([
    'C:\\new\\tools\\readme.md and \\_escaped\\_ names \\- of files',
    '__init__ and _private_function_of_the_module_ stay',
    'Password:\n\nAsk Mara, who keeps it.',
    '## API key\n\nWhere it is: in the vault.',
    'the token\nadministration-handbook',
    '100%25 of https://tide.example/a%20b?q=%E6%B0%B4',
  ])('leaves %j alone', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: {} })
  })

  it('gives the same when it reads its own result, and keeps the lines', () => {
    const piece = fc.constantFrom(
      ...['\\', '\\n', '\\_', '\n', '_', '%22', '&amp;', ' ', 'token: ', 'Password:\n', 'a'],
      ...[github, `ghp\\_${mixed(36)}`, `Bearer ${mixed(20)}`, mixed(40)],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const once = redactSecrets(text).text
        expect(once.split('\n').length).toBe(text.split('\n').length)
        expect(redactSecrets(once).text).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '\\',
    '\\_',
    '_a',
    '%41',
    'eyJ_',
    'eyJaaaaaaaaaaaa.eyJ',
    `${'a'.repeat(40)}\n`,
    'token\n',
    'WIFI:T:a;',
    'eyJ\n> ',
  ])('reads a megabyte of %j', (unit) => {
    // A backtracking pattern would not come to an end within the test's time.
    expect(redactSecrets(unit.repeat(Math.ceil(1_000_000 / unit.length))).text.length).toBeGreaterThan(0)
  })
})
