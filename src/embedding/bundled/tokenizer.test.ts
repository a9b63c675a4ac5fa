import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNKNOWN_ID, VOCABULARY } from './model-shape.ts'
import { Pack } from './pack.ts'
import { loadPack } from './pack-cache.ts'
import { Tokenizer } from './tokenizer.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'madeleine-tokenizer-'))
let tokenizer: Tokenizer

beforeAll(async () => {
  tokenizer = new Tokenizer(new Pack((await loadPack(cacheDir)).source).readVocabulary())
})
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

describe('Tokenizer', () => {
  // Ids as Hugging Face's tokenizers 0.23 gives them for the model's own tokenizer.json.
  it.each([
    ['a plain text', 'hello world', [7592, 2088]],
    ['words in pieces', 'embedding unaffable', [7861, 8270, 4667, 14477, 20961, 3468]],
    ['accents dropped', 'Café Zürich naïve', [7668, 10204, 15743]],
    ['a dotted capital I', 'İstanbul', [9960]],
    ['a sigma at the end of a word', 'ΟΔΟΣ', [1169, 29722, 29730, 29733]],
    ['ASCII symbols parted, others joined', 'price: €5→$6 ©', [3976, 1024, 1574, 2629, 30113, 1002, 1020, 1075]],
    ['an apostrophe and an ellipsis', "don't stop…", [2123, 1005, 1056, 2644, 1529]],
    ['Han characters one by one', '東京タワー abc中文', [1879, 1755, 1709, 30262, 30265, 5925, 1746, 1861]],
    ['Devanagari', 'नमस्ते', [1327, 29867, 29874, 29859]],
    ['Hangul in its letters', '한국어', [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]],
    ['a word that has no pieces', 'ไปไหนมา', [UNKNOWN_ID]],
    ['a word of more than 100 characters', 'x'.repeat(101), [UNKNOWN_ID]],
    ['invisible characters dropped', 'hel\u200blo\u00ad wor\u0000ld\ufeff', [7592, 2088]],
    ['nothing', ' \t\n\u3000', []],
  ])('reads %s as the model was trained to', (_, text, ids) => {
    expect(tokenizer.encode(text)).toEqual(ids)
  })

  it('takes the name of a special token inside a text for plain text', () => {
    const ids = tokenizer.encode('[SEP] [CLS]')
    expect(ids).not.toContain(102)
    expect(ids).not.toContain(101)
  })

  it('stops at the limit with what it would have had there', () => {
    const text = 'the quick unaffable fox '.repeat(50)
    expect(tokenizer.encode(text, 17)).toEqual(tokenizer.encode(text).slice(0, 17))
  })

  it('gives the same ids the second time, when words come from its memory', () => {
    const first = tokenizer.encode('unaffable heron')
    first.push(1)
    expect(tokenizer.encode('unaffable heron')).toEqual(first.slice(0, -1))
  })

  it('gives ids of the vocabulary for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const id of tokenizer.encode(text)) expect(id >= 0 && id < VOCABULARY).toBe(true)
      }),
    )
  })
})
