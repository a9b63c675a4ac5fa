import type { Clock } from '../model/clock.ts'
import type { Problem } from '../model/document.ts'
import type { IndexProgress } from '../model/engine.ts'
import type { Source } from '../source/source.ts'
import type { DocumentReader, ReadingTask } from './document-reader.ts'

export interface WritePassOptions {
  sources: readonly Source[]
  clock: Clock
  /** IANA zone in which a date in a note is a day. */
  timeZone: string
  full?: boolean
  /** Absolute paths of the only files that are looked at. */
  only?: readonly string[]
  signal?: AbortSignal
  /** What reads the documents; default: this thread does, each in its turn. */
  openReader?: (task: ReadingTask) => DocumentReader
  onProgress?: (progress: IndexProgress) => void
}

export interface WritePassReport {
  documents: { added: number; changed: number; removed: number; skipped: number }
  memories: { added: number; removed: number; duplicates: number }
  problems: Array<Problem & { failed?: boolean }>
  /** Paths of documents that were not read in this run, being as they were. */
  unchanged: Set<string>
  /** Paths of documents that were read on from where they had been left. */
  continued: Set<string>
  /** Paths of all documents that were looked at, where others were not. */
  looked?: Set<string>
  /** The first error of the program itself: what it came upon is among the problems, and all other files are done. */
  failure?: Error
}
