import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from './hash.ts'

describe('sha256', () => {
  it('is that of the parts with a NUL between them, whatever they are', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array())
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const hash = createHash('sha256')
        for (const [at, one] of parts.entries()) hash.update(at > 0 ? '\0' : '').update(one)
        expect(sha256(...parts)).toBe(hash.digest('hex'))
      }),
    )
  })
})
