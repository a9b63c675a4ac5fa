import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortenBlobs } from './shorten-blobs.ts'

const LONG_RUN = /[A-Za-z0-9+/]{201,}/

describe('shortenBlobs', () => {
  it('says how long the base64 was that it left out, and keeps what stands around it', () => {
    const image = Buffer.alloc(300, 7).toString('base64')
    expect(shortenBlobs(`gauge ![](data:image/png;base64,${image}) reads 41 psi`)).toBe(
      `gauge ![](data:image/png;base64,[base64: ${image.length} characters left out]) reads 41 psi`,
    )
  })

  it('finds base64 of any content, wrapped over lines too, and keeps the lines', () => {
    const blob = randomBytes(3000).toString('base64')
    const wrapped = blob.replace(/(.{76})/g, '$1\n')
    const short = shortenBlobs(`before\n${wrapped}\nafter`)
    expect(short.length).toBeLessThan(300)
    expect(short).toContain('characters left out]')
    expect(short.split('\n').length).toBe(`before\n${wrapped}\nafter`.split('\n').length)
    expect(short.endsWith('after')).toBe(true)
    expect(shortenBlobs(randomBytes(600).toString('base64url'))).toMatch(
      /^\[(?:base64|data): \d+ characters left out\]/,
    )
  })

  it('finds a run that is just long enough, wherever it begins', () => {
    const run = 'Ab0+/Cd1'.repeat(25)
    for (let before = 0; before <= 130; before++) {
      expect(shortenBlobs(`${'a b '.repeat(40).slice(0, before)} ${run} end`)).toContain('200 characters left out]')
    }
    expect(shortenBlobs(`${run.slice(1)} and words that make it longer`)).toContain(run.slice(1))
  })

  it('shortens minified code to its beginning', () => {
    const minified = `(function(){${'var a=b(c,{d:1});e.f(g);'.repeat(400)}})()`
    const short = shortenBlobs(minified)
    expect(short.startsWith('(function(){var a=b')).toBe(true)
    expect(short).toContain(`minified: ${minified.length} characters`)
    expect(short.length).toBeLessThan(300)
  })

  it('leaves prose, rules, tables, paths and scripts without spaces alone', () => {
    for (const text of [
      '-'.repeat(400),
      `|${'---|'.repeat(100)}`,
      `/srv/${'folder-of-some-name/'.repeat(30)}file.txt`,
      '泉が湧く谷の記録。'.repeat(1000),
      'the tide was low and the boats lay on the mud. '.repeat(200),
      'abc\nDEFGHIJ\nklmnop',
    ]) {
      expect(shortenBlobs(text)).toBe(text)
    }
  })

  it('leaves no long run of base64 in any text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.uint8Array({ minLength: 150, maxLength: 600 }))), (parts) => {
        const text = parts
          .map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('base64')))
          .join(' ')
        expect(shortenBlobs(text)).not.toMatch(LONG_RUN)
      }),
    )
  })
})
