import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as cueWords from './cue-words.ts'
import { neededWords } from './needed-words.ts'
import { RECURS } from './recurrence.ts'
import { readSigns, says } from './signs.ts'

describe('what an expression needs', () => {
  it.each<[RegExp, string[] | null]>([
    [/\b(?:is|goes) offline\b/i, ['offline']],
    [/\bleak(?:s|ing)\b/i, ['leaks', 'leaking']],
    [/^\W*to-?do\b|^FIXME\b/i, ['do', 'todo', 'fixme']],
    [/\bdo(?:es)?n['’]t know\b/i, ['know']],
    [/(?<![\p{L}\p{N}])behoben(?![\p{L}\p{N}])|漏水/iu, ['behoben', '漏']],
    // What goes on or began before may be a part of a longer word.
    [/\bgoal/, null],
    [/\b\p{L}+ed\b/u, null],
    [/\bdone\b|\d/, null],
    [/\b(?:done)?\b/, null],
  ])('%s', (expression, words) => {
    expect(neededWords(expression)?.sort() ?? null).toEqual(words?.sort() ?? null)
  })

  it('is known of most expressions that lines are compared with', () => {
    const { TODO, REMIND, BY_DAY, TAKES_PLACE, DONE, I_DID, DECIDED, PROBLEM, WATCH, UNKNOWN, GOAL, INTENT, GOOD } =
      cueWords
    for (const one of [
      TODO,
      REMIND,
      BY_DAY,
      TAKES_PLACE,
      DONE,
      I_DID,
      DECIDED,
      PROBLEM,
      WATCH,
      UNKNOWN,
      GOAL,
      INTENT,
      GOOD,
    ]) {
      expect(neededWords(one), one.source).not.toBeNull()
    }
    for (const one of RECURS) expect(neededWords(one), one.source).not.toBeNull()
  })

  it('stands in whatever they match', () => {
    const { DONE, DECIDED, PROBLEM, REMIND, UNKNOWN, GOOD, TAKES_PLACE, SUPPOSED, NOT_YET, I_DID } = cueWords
    for (const one of [DONE, DECIDED, PROBLEM, REMIND, UNKNOWN, GOOD, TAKES_PLACE, SUPPOSED, NOT_YET, I_DID]) {
      let matches = 0
      // Strings are made from expressions that look neither ahead nor back.
      const source = one.source.replace(/\(\?<?![^()]*(?:\([^()]*\)[^()]*)*\)/g, '').replace(/\(\?<verb>/g, '(')
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(source.replace(/^\^\\W\*/, '^'), 'u'), { maxLength: 60 }), (text) => {
          const plain = text.toUpperCase()
          if (!one.test(plain)) return
          matches += 1
          expect(says({ plain, signs: readSigns(plain) }, one), plain).toBe(true)
        }),
        { numRuns: 60 },
      )
      expect(matches, one.source).toBeGreaterThan(0)
    }
  })
})
