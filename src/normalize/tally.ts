/**
 * What became of the characters of one document (UTF-16 units of the decoded file). Every class counts characters of the file: marks
 * that stand in for something taken out are not among them. Their sum is `characters`.
 */
export interface CharacterAccount {
  characters: number
  /** Text of memories that this document was the first to hold. */
  indexed: number
  /** Text that is stored already, from an earlier place. */
  duplicate: number
  /** Secrets. */
  redacted: number
  /** Syntax and bookkeeping of a transcript's records; of a note none. */
  structure: number
  /** Taken out of texts, by the rule that took it. */
  stripped: Record<string, number>
  /** Texts that were left out as a whole, by reason. */
  skipped: Record<string, number>
}

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
  /** So many characters of the file became the next chunk's. One call a chunk, in the order of the chunks. */
  keep(characters: number): void
}

/** A tally of one document, to be closed when all of it has been read and cut. */
export interface OpenTally extends Tally {
  /** What was kept for each chunk since the last call, in order. */
  takeKept(): number[]
  /** Closes the account: of what was kept, so many characters were in memories that stood elsewhere before. */
  close(duplicates: number): CharacterAccount
}

const REDACTION_MARK = /\[redacted:[^\]\n]{1,60}\]/g

export function createTally(): OpenTally {
  const stripped: Record<string, number> = {}
  const skipped: Record<string, number> = {}
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
    keep(count) {
      kept += count
      chunks.push(count)
    },
    takeKept() {
      const taken = chunks
      chunks = []
      return taken
    },
    close(duplicates) {
      const stored = kept - marks
      const duplicate = Math.min(stored, duplicates)
      const known = stored + repeated + redacted + sum(stripped) + sum(skipped)
      return {
        characters,
        indexed: stored - duplicate,
        duplicate: duplicate + repeated,
        redacted,
        structure: characters - known,
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
