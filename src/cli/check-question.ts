import type { LabelledQuestion } from '../index.ts'
import { ellipsize } from '../model/cut-graphemes.ts'
import { nearestName } from './nearest.ts'

/** A question, or the first thing that is wrong with it and what is expected there. */
export type CheckedQuestion = { question: LabelledQuestion } | { problem: string }

const QUESTION_KEYS = ['query', 'gold', 'stale', 'kind', 'note']
const PLACE_KEYS = ['path', 'contains', 'startLine', 'endLine', 'id']

/** Tells whether something that was read is a labelled question. */
export function checkQuestion(value: unknown): CheckedQuestion {
  if (!isObject(value)) return { problem: `it is ${nameOf(value)}, expected is an object with query and gold` }
  const { query, gold, stale, kind, note } = value
  const problem =
    unknownKey(value, QUESTION_KEYS) ??
    (typeof query === 'string' && query.trim() !== ''
      ? undefined
      : `query is ${nameOf(query)}, expected is the question as text`) ??
    placesProblem('gold', gold, 'a list of places, [] where the memory knows nothing') ??
    (stale === undefined ? undefined : placesProblem('stale', stale, 'a list of places')) ??
    textProblem('kind', kind) ??
    textProblem('note', note)
  return problem === undefined ? { question: value as unknown as LabelledQuestion } : { problem }
}

function placesProblem(name: string, value: unknown, expected: string): string | undefined {
  if (!Array.isArray(value)) return `${name} is ${nameOf(value)}, expected is ${expected}`
  for (const [index, place] of value.entries()) {
    const problem = placeProblem(place)
    if (problem !== undefined) return `${name}[${index}]${problem}`
  }
  return undefined
}

/** What is wrong with a place, to be read after its name. */
function placeProblem(place: unknown): string | undefined {
  if (!isObject(place)) return ` is ${nameOf(place)}, expected is a place with path or id`
  const unknown = unknownKey(place, PLACE_KEYS)
  if (unknown !== undefined) return `: ${unknown}`
  const { path, contains, startLine, endLine, id } = place
  const hasLines = startLine !== undefined || endLine !== undefined
  if (id !== undefined) {
    if (path !== undefined || contains !== undefined || hasLines) return ': beside id nothing else is expected'
    return isText(id) ? undefined : `.id is ${nameOf(id)}, expected is the id of a memory as text`
  }
  if (!isText(path)) return `.path is ${nameOf(path)}, expected is the path of a document as search results show it`
  if (contains !== undefined && hasLines) return ': expected are words in contains, or lines, not both'
  if (contains !== undefined && !isText(contains)) return `.contains is ${nameOf(contains)}, expected are words as text`
  if (!hasLines) return undefined
  const isRange = isLine(startLine) && isLine(endLine) && startLine <= endLine
  return isRange
    ? undefined
    : ': expected are startLine and endLine, whole numbers from 1, the first not above the last'
}

function textProblem(name: string, value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? undefined : `${name} is ${nameOf(value)}, expected is text`
}

/** A slip in the name of a key would leave a label out unseen. */
function unknownKey(value: object, allowed: readonly string[]): string | undefined {
  const key = Object.keys(value).find((name) => !allowed.includes(name))
  if (key === undefined) return undefined
  const nearest = nearestName(key, allowed)
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `it has the key ${JSON.stringify(key)}, expected are ${allowed.join(', ')}${meant}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isLine = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const written = JSON.stringify(value)
  return ellipsize(written, 40)
}
