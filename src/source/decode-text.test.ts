import { describe, expect, it } from 'vitest'
import { countUndecoded, decodeText } from './decode-text.ts'

const bytes = (...parts: Array<string | number[]>): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark', () => {
    expect(decodeText(bytes('Zürich'))).toBe('Zürich')
    expect(decodeText(bytes([0xef, 0xbb, 0xbf], '# Boiler'))).toBe('# Boiler')
  })

  it('reads what Windows editors write', () => {
    expect(decodeText(bytes([0xff, 0xfe, 0x5a, 0, 0xfc, 0]))).toBe('Zü')
    expect(decodeText(bytes([0xfe, 0xff, 0, 0x5a, 0, 0xfc]))).toBe('Zü')
    expect(decodeText(bytes('Z', [0xfc], 'rich'))).toBe('Zürich')
  })

  it('keeps a UTF-8 file with one damaged character', () => {
    expect(decodeText(bytes('Zürich ', [0xfc], ' depot'))).toBe('Zürich \ufffd depot')
  })

  it('does not take a text for binary because of a NUL', () => {
    expect(decodeText(bytes('before', [0], 'after the weir'))).toBe('before\u0000after the weir')
    expect(decodeText(bytes('a', [0]))).toBe('a\u0000')
  })

  it('gives nothing for binary content', () => {
    const png = [
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
      6, 0,
    ]
    expect(decodeText(bytes(png))).toBeUndefined()
  })
})

describe('countUndecoded', () => {
  const count = (given: Uint8Array): number => countUndecoded(given, decodeText(given) ?? '')

  it('counts what stands in another encoding than was guessed', () => {
    // "насос" in Windows-1251, "水泵" in GBK, "ポンプ" in Shift_JIS.
    expect(count(bytes([0xed, 0xe0, 0xf1, 0xee, 0xf1]))).toBe(5)
    expect(count(bytes([0xcb, 0xae, 0xb1, 0xc3]))).toBeGreaterThan(0)
    expect(count(bytes([0x83, 0x7c, 0x83, 0x93, 0x83, 0x76]))).toBeGreaterThan(0)
    expect(count(bytes('Zürich ', [0xfc], ' depot'))).toBe(1)
  })

  it('counts nothing of what was decoded', () => {
    expect(count(bytes('Zürich \ufffd 水泵'))).toBe(0)
    expect(count(bytes('насос'))).toBe(0)
    expect(count(bytes([0xff, 0xfe, 0x34, 0x6c, 0xf5, 0x6c]))).toBe(0)
    expect(count(bytes('K', [0xe4], 'se in Z', [0xfc], 'rich'))).toBe(0)
    expect(count(bytes('plain'))).toBe(0)
  })
})
