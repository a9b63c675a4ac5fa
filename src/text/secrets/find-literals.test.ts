import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLiteralFinder, type LiteralFinder } from './find-literals.ts'

const LITERALS = ['key', 'secret key', 'ey', 'pass', 'password', 'aaa', 'ß', 'пароль', '密码']

function visitsOf(find: LiteralFinder, text: string): Array<[string, number]> {
  const visits: Array<[string, number]> = []
  find(text, (literal, start) => visits.push([LITERALS[literal] ?? '', start]))
  return visits
}

const withTable = () => createLiteralFinder(LITERALS, 0)
const withoutTable = () => createLiteralFinder(LITERALS, Number.POSITIVE_INFINITY)

describe('the finder of literals', () => {
  it.each([withTable, withoutTable])(
    'finds all of them in any case, overlaps included, the longest of one end first',
    (create) => {
      expect(visitsOf(create(), 'SECRET Key: Password, ПАРОЛЬ 密码')).toEqual([
        ['secret key', 0],
        ['key', 7],
        ['ey', 8],
        ['pass', 12],
        ['password', 12],
        ['пароль', 22],
        ['密码', 29],
      ])
      expect(visitsOf(create(), 'aaaa')).toEqual([
        ['aaa', 0],
        ['aaa', 1],
      ])
    },
  )

  it('finds the same with its table and before it has one', () => {
    const unit = fc.constantFrom(...'seckrtypaowd SECKRTYß \u017F\u212AПАРОЛЬпароль密码'.split(''))
    fc.assert(
      fc.property(fc.array(fc.oneof(unit, fc.constantFrom(...LITERALS)), { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        expect(visitsOf(withoutTable(), text)).toEqual(visitsOf(withTable(), text))
      }),
    )
  })

  it('goes on with the table after so many characters', () => {
    const find = createLiteralFinder(LITERALS, 10)
    const once = visitsOf(find, 'my key')
    expect(visitsOf(find, 'my key')).toEqual(once)
    expect(visitsOf(find, 'my key')).toEqual(once)
  })
})
