import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

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
