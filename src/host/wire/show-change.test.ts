import { describe, expect, it } from 'vitest'
import { showChange } from './show-change.ts'

describe('showing a change', () => {
  it('names the line of each place and leaves out what stays', () => {
    const before = 'a\nb\nc\nd\ne\n'
    expect(showChange(before, 'a\nb\nx\nd\ne\ny\n')).toEqual(['@@ 3 @@', '- c', '+ x', '@@ 6 @@', '+ y'])
    expect(showChange('', 'a\n')).toEqual(['@@ 1 @@', '+ a'])
    expect(showChange(before, before)).toEqual([])
  })

  it('shows no neighbour, which may be a key, for the comma that it gets', () => {
    const shown = showChange('{\n  "key": "secret"\n}\n', '{\n  "key": "secret",\n  "x": 1\n}\n')
    expect(shown).toEqual(['@@ 3 @@', '+   "x": 1'])
  })

  it('shows of one long line only what changes', () => {
    const [head, tail] = ['"secret" '.repeat(100), '"other" '.repeat(100)]
    const shown = showChange(`{${head}${tail}}`, `{${head}"madeleine"${tail}}`).join('\n')
    expect(shown).toContain('"madeleine"')
    expect(shown.length).toBeLessThan(200)
  })

  it('shows a change of any size', () => {
    const [old, now] = ['a\n', 'b\n'].map((line) => line.repeat(3000))
    expect(showChange(old ?? '', now ?? '')).toHaveLength(6001)
  })
})
