import { MadeleineError } from '../errors.ts'
import type { Problem, TranscriptDocument, Turn } from '../model/document.ts'
import type { Tally } from '../normalize/tally.ts'
import {
  KEPT_PROBLEMS,
  MAX_FORMAT_PROBE_RECORDS,
  TRANSCRIPT_HEAD_BYTES,
  TRANSCRIPT_MARK_BYTES,
  TRANSCRIPT_PART,
} from '../options.ts'
import { createTurnCollector, type TurnCollector } from './collect-turns.ts'
import { textCharacters } from './message-content.ts'
import { createClaudeCodeParser } from './parse-claude-code.ts'
import { createOpenClawParser } from './parse-openclaw.ts'
import type { JsonLine, JsonLinesFile, LineStart } from './read-json-lines.ts'
import type { ReadPart, SourceEntry } from './source.ts'
import { BEGINNING, packCursor, type TranscriptCursor } from './transcript-cursor.ts'
import {
  formatOf,
  isObject,
  type JsonObject,
  type TranscriptFacts,
  type TranscriptFormat,
  type TranscriptParser,
} from './transcript-format.ts'
import { scopeOf, sessionOfName, type TranscriptContext, type TranscriptHead } from './transcript-head.ts'

/** A part of a transcript. */
export interface TranscriptPart extends ReadPart {
  document: TranscriptDocument
  omitted: Record<string, number>
}

/** A place between two lines at which reading can go on, once what was open there is decided. */
interface Mark extends LineStart {
  hash: () => string
  parser: unknown
  ids: string
}

/** A transcript while it is read: line by line, given part by part. */
export class TranscriptReading {
  readonly #entry: SourceEntry
  readonly #context: TranscriptContext
  readonly #file: JsonLinesFile
  readonly #tally: Tally | undefined
  readonly #turns: TurnCollector
  readonly #problems: Problem[] = []
  #moreProblems = 0
  #damage: string | undefined
  /** Records before the one that tells which host wrote them. */
  #early: Array<{ record: JsonObject; line: number; offset: number }> = []
  #format: TranscriptFormat | undefined
  #parser: TranscriptParser | undefined
  /** Begin of the next line, as it was when the last one had been taken. */
  #start: LineStart
  /** First line that says nothing of the transcript as a whole. */
  #headEnd = Number.POSITIVE_INFINITY
  #head: TranscriptHead | undefined
  #marks: Mark[] = []
  #ready: Mark | undefined
  #lastCursor: string
  #isContinued: boolean
  #isUnfinished = false
  /** Nothing has been taken of the next line, which may still become another one. */
  #isBetweenLines = true

  constructor(given: {
    entry: SourceEntry
    context: TranscriptContext
    file: JsonLinesFile
    from: TranscriptCursor | undefined
    tally: Tally | undefined
  }) {
    const { entry, context, file, from, tally } = given
    this.#entry = entry
    this.#context = context
    this.#file = file
    this.#tally = tally
    this.#turns = createTurnCollector(tally, from?.ids)
    this.#start = file.next()
    this.#head = from?.head
    this.#lastCursor = from ? packCursor(from) : BEGINNING
    this.#isContinued = from !== undefined
    if (from) this.#recognise(from.format, from.parser)
  }

