import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documents, layouts, tree, writeJson as write } from '../../../../test/wire/config-texts.ts'
import { appendAt, pruneAt, readAt, removeAt, setAt } from './edit-json.ts'
import { parseJson, toValue } from './parse-json.ts'

const parse = (text: string): unknown => toValue(parseJson(text))
/** Whether all characters of a text stand in another one, in their order. */
function isWithin(text: string, other: string): boolean {
  let at = 0
  return [...text].every((character) => {
    at = other.indexOf(character, at) + 1
    return at > 0
  })
}

const entry = { command: '/usr/bin/node', args: ['/x "y"/main.js', 'mcp'], on: true }

describe('reading a JSON text', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('takes comments, trailing commas, other quotes, bare names and other numbers', () => {
    const text = `\uFEFF// one\n{ a: 'it\\'s', "b": [0x1F, +.5, -Infinity,], /* two */ $c: "x\\\ny\\u0041\\x42", }\n// three`
    expect(parse(text)).toEqual({ a: "it's", b: [31, 0.5, -Infinity], $c: 'xyAB' })
    expect(parse(' // nothing\n')).toBeUndefined()
  })

  it.each([
    ['{"a": 1\n"b": 2}', 2],
    ['{"a": }', 1],
    ['{"a": "x\n"}', 1],
    ['{\n/* "a": 1}', 2],
    ['{"a": 1}\n\n}', 3],
    ['{"a": [1, 2}', 1],
    ['{a b: 1}', 1],
    ['"\\u00g0"', 1],
    ['{', 1],
    ['nul', 1],
    ['['.repeat(5000), 1],
  ])('says in which line %j goes wrong', (text, line) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ line }))
  })

  it('never throws anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\'\\/*a1. \n') }), (text) => {
        try {
          parseJson(text)
        } catch (error) {
          expect(error).toHaveProperty('line')
        }
      }),
    )
  })
})

describe('changing a JSON text', () => {
  it('adds a member and leaves every other character where it was', () => {
    fc.assert(
      fc.property(documents, layouts, (document, layout) => {
        const text = write(document, layout)
        const place = ['ours', 'servers', 'madeleine']
        const changed = setAt(text, place, entry)
        expect(parse(changed)).toEqual({ ...document, ours: { servers: { madeleine: entry } } })
        expect(setAt(changed, place, entry)).toBe(changed)
        expect(isWithin(text.replaceAll(/\s/g, ''), changed)).toBe(true)
      }),
    )
  })

  it('takes it out again, wherever it was put', () => {
    fc.assert(
      fc.property(documents, layouts, fc.constantFrom('a', 'servers', 'new'), (document, layout, group) => {
        const text = write(document, layout)
        const existing = (document as Record<string, unknown>)[group]
        const isGroup = typeof existing === 'object' && existing !== null && !Array.isArray(existing)
        fc.pre(!Object.hasOwn(document, group) || isGroup)
        const changed = setAt(text, [group, 'madeleine'], entry)
        const back = pruneAt(removeAt(changed, [group, 'madeleine']), [group], text)
        expect(parse(back)).toEqual(document)
        const isEmptyPlace = Object.keys(existing ?? document).length === 0
        // A comma at the end, and white space in an empty place, are not told from our own.
        if (!layout.isTrailing && !isEmptyPlace) expect(back).toBe(text)
      }),
    )
  })

  it('adds to lists, and takes any item out of them', () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), layouts, fc.nat(4), (items, layout, at) => {
        const text = write({ list: items }, layout)
        const added = appendAt(text, ['list'], entry)
        expect(parse(added)).toEqual({ list: [...items, entry] })
        const fewer = [...items, entry].filter((_, index) => index !== at)
        expect(parse(removeAt(added, ['list', at]))).toEqual({ list: fewer })
      }),
    )
  })

  it('follows the indentation and the line ends of its text', () => {
    expect(setAt('{\r\n\t"a": 1 // one\r\n}\r\n', ['b'], { c: 2 })).toBe(
      '{\r\n\t"a": 1, // one\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
    )
    expect(setAt('{"a":1}', ['b'], { c: 2 })).toBe('{"a":1, "b": {"c":2}}')
    expect(setAt('{ "a": 1 // one\n}', ['b'], 2)).toBe('{ "a": 1, // one\n  "b": 2\n}')
    expect(setAt('', ['b'], 2)).toBe('{\n  "b": 2\n}\n')
  })

  it('replaces the last of members with one name, which is the one that counts', () => {
    const text = '{"a": 1, "a": {"b": 2}}'
    expect(setAt(text, ['a', 'b'], 3)).toBe('{"a": 1, "a": {"b": 3}}')
    expect(readAt(text, ['a', 'b'])).toBe(2)
  })

  it('refuses a place in what is no group', () => {
    expect(() => setAt('{\n"a": []}', ['a', 'b'], 1)).toThrow(expect.objectContaining({ line: 2 }))
    expect(() => setAt('[]', ['a'], 1)).toThrow('the whole of it')
    expect(() => appendAt('{"a": {}}', ['a'], 1)).toThrow('a list')
  })
})
