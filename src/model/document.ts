import type { DateOrigin, MemoryType, Role, Scope, SourceCategory, Tier, Trust } from './memory.ts'

/** Something that was read over or left out, and why: always counted and shown, never silent. */
export interface Problem {
  path: string
  /** 1-based physical line, where one line is to blame. */
  line?: number
  reason: string
  /** How many things of this kind, where several share one reason. Default 1. */
  count?: number
}

/** What every document has, whatever it was read from. */
export interface DocumentHead {
  /** Absolute real path of the configured root that it was found under. */
  root: string
  /** Relative to the root, `/`-separated, spelled as on disk; transcripts: `sessions/<file>`. */
  path: string
  category: SourceCategory
  scope: Scope
  /** sha256 (hex) of the raw bytes. */
  contentHash: string
  /** The day that the file name or front matter gives (`YYYY-MM-DD`, a day of the user's zone), else ISO 8601 with offset: an instant that they give, the first turn's, or the file's time. */
  date?: string
  dateOrigin?: DateOrigin
}

/** A Markdown file as read, BOM and carriage returns removed, line numbers as on disk. */
export interface MarkdownDocument extends DocumentHead {
  form: 'markdown'
  /** Text with front matter blanked out by empty lines, so that lines still match the file. */
  text: string
  /** From front matter, else the file name without its ending. */
  title: string
  tier: Tier
  /** Front matter `type:`; without it the chunker decides for each section. */
  type?: MemoryType
  /** [0,1]; 0.5 unless front matter says otherwise. */
  importance: number
  trust: Trust
}

/** One message of a transcript, cleaned and redacted. */
export interface Turn {
  /** Unique within all transcripts where the host gives ids (entry id and timestamp), else session and line. */
  id: string
  role: Role
  /** Who speaks, as a person would say it; absent when only the role is known. */
  speaker?: string
  tool?: string
  text: string
  /** Physical lines of the file, 1-based, inclusive. */
  startLine: number
  endLine: number
  /** ISO 8601 with offset. */
  occurredAt?: string
  trust: Trust
}

export interface TranscriptDocument extends DocumentHead {
  form: 'transcript'
  sessionId: string
  turns: Turn[]
}

export type SourceDocument = MarkdownDocument | TranscriptDocument

/** One retrievable piece of a document. */
export interface Chunk {
  text: string
  headerPath: string[]
  startLine: number
  endLine: number
  embedText: string
  type: MemoryType
  trust: Trust
  importance: number
  occurredAt?: string
  dateOrigin?: DateOrigin
  role?: Role
  speaker?: string
  tool?: string
  sessionId?: string
  turnId?: string
}
