import { UNKNOWN_ID } from './model-shape.ts'

/** Characters that the model's cleaning removes: NUL, the replacement character, control, format, private and surrogate ones. */
const REMOVED = /[\u0000\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu
const NONSPACING_MARK = /\p{Mn}/gu
/** One word, one punctuation character (all of ASCII's, and Unicode's category P) or one Han character. */
const PIECE =
  /[!-/:-@[-`{-~\p{P}\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]|[^\s!-/:-@[-`{-~\p{P}\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]+/gu
const NOT_PLAIN_ASCII = /[^\t\n\r\x20-\x7e]/
/** A longer word is unknown as a whole; part of the model's definition. */
const MAX_WORD_CHARS = 100
const MAX_CACHED_WORDS = 20_000

/**
 * BERT's uncased WordPiece, as all-MiniLM-L6-v2 was trained with: text is cleaned, accents and case dropped, words and
 * punctuation separated, each word cut greedily into the longest pieces of the vocabulary (`##` marks a piece that
 * continues a word). Names of special tokens inside a text ("[SEP]") are plain text: no text can steer the model.
 */
export class Tokenizer {
  readonly #ids = new Map<string, number>()
  readonly #words = new Map<string, readonly number[]>()

  /** `vocabulary` in the order of ids. */
  constructor(vocabulary: readonly string[]) {
    vocabulary.forEach((piece, id) => {
      this.#ids.set(piece, id)
    })
  }

  /** Ids of a text without [CLS] and [SEP]; at most `limit` of them. */
  encode(text: string, limit = Number.POSITIVE_INFINITY): number[] {
    const ids: number[] = []
    for (const [word] of normalise(text).matchAll(PIECE)) {
      ids.push(...this.#encodeWord(word))
      if (ids.length >= limit) return ids.slice(0, limit)
    }
    return ids
  }

  /** Whether any of the ids is a piece of the vocabulary. */
  isKnown(ids: readonly number[]): boolean {
    return ids.some((id) => id !== UNKNOWN_ID)
  }

  #encodeWord(word: string): readonly number[] {
    const known = this.#words.get(word)
    if (known) return known
    const ids = this.#cutWord(word)
    if (this.#words.size >= MAX_CACHED_WORDS) this.#words.clear()
    this.#words.set(word, ids)
    return ids
  }

  #cutWord(word: string): number[] {
    // Counted in characters; few words are long enough to need the count.
    if (word.length > MAX_WORD_CHARS && [...word].length > MAX_WORD_CHARS) return [UNKNOWN_ID]
    const ids: number[] = []
    let start = 0
    while (start < word.length) {
      let end = word.length
      let id: number | undefined
      for (; end > start; end -= 1) {
        const piece = word.slice(start, end)
        id = this.#ids.get(start > 0 ? `##${piece}` : piece)
        if (id !== undefined) break
      }
      if (id === undefined) return [UNKNOWN_ID]
      ids.push(id)
      start = end
    }
    return ids
  }
}

function normalise(text: string): string {
  if (!NOT_PLAIN_ASCII.test(text)) return text.toLowerCase()
  // The model lowers each character alone: a capital sigma at a word's end becomes σ, not ς.
  return text
    .replace(REMOVED, '')
    .normalize('NFD')
    .replace(NONSPACING_MARK, '')
    .replaceAll('\u03a3', '\u03c3')
    .toLowerCase()
}
