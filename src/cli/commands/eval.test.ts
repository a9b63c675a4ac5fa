import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'

let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-eval-'))
  mkdirSync(join(home, 'notes'))
  writeFileSync(
    join(home, 'notes', 'pumps.md'),
    '# Pumps\n\n## Heron\n\nREQ-0417: the heron pump runs on 24 V.\n\n## Stork\n\nThe stork pump leaks at its valve.\n',
  )
  expect((await run(['index'])).code).toBe(0)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Runs a command line over the notes as a script would. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli([...args, '--workspace', join(home, 'notes'), '--tz', 'UTC'], {
    env: { MADELEINE_EMBEDDING: 'none', ...env },
    home,
    cwd: home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, out: textOf(stdout), err: textOf(stderr) }
}

const HERON = {
  query: 'on which voltage does the heron pump run?',
  gold: [{ path: 'pumps.md', contains: '24 V' }],
  kind: 'fact',
}
const STORK = { query: 'valve', gold: [{ path: 'pumps.md', contains: 'stork pump' }] }
const TOWER = { query: 'how tall is the Eiffel tower?', gold: [], kind: 'silent' }
const GONE = { query: 'where is the key?', gold: [{ path: 'keys.md', contains: 'hook' }] }

function writeQuestions(...questions: object[]): void {
  writeFileSync(join(home, 'q.jsonl'), questions.map((question) => `${JSON.stringify(question)}\n`).join(''))
}

describe('madeleine eval', () => {
  it('prints the measures with their errors, and what to look at', async () => {
    writeQuestions(HERON, STORK, TOWER)
    const { code, out } = await run(['eval', 'q.jsonl'])
    expect(code).toBe(0)
    expect(out).toMatch(/^3 questions: 2 answerable, 1 to stay silent at$/m)
    expect(out).toMatch(/^ {2}MRR +1\.000 ± 0\.000 +n 2$/m)
    expect(out).toMatch(/^ {2}silent where it should be +1\.000 +n 1$/m)
    expect(out).toMatch(/^ {2}fact +1 +1\.00 +1\.00$/m)
    expect(out).not.toMatch(/Recall spoke|Recall did not|Gold below/)
  })

  it('lists what stands low, what was not recalled, and where recall spoke in vain', async () => {
    const leak = { query: 'does the stork pump leak?', gold: [] }
    const colour = { query: 'which colour has the fence?', gold: [{ path: 'pumps.md', contains: '24 V' }] }
    writeQuestions(leak, colour)
    const { out } = await run(['eval', 'q.jsonl'])
    expect(out).toMatch(/^Gold below rank 5: 1\n +– {2}which colour has the fence\? +pumps\.md "24 V"$/m)
    expect(out).toMatch(/^Recall spoke .*: 1\n {2}0\.\d\d {2}does the stork pump leak\? {2}pumps\.md:7-9$/m)
    expect(out).toMatch(
      /^Recall did not show gold .*: 1\n {2}– +which colour has the fence\? {2}not among the candidates$/m,
    )
  })

  it('compares profiles, question by question, the first being what the others are measured by', async () => {
    writeQuestions(HERON, TOWER)
    const { code, out } = await run(['eval', 'q.jsonl', '--profile', 'default,vector'])
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}search +default +vector +vector − default$/m)
    expect(out).toMatch(/^ {2}MRR +1\.000 +0\.000 +−1\.000 +n 1$/m)
    expect(out).toMatch(/^Worse with vector than with default .*: 1$/m)
    expect(out).toMatch(/^ +1 → +– {2}on which voltage does the heron pump run\? +pumps\.md "24 V"$/m)
    expect(out).not.toContain('Better with')
  })

  it('gives it all as one document', async () => {
    writeQuestions(HERON, STORK, TOWER)
    const { code, out } = await run(['eval', 'q.jsonl', '--profile', 'keyword,seed', '--json'])
    expect(code).toBe(0)
    const document = JSON.parse(out)
    expect(Object.keys(document)).toEqual(['profiles', 'differences', 'recall', 'questions', 'unresolved', 'degraded'])
    expect(document.profiles.map(({ name }: { name: string }) => name)).toEqual(['keyword', 'seed'])
    expect(document.questions[0]).toMatchObject({
      ...HERON,
      line: 1,
      gold: [{ places: ['pumps.md "24 V"'], memories: [expect.any(String)] }],
      found: { keyword: { rank: 1 }, seed: { rank: 1 } },
      recall: { silent: false, rank: 1 },
    })
    expect(document.questions).toHaveLength(3)
  })

  it('lists labels that name nothing, counts them in no measure, and ends with 3', async () => {
    writeQuestions(HERON, GONE)
    const { code, out } = await run(['eval', 'q.jsonl'])
    expect(code).toBe(3)
    expect(out).toMatch(/1 answerable, 0 to stay silent at, 1 not asked/)
    expect(out).toMatch(/^ {2}~\/q\.jsonl:2 {2}gold keys\.md "hook" {2}no document /m)
    expect(out).toMatch(/^ {2}MRR +1\.000 +n 1$/m)
  })

  it('does not take a hurried recall for silence', async () => {
    writeQuestions(HERON)
    const { out } = await run(['eval', 'q.jsonl', '--json'], { MADELEINE_RECALL_DEADLINE_MS: '1' })
    expect(JSON.parse(out).recall.answered).toEqual({ mean: 1, count: 1 })
  })

  it('says that the store is empty, if it is', async () => {
    writeQuestions(GONE)
    const { code, err } = await run(['eval', 'q.jsonl', '--store', join(home, 'other.sqlite')])
    expect(code).toBe(3)
    expect(err).toContain('madeleine index')
  })

  it('refuses what it cannot use with 2', async () => {
    writeFileSync(join(home, 'q.jsonl'), '{"query": "x", "gold": [{"file": "a.md"}]}\n')
    expect(await run(['eval', 'q.jsonl'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('~/q.jsonl:1: gold[0]'),
    })
    expect((await run(['eval', 'q.jsonl', '--profile', 'default,sead'])).err).toMatch(/Did you mean seed\?/)
    expect((await run(['eval', 'q.jsonl', '--limit', '5'])).err).toMatch(/10 to 100/)
    expect((await run(['eval'])).code).toBe(2)
  })
})