  /** Keeps a problem of the file, or counts it. */
  note(problem: Omit<Problem, 'path'>): void {
    if (this.#problems.length < KEPT_PROBLEMS) this.#problems.push({ path: this.#entry.path, ...problem })
    else this.#moreProblems += 1
  }

  /** The file cannot be unpacked beyond this place. */
  noteDamage(message: string): void {
    this.#damage = message
    this.note({ reason: `file is damaged, the rest was not read: ${message}` })
  }

  /** Takes the next line. Returns the reason why the file is to be skipped, if it is. */
  accept(item: JsonLine): string | undefined {
    const { offset } = this.#start
    if (offset >= TRANSCRIPT_HEAD_BYTES && this.#headEnd > item.line) {
      this.#headEnd = item.line
      this.#parser?.closeHead()
    }
    if ('unfinished' in item) this.#isUnfinished = true
    else if ('problem' in item) this.note({ line: item.line, reason: item.problem })
    else if (!isObject(item.value)) {
      this.#tally?.skip('lines that are no JSON object', textCharacters(item.value))
      this.note({ line: item.line, reason: 'line is not a JSON object' })
    } else {
      const skipped = this.#acceptRecord(item.value, item.line, offset)
      if (skipped !== undefined) return skipped
    }
    const next = this.#file.next()
    this.#isBetweenLines = next.line > item.line || this.#isUnfinished
    if (this.#isBetweenLines) this.#mark(next)
    this.#start = next
    return undefined
  }

  #acceptRecord(record: JsonObject, line: number, offset: number): string | undefined {
    if (record.origin === 'madeleine') return 'written by Madeleine itself'
    if (this.#parser) {
      this.#parser.accept(record, line, offset)
      return undefined
    }
    this.#early.push({ record, line, offset })
    const format = formatOf(record)
    if (!format) return undefined
    const { format: wanted } = this.#context.options
    if (wanted && wanted !== format) return `transcript of another host (${format})`
    const parser = this.#recognise(format)
    for (const one of this.#early) parser.accept(one.record, one.line, one.offset)
    this.#early = []
    return undefined
  }

  /** Whether so much was read without a sign of its host that it is no transcript. */
  isUnknown(): boolean {
    return !this.#parser && this.#early.length + this.#problems.length >= MAX_FORMAT_PROBE_RECORDS
  }

  #recognise(format: TranscriptFormat, saved?: unknown): TranscriptParser {
    this.#format = format
    this.#parser =
      format === 'openclaw' ? createOpenClawParser(this.#turns, saved) : createClaudeCodeParser(this.#turns, saved)
    return this.#parser
  }

  /** Notes that reading can go on at a line, unless it can a little before it. */
  #mark({ line, offset }: LineStart, minBytes = TRANSCRIPT_MARK_BYTES): void {
    const last = this.#marks.at(-1) ?? this.#ready
    if (!this.#parser || offset - (last?.offset ?? 0) < minBytes) return
    const hash = this.#file.hashBeforeNext()
    this.#marks.push({ line, offset, hash, parser: this.#parser.save(), ids: this.#turns.saveIds() })
  }

  /** Finds the last mark before which all is decided. Says whether it is another one than before. */
  #advance(): boolean {
    const openSince = this.#parser?.openSince() ?? 0
    const decided = this.#marks.filter(({ line }) => line <= openSince)
    this.#marks = this.#marks.filter(({ line }) => line > openSince)
    this.#ready = decided.at(-1) ?? this.#ready
    return decided.length > 0
  }

  /** The turns that are decided, when they are enough for a part. */
  takePart(): TranscriptPart | undefined {
    if (this.#marks.length === 0 || !this.#advance() || !this.#ready) return undefined
    const { turns, characters } = this.#turns.held()
    if (turns < TRANSCRIPT_PART.turns && characters < TRANSCRIPT_PART.characters) return undefined
    const head = this.#settleHead(this.#ready)
    const taken = head ? this.#take(this.#ready.line) : []
    if (!head || taken.length === 0) return undefined
    this.#lastCursor = this.#toCursor(this.#ready, head)
    return this.#toPart(head, taken, { settled: taken.length, isLast: false })
  }

  /** What is left of the file as its last part, or the reason why it is none. */
  finish(): TranscriptPart | { skipped: string } {
    const { lost } = this.#file
    if (!this.#parser) {
      if (lost.length > 0) throw allLost(this.#entry, lost)
      if (this.#damage !== undefined) throw allDamaged(this.#entry, this.#damage)
      return { skipped: 'no transcript of a known host' }
    }
    for (const { reason, count } of lost) this.note({ reason, count })
    const next = this.#file.next()
    if (this.#isBetweenLines) this.#mark(next, 1)
    this.#advance()
    this.#parser.close()
    const settledHead = this.#ready && this.#settleHead(this.#ready)
    const settled = settledHead && this.#ready ? this.#take(this.#ready.line) : []
    if (settledHead && this.#ready) this.#lastCursor = this.#toCursor(this.#ready, settledHead)
    const head = this.#head ?? this.#findHead(this.#headEnd)
    const rest = this.#take()
    return this.#toPart(head, [...settled, ...rest], { settled: settled.length, isLast: true })
  }

  #take(beforeLine?: number): Turn[] {
    return this.#turns.take(this.#facts().sessionId ?? '', beforeLine)
  }

  #facts(): TranscriptFacts {
    return this.#parser?.facts() ?? {}
  }

  /** The head as it stays, when what was decided before the mark says all of it, or is all that may say it. */
  #settleHead({ line }: Mark): TranscriptHead | undefined {
    if (this.#head) return this.#head
    const { sessionId, cwd } = this.#facts()
    const head = this.#findHead(Math.min(line, this.#headEnd))
    const isComplete = sessionId !== undefined && cwd !== undefined && head.dateOrigin === 'timestamp'
    if (!isComplete && line < this.#headEnd) return undefined
    this.#head = head
    return head
  }

  #findHead(beforeLine: number): TranscriptHead {
    const facts = this.#facts()
    const first = this.#turns.firstInstant(beforeLine)
    return {
      scope: scopeOf(this.#entry, this.#context, facts),
      sessionId: facts.sessionId ?? sessionOfName(this.#entry.path),
      date: first ?? new Date(this.#entry.modifiedMs).toISOString(),
      dateOrigin: first === undefined ? 'mtime' : 'timestamp',
    }
  }

  #toCursor({ line, offset, hash, parser, ids }: Mark, head: TranscriptHead): string {
    const { isPacked } = this.#file
    if (isPacked || !this.#format) return JSON.stringify([BEGINNING, offset])
    const facts = this.#facts()
    const state = isObject(parser) ? { ...parser, ...facts } : facts
    return packCursor({ line, offset, hash: hash(), format: this.#format, head, facts, parser: state, ids })
  }

  #toPart(
    { scope, sessionId, date, dateOrigin }: TranscriptHead,
    turns: Turn[],
    { settled, isLast }: { settled: number; isLast: boolean },
  ): TranscriptPart {
    const unfinished = this.#isUnfinished ? { 'last line that is still being written': 1 } : {}
    const part = {
      document: {
        form: 'transcript' as const,
        root: this.#context.root,
        path: this.#entry.path,
        category: 'sessions' as const,
        scope,
        contentHash: isLast ? this.#file.contentHash() : '',
        date,
        dateOrigin,
        sessionId,
        turns,
      },
      problems: isLast ? this.#allProblems() : [],
      omitted: isLast ? { ...this.#turns.omitted, ...unfinished } : {},
      isContinued: this.#isContinued,
      settled,
      cursor: this.#lastCursor,
      isLast,
      bytes: this.#file.isPacked ? 0 : this.#file.next().offset,
    }
    this.#isContinued = true
    return part
  }

  #allProblems(): Problem[] {
    if (this.#moreProblems === 0) return this.#problems
    const rest = {
      path: this.#entry.path,
      reason: 'other lines of it that could not be read',
      count: this.#moreProblems,
    }
    return [...this.#problems, rest]
  }
}

/** Not the same as a file that holds nothing: what is known of it stays. */
function allLost(entry: SourceEntry, lost: JsonLinesFile['lost']): MadeleineError {
  const reasons = lost.map(({ reason, count }) => `${count} ${reason}`).join('; ')
  return new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${entry.path}: ${reasons}`, {
    remedy: 'Run Madeleine with a newer Node (22.15 or later).',
  })
}

/** Likewise: a file that was cut off or overwritten takes nothing of what was read of it before. */
function allDamaged(entry: SourceEntry, message: string): MadeleineError {
  return new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${entry.path}: file is damaged: ${message}`, {
    remedy: 'Put a sound copy in its place, or delete it; what was indexed of it is kept until then',
  })
}
