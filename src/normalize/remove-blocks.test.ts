import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { removeTaggedBlocks } from './remove-blocks.ts'

describe('removeTaggedBlocks', () => {
  it('keeps the lines of a note in their places when asked to', () => {
    const note = 'one\n<recalled-context>\na\nb\n</recalled-context>\nsix'
    expect(removeTaggedBlocks(note, ['recalled-context'], { keepLines: true })).toBe('one\n\n\n\n\nsix')
  })

  it('finds a block behind a tag that is only mentioned', () => {
    expect(removeTaggedBlocks('about <a> and <b>x</b>', ['a', 'b'])).toBe('about  and ')
  })

  it('takes tags in any case, and no tag that only begins alike', () => {
    expect(removeTaggedBlocks('<A>x</A><ab>y</ab>', ['a'])).toBe('<ab>y</ab>')
  })

  it('removes lines never and what is inside always, when lines are kept', () => {
    const piece = fc.constantFrom('<a>', '</a>', '<b>', '</b>', '\n', '\n\n', 'x', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        const rest = removeTaggedBlocks(text, ['a', 'b'], { keepLines: true })
        expect(rest.split('\n').length).toBe(text.split('\n').length)
        expect(rest).not.toMatch(/<\/?[ab]>/)
      }),
    )
  })
})
