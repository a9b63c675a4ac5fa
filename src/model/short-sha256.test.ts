import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shortSha256 } from './short-sha256.ts'

const reference = (text: string): string => createHash('sha256').update(text).digest('hex')

it('gives the digests of the standard', () => {
  expect(shortSha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(shortSha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('agrees with the digest of the runtime for texts around the size of a block', () => {
  for (let length = 0; length <= 200; length++)
    expect(shortSha256('é'.repeat(length))).toBe(reference('é'.repeat(length)))
})

it('agrees with the digest of the runtime for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => shortSha256(text) === reference(text)))
})
