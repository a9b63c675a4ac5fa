import { MEMORY_TYPES, type MemoryType, TIERS, type Tier } from '../model/memory.ts'
import { DEFAULT_IMPORTANCE } from '../options.ts'
import { dayInName, isCalendarDay } from './date-in-name.ts'
import { fieldList, fieldText } from './front-matter.ts'

type Fields = Record<string, unknown>

const EPISODIC_NAMES = /^(?:HEARTBEAT|DREAMS)\.(?:md|markdown)$/
const SEMANTIC_NAMES = /^(?:MEMORY|memory|USER|IDENTITY|SOUL|README)\.(?:md|markdown)$/
const PROCEDURAL_NAMES = /^(?:AGENTS|CLAUDE|GEMINI|TOOLS|BOOT[A-Z]*|SKILL)\.(?:md|markdown)$/
const PROCEDURE_WORD = /^(?:skills?|runbooks?|how-?tos?|how_tos?|procedures?|playbooks?)$/i

/** The tier of a note by its front matter, its name, then its folders. */
export function tierOfNote(path: string, fields: Fields): Tier {
  const stated = fieldText(fields.tier)?.toLowerCase()
  const tier = TIERS.find((name) => name === stated)
  if (tier) return tier
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  if (EPISODIC_NAMES.test(name)) return 'episodic'
  if (SEMANTIC_NAMES.test(name)) return 'semantic'
  if (PROCEDURAL_NAMES.test(name)) return 'procedural'
  const kinds = [fields.type, fields.kind, fields.category, fields.tags].flatMap(fieldList)
  if (kinds.some((word) => PROCEDURE_WORD.test(word)) || folders.some((folder) => PROCEDURE_WORD.test(folder))) {
    return 'procedural'
  }
  return dayInPath(path) ? 'episodic' : 'semantic'
}

/** Front matter `type:` where it is one of the memory types. */
export function typeOfNote(fields: Fields): MemoryType | undefined {
  const stated = fieldText(fields.type)?.toLowerCase()
  return MEMORY_TYPES.find((type) => type === stated)
}

/** Title from front matter, else the file name without its ending. */
export function titleOfNote(path: string, fields: Fields): string {
  const name = path.split('/').pop() ?? path
  return fieldText(fields.title) ?? fieldText(fields.name) ?? (name.replace(/\.(?:md|markdown)$/i, '') || name)
}

const ANNOTATION = /^<!--\s*importance:\s*(\d{1,3}(?:\.\d+)?)\s*-->$/i
const WORDS: Readonly<Record<string, number>> = { critical: 1, high: 0.8, medium: 0.5, normal: 0.5, low: 0.3 }

/**
 * [0,1]: front matter `importance:` (1–10, or a fraction, or a word), else `<!-- importance: N -->` above the first line of
 * text, which speaks for the whole file. One that stands further down speaks for its own entry only.
 */
export function importanceOfNote(fields: Fields, text: string): number {
  return parseImportance(fieldText(fields.importance)) ?? annotatedImportance(text) ?? DEFAULT_IMPORTANCE
}

function parseImportance(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const word = WORDS[value.toLowerCase()]
  if (word !== undefined) return word
  if (!/^\d{1,3}(?:\.\d+)?$/.test(value)) return undefined
  const number = Number(value)
  const isFraction = value.includes('.') && number <= 1
  return Math.min(1, isFraction ? number : number / 10)
}

function annotatedImportance(text: string): number | undefined {
  for (const line of text.split('\n', 200)) {
    const trimmed = line.trim()
    const match = ANNOTATION.exec(trimmed)
    if (match) return parseImportance(match[1])
    if (trimmed !== '' && !trimmed.startsWith('#') && !trimmed.startsWith('<!--')) return undefined
  }
  return undefined
}

/** The day that a path names: in the file's name, else in the nearest folder's. */
export function dayInPath(path: string): string | undefined {
  for (const part of path.split('/').reverse()) {
    const day = dayInName(part)
    if (day) return day
  }
  return undefined
}

/** The day or instant that front matter gives: `YYYY-MM-DD`, or ISO 8601 with offset where it is written with one. */
export function dateInFields(fields: Fields): string | undefined {
  for (const name of ['date', 'day', 'created', 'created_at']) {
    const date = parseDate(fieldText(fields[name]))
    if (date) return date
  }
  return undefined
}

function parseDate(value: string | undefined): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(value ?? '')
  if (!match || value === undefined) return undefined
  if (!isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined
  const hasOffset = /T?.*\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})$/.test(value)
  const instant = hasOffset ? Date.parse(value.replace(' ', 'T').replace(/\s+/g, '')) : Number.NaN
  return Number.isNaN(instant) ? value.slice(0, 10) : new Date(instant).toISOString()
}
