import { describe, expect, it } from 'vitest'
import { splitLineRange } from './get.ts'

describe('splitLineRange', () => {
  it('takes the places that search prints', () => {
    expect(splitLineRange('memory/a.md:12-20')).toEqual({ path: 'memory/a.md', from: 12, lines: 9 })
    expect(splitLineRange('memory/a.md:12')).toEqual({ path: 'memory/a.md', from: 12, lines: 1 })
    expect(splitLineRange('a:b.md:3-3')).toEqual({ path: 'a:b.md', from: 3, lines: 1 })
  })

  it('leaves other names alone', () => {
    for (const name of ['memory/a.md', 'a.md:', ':3', 'a.md:x', 'a.md:3-']) {
      expect(splitLineRange(name), name).toBeUndefined()
    }
  })

  it('refuses lines that no document has', () => {
    for (const name of ['a.md:0', 'a.md:9-3']) {
      expect(() => splitLineRange(name), name).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
  })
})
