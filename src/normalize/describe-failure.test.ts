import { expect, it } from 'vitest'
import { MAX_REASON_CHARS } from '../options.ts'
import { describeFailure } from './describe-failure.ts'

it('says what failed on one short line, without the secrets in it', () => {
  const token = `ghp_${'x7'.repeat(18)}`
  expect(describeFailure(new Error(`Cannot embed:\n\u202ebad input\u0085"${token}"`))).toBe(
    'Cannot embed: bad input "[redacted:github-token]"',
  )
  expect(describeFailure('word '.repeat(1000))).toHaveLength(MAX_REASON_CHARS)
})
