import { cutGraphemes, graphemeBoundary } from '../model/cut-graphemes.ts'
import { cleanCharacters } from '../normalize/index.ts'
import { DECIDED, DONE } from '../text/cues/cue-words.ts'
import { redactSecrets } from '../text/redact.ts'
import { quoteMemory } from './quote-memory.ts'

/** The number of a change, an issue or a commit, and addresses of such. */
const REFERENCE =
  /(?<![\p{L}\p{N}])(?:(?:[Pp]ull [Rr]equest|[Mm]erge [Rr]equest|PR|MR|[Ii]ssue|[Tt]icket|[Cc]ommit) ?[#!]?\d+|[#!]\d{1,7}(?![\p{L}\p{N}])|\p{Lu}[\p{Lu}\p{N}]{1,9}-\d+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\p{L}\p{N}]))|https?:\/\/\S+\/(?:pull|issues|commit|merge_requests)\/\S+/u
/** What each is worth: a reader finds by the reference what the sentence leaves out. */
const WEIGHTS = { reference: 2, outcome: 1 } as const
const GAP = ' … '
/** Characters for which it is worth beginning another sentence. */
const MIN_PIECE = 32
const SENTENCE_END = /(?<=[.!?。！？]["'”’)*`]*)\s+(?=[^\p{Ll}\s])|(?<=[。！？])|\n+/u

interface Sentence {
  text: string
  weight: number
  /** Where what it is worth begins. */
  at: number
}

/**
 * A memory in quotation marks, of at most about `maxChars`: where it does not fit, what it is shown for stays, which is how something came out and
 * the number of the change that did it, and of the rest the beginning. What is left out is marked.
 */
export function quoteBearing(text: string, maxChars: number): string {
  const whole = redactSecrets(cleanCharacters(text)).text.trim()
  if (whole.replace(/\s+/g, ' ').length <= maxChars) return quoteMemory(whole, maxChars)
  const sentences = whole.split(SENTENCE_END).map((one) => weigh(one.replace(/\s+/g, ' ').trim()))
  if (!sentences.some(({ weight }) => weight > 0)) return quoteMemory(whole, maxChars)
  return quoteMemory(join(sentences, choose(sentences, maxChars)), maxChars)
}

function weigh(text: string): Sentence {
  const places = { reference: text.search(REFERENCE), outcome: place(text, [DONE, DECIDED]) }
  const found = (['reference', 'outcome'] as const).filter((sign) => places[sign] >= 0)
  const [first] = found
  return { text, weight: found.reduce((sum, sign) => sum + WEIGHTS[sign], 0), at: first ? places[first] : 0 }
}

function place(text: string, expressions: readonly RegExp[]): number {
  return expressions.map((expression) => text.search(expression)).find((at) => at >= 0) ?? -1
}

/** What is shown of each sentence, by its index: the weightiest first, then the beginning, as far as there is room. */
function choose(sentences: readonly Sentence[], maxChars: number): Map<number, string> {
  const chosen = new Map<number, string>()
  // A gap before and after each, at worst.
  let room = maxChars - GAP.length
  const byWeight = [...sentences.keys()].sort(
    (a, b) => (sentences[b]?.weight ?? 0) - (sentences[a]?.weight ?? 0) || a - b,
  )
  for (const index of byWeight) {
    const { text = '', weight = 0, at = 0 } = sentences[index] ?? {}
    const free = room - GAP.length
    if (free < Math.min(MIN_PIECE, text.length)) break
    const shown = text.length <= free ? text : weight > 0 ? cutAround(text, at, free) : cutGraphemes(text, free)
    chosen.set(index, shown)
    room -= shown.length + GAP.length
  }
  return chosen
}

/** The part of a sentence that begins or ends with what matters, as far as it fits. */
function cutAround(text: string, at: number, maxChars: number): string {
  // Two thirds before: what was done stands before the number of its change.
  const from = Math.max(0, Math.min(at - Math.floor((maxChars * 2) / 3), text.length - maxChars))
  const space = text.slice(from, from + MIN_PIECE).indexOf(' ')
  const start = from === 0 ? 0 : space >= 0 ? from + space + 1 : graphemeBoundary(text, from)
  return cutGraphemes(text.slice(start), maxChars).trim()
}

function join(sentences: readonly Sentence[], chosen: ReadonlyMap<number, string>): string {
  let joined = ''
  let isWhole = true
  sentences.forEach(({ text }, index) => {
    const shown = chosen.get(index)
    if (shown === undefined) {
      isWhole = false
      return
    }
    const isFromStart = text.startsWith(shown)
    joined += joined === '' ? (isWhole && isFromStart ? '' : '… ') : isWhole && isFromStart ? ' ' : GAP
    joined += shown
    isWhole = isFromStart && shown.length === text.length
  })
  return isWhole ? joined : `${joined} …`
}
