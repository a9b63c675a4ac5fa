import type { Memory } from '../model/memory.ts'
import { NEWER_MIN_SHARE, SAME_STATEMENT_OVERLAP } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'
import type { AskedValue } from './asked-value.ts'
import { statesNewValue } from './changed-value.ts'
import type { FusedCandidate } from './fuse.ts'
import { CHANGED_VALUE, NEWER_LOOKED_AT, REPEATS_LOOKED_AT } from './newer-options.ts'
import { keepReadings } from './readings.ts'

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

/** People and notes by one name: what an agent says of values repeats or proposes, and what a tool prints is of its run. */
function isSameVoice(a: Memory, b: Memory): boolean {
  const tells = ({ role, speaker }: Memory): boolean =>
    speaker !== undefined || (role !== 'assistant' && role !== 'tool')
  return tells(a) && tells(b) && a.speaker === b.speaker
}

interface Pair {
  newer: FusedCandidate
  older: FusedCandidate
  /** Words of the query that the newer one must not lack. */
  needed: readonly string[]
}

function repeats({ newer, older, needed }: Pair): boolean {
  if (newer.fused < NEWER_MIN_SHARE * older.fused) return false
  // What only the older one holds of the query was asked for: a name, a number that tells two entries of one form apart.
  if (needed.some((term) => !newer.matchedTerms.includes(term))) return false
  // Last: most of ten texts need not be taken apart.
  return statesTheSame(readStatement(newer.candidate.memory), readStatement(older.candidate.memory))
}

function givesNewValue({ newer, older, needed }: Pair, asked: AskedValue): boolean {
  const [after, before] = [newer.candidate.memory, older.candidate.memory]
  if (newer.fused < CHANGED_VALUE.minShare * older.fused || !isSameVoice(after, before)) return false
  if (needed.some((term) => /\d/.test(term) && !newer.matchedTerms.includes(term))) return false
  return statesNewValue(after, before, asked)
}

/**
 * Of two dated memories among the first ones, the newer comes to stand directly above the older where it states the same thing in nearly
 * the same words, or says that it corrects it (first ten), or where the query asks for a value and they give it different ones (first twenty). It
 * does not when it is a much worse answer or lacks what was asked for. All stay in the list, and the others in their order.
 */
export function preferNewer(ranked: readonly FusedCandidate[], asked: AskedValue | null = null): FusedCandidate[] {
  const list = ranked.slice(0, NEWER_LOOKED_AT)
  /** What those that moved stand for: who comes above them has to hold it too. */
  const needed = new Map<Memory, readonly string[]>()
  for (let lower = 1; lower < list.length; lower++) {
    const newer = list[lower]
    const instant = newer && instantOf(newer.candidate.memory)
    if (!newer || instant === null || instant === undefined) continue
    const above = list.findIndex((older, index) => {
      const { memory } = older.candidate
      const before = instantOf(memory)
      if (index >= lower || before === null || before >= instant || isAnswer(newer.candidate.memory, memory))
        return false
      const pair = { newer, older, needed: needed.get(memory) ?? older.matchedTerms }
      return (lower < REPEATS_LOOKED_AT && repeats(pair)) || (asked !== null && givesNewValue(pair, asked))
    })
    const older = list[above]
    if (!older) continue
    list.splice(lower, 1)
    const boost = { name: 'newer', factor: 1, reason: 'states anew what an older memory below it states' }
    list.splice(above, 0, { ...newer, fused: Math.max(newer.fused, older.fused), boosts: [...newer.boosts, boost] })
    const below = needed.get(older.candidate.memory) ?? older.matchedTerms
    needed.set(newer.candidate.memory, [...new Set([...newer.matchedTerms, ...below])])
  }
  return [...list, ...ranked.slice(NEWER_LOOKED_AT)]
}
