import { describe, expect, it } from 'vitest'
import { MAX_NAME_CHARS } from '../options.ts'
import { cleanId, cleanName } from './clean-names.ts'

const TOKEN = `ghp_${'x7'.repeat(18)}`

describe('cleanName', () => {
  it('keeps what a person sees, on one line', () => {
    expect(cleanName(' Ma\u200bra\u202e\r\nof\u2028the\u0085mill 👩‍👩‍👧 ')).toBe('Mara of the mill 👩‍👩‍👧')
  })

  it('redacts a secret and cuts what is no name', () => {
    expect(cleanName(`Mara ${TOKEN}`)).toBe('Mara [redacted:github-token]')
    expect(cleanName('x'.repeat(MAX_NAME_CHARS + 1))).toBe(`${'x'.repeat(MAX_NAME_CHARS - 1)}…`)
  })
})

describe('cleanId', () => {
  it('leaves a plain id as it is', () => {
    for (const id of ['s1', 'agent:main:chat:+491700', '0f9c2d0e-0a71-4a3e-8a4e-6e1c2f1f9a10@2026-06-01T00:00:00Z', ''])
      expect(cleanId(id)).toBe(id)
  })

  it('keeps only a hash of any other, a different one for each', () => {
    const ids = [TOKEN, `${TOKEN}1`, 'a\nb', 'a\u200bb', 'x'.repeat(2000), 'x'.repeat(2001)].map(cleanId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{20}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
