import { readFileSync } from 'node:fs'
import { isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import { type LabelledQuestion, MadeleineError } from '../index.ts'
import { checkQuestion } from './check-question.ts'
import { formatCount } from './words.ts'

/** Problems that one error lists. */
const SHOWN_PROBLEMS = 10

const FORM =
  'A question is {"query": "…", "gold": […]}, with "kind", "note" and "stale" as you like. A place in gold or stale is {"path", "contains"}, ' +
  '{"path", "startLine", "endLine"} or {"id"}; gold is [] where the memory knows nothing. ' +
  'JSON Lines has one a line; .yaml, .yml and .json hold a list of them.'

interface Entry {
  line: number
  /** What stands there, or what is wrong with it. */
  value?: unknown
  problem?: string
}

/**
 * Reads labelled questions: JSON Lines, or a list in YAML or JSON, by the ending of the name. `shown` is the file in messages. Throws
 * INVALID_OPTION where the file cannot be read or holds no question, and for what is none, naming every line.
 */
export function readQuestions(file: string, shown: string): LabelledQuestion[] {
  const text = readText(file, shown)
  const entries = /\.(?:ya?ml|json)$/i.test(file) ? listItems(text) : listLines(text)
  const problems: string[] = []
  const questions = entries.flatMap(({ line, value, problem }) => {
    const checked = problem === undefined ? checkQuestion(value) : { problem }
    if ('question' in checked) return [{ ...checked.question, line }]
    problems.push(`${shown}:${line}: ${checked.problem}`)
    return []
  })
  if (problems.length > 0) throw refuse(shown, `${formatCount(problems.length, 'line')} cannot be used`, problems)
  if (questions.length === 0) throw refuse(shown, 'it holds no question')
  return questions
}

function readText(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const reason = isMissing ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    throw new MadeleineError('INVALID_OPTION', `Cannot read the questions of ${shown}: ${reason}`, {
      remedy: 'Give a file of questions; `madeleine eval --help` shows its form.',
      cause: error,
    })
  }
}

function refuse(shown: string, state: string, problems: readonly string[] = []): MadeleineError {
  const rest = problems.length - SHOWN_PROBLEMS
  const listed = [...problems.slice(0, SHOWN_PROBLEMS), ...(rest > 0 ? [`… and ${rest} more`] : [])]
  const message = [`Cannot evaluate with ${shown}: ${state}`, ...listed].join('\n  ')
  return new MadeleineError('INVALID_OPTION', message, { remedy: FORM })
}

function listLines(text: string): Entry[] {
  return text.split('\n').flatMap((written, index): Entry[] => {
    if (written.trim() === '') return []
    const line = index + 1
    try {
      return [{ line, value: JSON.parse(written) as unknown }]
    } catch (error) {
      return [{ line, problem: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` }]
    }
  })
}

function listItems(text: string): Entry[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    return document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, problem: message }))
  }
  const { contents } = document
  if (contents === null) return []
  if (!isSeq(contents)) return [{ line: 1, problem: 'it is not a list of questions: each begins with "- query: …"' }]
  return contents.items.map((item) => {
    if (!isNode(item)) return { line: 1, value: item }
    return { line: lines.linePos(item.range?.[0] ?? 0).line, value: item.toJS(document) as unknown }
  })
}
