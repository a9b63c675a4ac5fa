import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOutput } from './output.ts'
import { countProblems, groupProblems } from './problems.ts'
import { processSurroundings } from './surroundings.ts'

const output = createOutput({ ...processSurroundings(), stdout: new PassThrough() }, false)

describe('groupProblems', () => {
  it('counts by reason, failures first, and names places for example', () => {
    const problems = [
      { path: 'a.txt', reason: 'no note' },
      { path: 'b.txt', reason: 'no note' },
      { path: 'c.txt', reason: 'no note' },
      { path: 's.jsonl', line: 7, reason: 'broken line', failed: true },
    ]
    expect(groupProblems(problems, output)).toEqual([
      '    1 × broken line',
      '        s.jsonl:7',
      '    3 × no note',
      '        a.txt, b.txt, …',
    ])
  })

  it('adds up what one problem counts by itself', () => {
    const problems = [
      { path: 'a.jsonl', reason: 'left out: polls', count: 4 },
      { path: 'b.jsonl', reason: 'left out: polls', count: 1 },
      { path: 'c.jsonl', reason: 'no transcript' },
    ]
    expect(groupProblems(problems, output)[0]).toBe('    5 × left out: polls')
    expect(countProblems(problems)).toBe(6)
  })

  it('cleans names and reasons', () => {
    expect(groupProblems([{ path: 'a\u001b[2J.md', reason: 'x\ny' }], output)).toEqual(['    1 × x y', '        a.md'])
  })
})
