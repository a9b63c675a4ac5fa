import type { CharacterAccount } from '../model/ledger.ts'

/** A text before and after a step of cleaning. */
export interface Step {
  before: string
  after: string
}

/**
 * Listens to cleaning and chunking and counts what they take away. They report to it as they work and do the same without
 * one, so that what is counted is what is done.
 */
export interface Tally {
  /** So many characters of the file were read. */
  read(characters: number): void
  /** So many characters were taken out of a text. */
  strip(rule: string, characters: number): void
  /** A step of cleaning made a text shorter, or left it. */
  step(rule: string, step: Step): void
  /** A step put marks in place of secrets. */
  redact(step: Step): void
  /** A text was left out as a whole. */
  skip(reason: string, characters: number): void
  /** A text was left out because it stands in the document already. */
  repeat(characters: number): void
  /** The whole file is left out after all: nothing else of it counts. */
  skipFile(reason: string, characters: number): void
  /** So many characters of the file became the next chunk's. One call a chunk, in the order of the chunks. */
  keep(characters: number): void
}

/** A tally of one document, to be closed when all of it has been read and cut. */
export interface OpenTally extends Tally {
  /** What was kept for each chunk since the last call, in order. */
  takeKept(): number[]
  /** Closes the account: of what was kept, so many characters are in memories that stand elsewhere before, or that were forgotten. */
  close(kept: { duplicates: number; forgotten: number }): CharacterAccount
}

const REDACTION_MARK = /\[redacted:[^\]\n]{1,60}\]/g

export function createTally(): OpenTally {
  let stripped: Record<string, number> = {}
  let skipped: Record<string, number> = {}
  let [characters, kept, repeated, redacted] = [0, 0, 0, 0]
  /** Characters of marks among the texts, which no file holds. */
  let marks = 0
  let chunks: number[] = []
  return {
    read(count) {
      characters += count
    },
    strip: (rule, count) => add(stripped, rule, count),
    step(rule, { before, after }) {
      if (before.length === after.length) return
      const lostMarks = marks === 0 ? 0 : Math.min(marks, Math.max(0, markCharacters(before) - markCharacters(after)))
      marks -= lostMarks
      add(stripped, rule, before.length - after.length - lostMarks)
    },
    redact({ before, after }) {
      if (before === after) return
      const added = Math.max(0, markCharacters(after) - markCharacters(before))
      marks += added
      redacted += before.length - after.length + added
    },
    skip: (reason, count) => add(skipped, reason, count),
    repeat(count) {
      repeated += count
    },
    skipFile(reason, count) {
      ;[characters, kept, repeated, redacted, marks] = [count, 0, 0, 0, 0]
      stripped = {}
      skipped = count > 0 ? { [reason]: count } : {}
      chunks = []
    },
    keep(count) {
      kept += count
      chunks.push(count)
    },
    takeKept() {
      const taken = chunks
      chunks = []
      return taken
    },
    close({ duplicates, forgotten }) {
      const gone = Math.min(kept - marks, forgotten)
      add(skipped, 'forgotten by its owner', gone)
      const stored = kept - marks - gone
      const duplicate = Math.min(stored, duplicates)
      const known = stored + repeated + redacted + sum(stripped) + sum(skipped)
      return {
        // A source that does not count what it reads has at least this.
        characters: Math.max(characters, known),
        indexed: stored - duplicate,
        duplicate: duplicate + repeated,
        redacted,
        structure: Math.max(characters - known, 0),
        stripped,
        skipped,
      }
    },
  }
}

function markCharacters(text: string): number {
  if (!text.includes('[redacted:')) return 0
  return text.match(REDACTION_MARK)?.reduce((total, mark) => total + mark.length, 0) ?? 0
}

function add(counts: Record<string, number>, name: string, count: number): void {
  if (count !== 0) counts[name] = (counts[name] ?? 0) + count
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

/** Follows a text through steps of cleaning, each with the name of its rule. */
export function cleanBy(
  tally: Tally | undefined,
  text: string,
  steps: ReadonlyArray<[string, (text: string) => string]>,
): string {
  return steps.reduce((before, [rule, clean]) => {
    const after = clean(before)
    tally?.step(rule, { before, after })
    return after
  }, text)
}
