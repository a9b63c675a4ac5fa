import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MadeleineError } from '../index.ts'
import { readQuestions } from './read-questions.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-questions-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function read(name: string, text: string) {
  writeFileSync(join(home, name), text)
  return readQuestions(join(home, name), name)
}

/** The message of the refusal. */
function refusalOf(name: string, text: string): string {
  try {
    read(name, text)
  } catch (error) {
    if (!(error instanceof MadeleineError)) throw error
    expect(error.code).toBe('INVALID_OPTION')
    return error.message
  }
  return 'it was taken'
}

const FULL = {
  query: 'what does the ferry cost?',
  gold: [
    { path: 'a.md', contains: '12 euros' },
    { path: 'b.md', startLine: 3, endLine: 4 },
    { id: 'm-1' },
    { path: 'c.md' },
  ],
  stale: [{ path: 'old.md', contains: '9 euros' }],
  kind: 'update',
  note: 'raised in May',
}

describe('a file of questions', () => {
  it('is JSON Lines, or a list in YAML or JSON of the same shape, with the line of each question', () => {
    const silent = { query: 'how tall is the tower?', gold: [] }
    const expected = (lines: number[]) => [
      { ...FULL, line: lines[0] },
      { ...silent, line: lines[1] },
    ]
    expect(read('q.jsonl', `\uFEFF${JSON.stringify(FULL)}\r\n\n${JSON.stringify(silent)}\n`)).toEqual(expected([1, 3]))
    expect(read('q.json', JSON.stringify([FULL, silent], null, 1))).toEqual(expected([2, 30]))
    const yaml = `# what people ask
- query: what does the ferry cost?
  gold:
    - { path: a.md, contains: 12 euros }
    - { path: b.md, startLine: 3, endLine: 4 }
    - id: m-1
    - path: c.md
  stale: [{ path: old.md, contains: 9 euros }]
  kind: update
  note: raised in May

- query: how tall is the tower?
  gold: []
`
    expect(read('q.yaml', yaml)).toEqual(expected([2, 12]))
  })

  it('takes the questions of the sample', () => {
    const file = fileURLToPath(new URL('../../examples/questions.jsonl', import.meta.url))
    const questions = readQuestions(file, 'questions.jsonl')
    expect(questions.length).toBeGreaterThan(100)
    expect(questions.some(({ gold }) => gold.length === 0)).toBe(true)
    expect(questions.some(({ stale = [] }) => stale.length > 0)).toBe(true)
  })

  it.each([
    ['{"query": "x"', /it is not JSON/],
    ['"x"', /it is "x", expected is an object with query and gold/],
    ['{"gold": []}', /query is missing, expected is the question as text/],
    ['{"query": 7, "gold": []}', /query is 7, expected/],
    ['{"query": "x"}', /gold is missing, expected is a list of places, \[\] where the memory knows nothing/],
    ['{"query": "x", "gold": {"path": "a.md"}}', /gold is an object, expected is a list/],
    ['{"query": "x", "gold": ["a.md"]}', /gold\[0\] is "a.md", expected is a place with path or id/],
    [
      '{"query": "x", "gold": [{"path": "a.md"}, {"contains": "y"}]}',
      /gold\[1\]\.path is missing, expected is the path/,
    ],
    ['{"query": "x", "gold": [{"path": "a.md", "contains": ""}]}', /gold\[0\]\.contains is "", expected are words/],
    [
      '{"query": "x", "gold": [{"path": "a.md", "startLine": 4, "endLine": 2}]}',
      /gold\[0\]: expected are startLine and endLine/,
    ],
    ['{"query": "x", "gold": [{"path": "a.md", "startLine": 4}]}', /gold\[0\]: expected are startLine and endLine/],
    ['{"query": "x", "gold": [{"path": "a.md", "contains": "y", "startLine": 1, "endLine": 1}]}', /not both/],
    ['{"query": "x", "gold": [{"id": "m", "path": "a.md"}]}', /beside id nothing else is expected/],
    ['{"query": "x", "gold": [{"id": 3}]}', /gold\[0\]\.id is 3, expected is the id of a memory as text/],
    [
      '{"query": "x", "gold": [{"path": "a.md", "contain": "y"}]}',
      /gold\[0\]: it has the key "contain".*did you mean contains\?/,
    ],
    ['{"query": "x", "gold": [], "stail": []}', /the key "stail", expected are .*did you mean stale\?/],
    ['{"query": "x", "gold": [], "stale": 1}', /stale is 1, expected is a list of places/],
    ['{"query": "x", "gold": [], "kind": 1}', /kind is 1, expected is text/],
  ])('is refused for the line %s', (line, expected) => {
    const message = refusalOf('q.jsonl', `{"query": "fine", "gold": []}\n${line}\n`)
    expect(message).toMatch(/^Cannot evaluate with q\.jsonl: 1 line cannot be used\n {2}q\.jsonl:2: /)
    expect(message).toMatch(expected)
  })

  it('is refused with every line that is wrong, in YAML too', () => {
    const message = refusalOf('q.jsonl', '{"gold": []}\n{"query": "fine", "gold": []}\nnonsense\n')
    expect(message).toMatch(/2 lines cannot be used\n {2}q\.jsonl:1: query .*\n {2}q\.jsonl:3: it is not JSON/)
    expect(refusalOf('q.yml', '- query: fine\n  gold: []\n- query: 417\n  gold: []\n')).toMatch(
      /q\.yml:3: query is 417/,
    )
    expect(refusalOf('q.yml', '- query: fine\n  gold: [\n')).toMatch(/q\.yml:\d+: /)
    expect(refusalOf('q.yaml', 'query: x\ngold: []\n')).toMatch(/q\.yaml:1: it is not a list of questions/)
    expect(refusalOf('q.jsonl', 'x\n'.repeat(14))).toMatch(/14 lines .*\n(?: {2}q\.jsonl.*\n){10} {2}… and 4 more$/)
  })

  it('is refused when there is none, or nothing in it', () => {
    expect(refusalOf('q.jsonl', '\n')).toBe('Cannot evaluate with q.jsonl: it holds no question')
    expect(refusalOf('q.yaml', '# later\n')).toBe('Cannot evaluate with q.yaml: it holds no question')
    expect(() => readQuestions(join(home, 'gone.jsonl'), 'gone.jsonl')).toThrow(
      'Cannot read the questions of gone.jsonl: there is no such file',
    )
  })
})
