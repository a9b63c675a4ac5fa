import { describe, expect, it } from 'vitest'
import { MadeleineError } from '../index.ts'
import { EXIT_CODE_OF, exitCodeOf } from './exit-codes.ts'

describe('exitCodeOf', () => {
  it('gives every error code its documented exit code', () => {
    expect(EXIT_CODE_OF).toEqual({
      INVALID_OPTION: 2,
      NOT_FOUND: 2,
      ALREADY_EXISTS: 2,
      SOURCE_UNREADABLE: 3,
      EMBEDDING_UNAVAILABLE: 3,
      MODEL_UNAVAILABLE: 3,
      STORE_BUSY: 4,
      STORE_UNUSABLE: 5,
      STORE_DAMAGED: 5,
      DISABLED: 0,
      INTERRUPTED: 130,
    })
    expect(exitCodeOf(new MadeleineError('STORE_BUSY', 'busy', { remedy: 'wait' }))).toBe(4)
  })

  it('is 1 for what should not happen', () => {
    expect(exitCodeOf(new TypeError('x'))).toBe(1)
    expect(exitCodeOf('a string')).toBe(1)
  })
})
