import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComparedMemory } from './compared-memory.ts'
import { findReferences, makesReferences } from './find-references.ts'

function memory(text: string, path = 'notes/heron.md', more: Partial<ComparedMemory> = {}): ComparedMemory {
  return {
    id: `id-of-${path}`,
    text,
    tier: 'semantic',
    headerPath: [],
    ...more,
    place: { root: '/work', path, position: 0, ...more.place },
  }
}
const weir = memory('The weir is opened by hand.', 'notes/weir.md', { headerPath: ['The weir', 'Opening'] })
const kindsOf = (text: string, to = weir): string[] => findReferences(memory(text), to).map(({ kind }) => kind)

describe('findReferences', () => {
  it.each([
    ['the path in the workspace', 'see notes/weir.md', 'path'],
    ['a path relative to its own file', 'see ./weir.md', 'path'],
    ['a path that goes up', 'see ../notes/weir.md:3', 'path'],
    ['an absolute path', 'see /work/notes/weir.md', 'path'],
    ['a Markdown link', 'see [the weir](weir.md#opening)', 'link'],
    ['a wikilink by file name', 'see [[weir]]', 'link'],
    ['a wikilink by the last parts of the path', 'see [[notes/weir]] and [[weir.md]]', 'link'],
    ['a wikilink by heading', 'see [[Opening|how to open it]]', 'link'],
    ['the id', 'follows id-of-notes/weir.md here', 'id'],
  ])('finds %s', (_, text, kind) => {
    expect(kindsOf(text)).toContain(kind)
  })

  it.each([
    ['a part of a part of the path', 'see [[otes/weir]] and [[es/weir.md]]'],
    ['a name that is only alike', 'see [[weirs]] and [[The weir (north)]]'],
    ['a file of that name elsewhere', 'see /other/notes/weir.md and old/weir.md'],
    ['a link in code', '```\n[[weir]]\n```\nand `[[weir]]`'],
    ['the word alone', 'the weir is broken'],
  ])('does not take %s for a reference', (_, text) => {
    expect(kindsOf(text)).toEqual([])
  })

  it('reads composed and decomposed letters alike', () => {
    expect(kindsOf('see [[café]]', memory('x', 'notes/cafe\u0301.md'))).toEqual(['link'])
  })

  it('finds a quotation in spite of case and punctuation, and where it stands', () => {
    const other = memory('We agreed: the gate stays shut until the water is below two metres.', 'log.md')
    const text = 'Note: "The gate stays shut until the water is below…" is what holds.'
    const [quote] = findReferences(memory(text), other)
    expect(quote).toMatchObject({ kind: 'quote' })
    expect(text.slice(quote?.start, quote?.end)).toBe('The gate stays shut until the water is below')
    expect(other.text.slice(quote?.target?.start, quote?.target?.end)).toBe(
      'the gate stays shut until the water is below',
    )
    expect(findReferences(memory('the gate stays shut'), other)).toEqual([])
  })

  it('finds an address that both hold', () => {
    const other = memory('Source: http://heron.example/nest/', 'log.md')
    expect(kindsOf('As https://www.heron.example/nest says', other)).toEqual(['url'])
  })

  it('finds the day of a decision, and not any mention of the day', () => {
    const other = memory('We meet.', '2026-05-03.md', {
      place: { root: '/work', path: '2026-05-03.md', position: 0, occurredAt: '2026-05-03T00:00:00+02:00' },
    })
    expect(kindsOf('As decided on 3 May, the gate stays shut.', other)).toEqual(['decision'])
    expect(kindsOf('The fair is on 3 May 2026.', other)).toEqual([])
    expect(kindsOf('As decided on 4 May, the gate stays shut.', other)).toEqual([])
  })

  it('tells texts that refer to something from those that could not', () => {
    const [referring, plain] = [
      ['see [[x]]', 'in a/b.md', 'as decided on 3 May'],
      ['the weir leaks', 'the fair is on 3 May'],
    ]
    expect(referring.map(makesReferences)).toEqual([true, true, true])
    expect(plain.map(makesReferences)).toEqual([false, false])
  })

  it('counts one place once, and gives places inside the text for any texts', () => {
    expect(findReferences(memory('see [notes/weir.md](notes/weir.md)'), weir)).toHaveLength(1)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        for (const text of [a, `${a} ${b} ${b} ${b}`]) {
          for (const { start, end, target } of findReferences(memory(text), memory(b, 'b.md'))) {
            expect(start).toBeLessThan(end)
            expect(end).toBeLessThanOrEqual(text.length)
            if (target) expect(target.end).toBeLessThanOrEqual(b.length)
          }
        }
      }),
    )
  })
})
