import type { MemoryType } from '../../index.ts'

/** Something of another program that is worth remembering. */
export interface ImportedText {
  /** What it was there; with the text it makes the id, so that the same import adds nothing and a changed text comes beside. */
  key: readonly string[]
  text: string
  type?: MemoryType
  /** ISO date or instant. */
  occurredAt?: string
  sessionId?: string
  /** The file, where there are several. */
  path?: string
  line?: number
}

/** Something that is not taken over, and why. */
export interface SkippedPart {
  path?: string
  line?: number
  reason: string
}

/** What a file of another program holds. */
export interface Reading {
  texts: ImportedText[]
  skipped: SkippedPart[]
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a field, or undefined where it holds none. */
export function textIn(record: Record<string, unknown>, name: string): string | undefined {
  const value = record[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A field that should date a text: what the engine reads as a date, or else words that stay with the text. */
export function dateIn(record: Record<string, unknown>, name: string): { occurredAt?: string; note?: string } {
  const written = textIn(record, name)
  if (written === undefined) return {}
  const isIso =
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i.test(written)
  const isReal = isIso && !Number.isNaN(Date.parse(written.slice(0, 'YYYY-MM-DD'.length)))
  return isReal ? { occurredAt: written } : { note: `(${name}: ${written})` }
}
