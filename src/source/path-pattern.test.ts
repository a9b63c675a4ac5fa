import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPatternMatcher, splitPattern } from './path-pattern.ts'

describe('a path with wildcards', () => {
  it('is taken apart before its first wildcard', () => {
    expect(splitPattern('/home/ada/vault')).toEqual({ folder: '/home/ada/vault' })
    expect(splitPattern('/home/ada/notes/**/*.md')).toEqual({ folder: '/home/ada/notes', pattern: '**/*.md' })
    expect(splitPattern('/*.md')).toEqual({ folder: '/', pattern: '*.md' })
  })

  it.each([
    ['**/*.md', ['a.md', 'x/a.md', 'x/y/a.md'], ['a.txt', 'x/a.md/b']],
    ['*.md', ['a.md', '.md'], ['x/a.md', 'a_md']],
    ['2026-0[1-3]/*', ['2026-01/a.md', '2026-03/b'], ['2026-04/a.md', '2026-0[/a']],
    ['[!a]*.md', ['b.md'], ['a.md', '/.md']],
    ['{log,diary}/**', ['log/a.md', 'diary/x/y.md'], ['logs/a.md', 'diary']],
    ['a?c.md', ['abc.md', 'aéc.md'], ['ac.md', 'a/c.md']],
    ['a+(b)$.md', ['a+(b)$.md'], ['aab.md']],
    ['caf\u00e9/*.md', ['cafe\u0301/a.md', 'caf\u00e9/a.md'], ['cafe/a.md']],
  ])('%s fits what it should', (pattern, fitting, others) => {
    const fits = createPatternMatcher(pattern)
    expect(fitting.filter((one) => !fits(one))).toEqual([])
    expect(others.filter((one) => fits(one))).toEqual([])
  })

  it('never fails, and fits itself where it holds no wildcard', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const fits = createPatternMatcher(text)
        return /[*?[\]{}]/.test(text) || fits(text)
      }),
    )
  })
})
