import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldList, fieldText, splitFrontMatter } from './front-matter.ts'

describe('splitFrontMatter', () => {
  it('keeps every scalar as it is written, and every line in its place', () => {
    const { fields, text, isBroken } = splitFrontMatter(
      '---\ntitle: 2025-11-30\nnumber: 007\nanswer: yes\ntags: [a, b]\n---\nbody',
    )
    expect(fields).toEqual({ title: '2025-11-30', number: '007', answer: 'yes', tags: ['a', 'b'] })
    expect(text).toBe('\n\n\n\n\n\nbody')
    expect(isBroken).toBeUndefined()
  })

  it('takes a rule for a rule', () => {
    for (const text of ['---\nno end: here', 'text\n---\na: b\n---\n', '---\njust words\n---\nbody', '']) {
      expect(splitFrontMatter(text)).toEqual({ fields: {}, text })
    }
  })

  it('takes an empty head for front matter', () => {
    expect(splitFrontMatter('---\n---\nbody')).toEqual({ fields: {}, text: '\n\nbody' })
  })

  it('keeps the note and its plain fields when the YAML is broken, and says so', () => {
    const { fields, text, isBroken } = splitFrontMatter('---\ntitle: Boiler\nbad: [1, 2\n---\nbody')
    expect(fields).toMatchObject({ title: 'Boiler' })
    expect(text).toBe('\n\n\n\nbody')
    expect(isBroken).toBe(true)
  })

  it('bounds aliases that multiply', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (let i = 0; i < 12; i++) {
      const [from, to] = [String.fromCharCode(97 + i), String.fromCharCode(98 + i)]
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`)
    }
    expect(splitFrontMatter(`---\n${bomb.join('\n')}\n---\nbody`).text.endsWith('body')).toBe(true)
  })

  it('never fails and never moves a line, whatever stands at the head', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('---\n', '\n', 'a: ', '- ', '{', '[', '&a ', '*a', '? ', '!!js ', '|\n', '>'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const note = `---\n${pieces.join('')}\n---\nbody`
        const { text, fields } = splitFrontMatter(note)
        expect(text.split('\n').length).toBe(note.split('\n').length)
        fieldText(fields.title)
        fieldList(fields.tags)
      }),
    )
  })
})

describe('fieldList', () => {
  it('reads lists and texts with commas alike', () => {
    expect(fieldList(['a', ' b '])).toEqual(['a', 'b'])
    expect(fieldList('a, b,')).toEqual(['a', 'b'])
    expect(fieldList(undefined)).toEqual([])
  })
})
