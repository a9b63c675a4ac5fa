import type { Memory } from '../model/memory.ts'
import { NEWER_MIN_SHARE, SAME_STATEMENT_OVERLAP } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'
import type { FusedCandidate } from './fuse.ts'
import { keepReadings } from './readings.ts'

/** Results that are compared with each other. */
export const NEWER_LOOKED_AT = 10
const MIN_WORDS = 3
/** Beyond it the longer text tells more than the shorter states, and holds its words by chance. */
const MAX_LENGTH_RATIO = 3
/** By these a text says that it replaces what was said before. */
const readUpdateWords = (): ReadonlySet<string> =>
  new Set(
    tokenize(
      'correction corrected update updated change changed now instead anymore replaced renamed revised moved switched ' +
        'korrektur jetzt geändert stattdessen correction désormais maintenant corrección ahora cambiado correzione adesso 更正 现在 改为 訂正 変更',
    )
      .filter(({ kind }) => kind !== 'character')
      .map(({ term }) => term),
  )
// Read when two memories are compared: most processes that live for one question compare none.
let updateWords: ReadonlySet<string> | undefined

interface Statement {
  /** Content words, those by which it says that it is an update left out. */
  words: ReadonlySet<string>
  isUpdate: boolean
}

const readStatement = keepReadings(({ text }): Statement => {
  const tokens = tokenize(text)
  updateWords ??= readUpdateWords()
  const says = updateWords
  const words = tokens.filter(({ kind, term }) => kind === 'word' && !says.has(term))
  return { words: new Set(words.map(({ term }) => term)), isUpdate: tokens.some(({ term }) => says.has(term)) }
})

/**
 * Whether the newer text states what the older one states: most of the words of both are the same or, where the newer says
 * that it corrects something, most of the words of the shorter one.
 */
function statesTheSame(newer: Statement, older: Statement): boolean {
  const [a, b] = [newer.words, older.words]
  const smaller = Math.min(a.size, b.size)
  if (smaller < MIN_WORDS || Math.max(a.size, b.size) > MAX_LENGTH_RATIO * smaller) return false
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared / (newer.isUpdate ? smaller : a.size + b.size - shared) >= SAME_STATEMENT_OVERLAP
}

/** Whether one is another voice in the same talk: it answers the other and does not replace it. */
function isAnswer(a: Memory, b: Memory): boolean {
  const isSameTalk = a.category === 'sessions' && a.place.path === b.place.path && a.place.root === b.place.root
  return isSameTalk && (a.role !== b.role || a.speaker !== b.speaker)
}

function instantOf(memory: Memory): number | null {
  const { occurredAt, dateOrigin } = memory.place
  return occurredAt === undefined || dateOrigin === 'mtime' ? null : Date.parse(occurredAt)
}

/**
 * Of two memories among the first ten that state the same thing in nearly the same words, or of which the newer says that it is a correction, the newer comes to stand
 * directly above the older, unless it is a much worse answer or lacks a word of the query that the older one holds. Both stay in the list.
 */
export function preferNewer(ranked: readonly FusedCandidate[]): FusedCandidate[] {
  const list = ranked.slice(0, NEWER_LOOKED_AT)
  for (let lower = 1; lower < list.length; lower++) {
    const candidate = list[lower]
    if (!candidate) continue
    const newer = instantOf(candidate.candidate.memory)
    if (newer === null) continue
    const above = list.findIndex((other, index) => {
      if (index >= lower) return false
      const older = instantOf(other.candidate.memory)
      if (older === null || older >= newer || candidate.fused < NEWER_MIN_SHARE * other.fused) return false
      if (isAnswer(candidate.candidate.memory, other.candidate.memory)) return false
      // What only the older one holds of the query was asked for: a name, a number that tells two entries of one form apart.
      if (other.matchedTerms.some((term) => !candidate.matchedTerms.includes(term))) return false
      // Last: most of ten texts need not be taken apart.
      return statesTheSame(readStatement(candidate.candidate.memory), readStatement(other.candidate.memory))
    })
    const other = list[above]
    if (!other) continue
    list.splice(lower, 1)
    const boost = { name: 'newer', factor: 1, reason: 'states the same as an older memory below it' }
    list.splice(above, 0, {
      ...candidate,
      fused: Math.max(candidate.fused, other.fused),
      boosts: [...candidate.boosts, boost],
    })
  }
  return [...list, ...ranked.slice(NEWER_LOOKED_AT)]
}
