import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Madeleine, type OpenOptions, openMadeleine } from '../index.ts'
import { createFakeProvider } from '../testing/index.ts'
import { evaluateQuestions } from './evaluate-questions.ts'
import { estimatePairedDifference } from './metrics.ts'

let home: string
let engines: Madeleine[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-evaluation-'))
  engines = []
})
afterEach(async () => {
  for (const engine of engines) await engine.close()
  rmSync(home, { recursive: true, force: true })
})

const NOTES = {
  'memory/pumps.md':
    '# Pumps\n\n## Heron\n\nREQ-0417: the heron pump runs on 24 V and was bought in Genoa.\n\n## Stork\n\nThe stork pump runs on 12 V and leaks at its valve.\n',
  'memory/2026-03-01.md': '# Fees\n\nThe mooring fee of the marina is 40 euros a night.\n',
  'memory/2026-06-01.md': '# Fees\n\nThe mooring fee of the marina was raised to 55 euros a night.\n',
  'memory/copy.md':
    '# Light\n\nThe lighthouse keeper paints the lantern room every second spring, and he keeps the brushes in the oil store.\n',
  'memory/topics/light.md':
    '# Light\n\nThe lighthouse keeper paints the lantern room every second spring, and he keeps the brushes in the oil store.\n',
}

const STORE = 'store.sqlite'

function write(notes: Record<string, string>): void {
  for (const [path, text] of Object.entries(notes)) {
    const file = join(home, 'notes', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

async function open(options: OpenOptions = {}): Promise<Madeleine> {
  const engine = await openMadeleine({
    workspaces: [join(home, 'notes')],
    store: join(home, STORE),
    embedding: 'none',
    now: () => new Date('2026-07-20T09:00:00Z'),
    timeZone: 'UTC',
    recall: { deadlineMs: 60_000 },
    ...options,
  })
  engines.push(engine)
  return engine
}

async function openIndexed(options?: OpenOptions): Promise<Madeleine> {
  write(NOTES)
  const engine = await open(options)
  await engine.index()
  return engine
}

describe('gold', () => {
  it('is named by words, by lines, by a whole document or by an id', async () => {
    const engine = await openIndexed()
    const [heron] = await engine.listMemories('memory/pumps.md:5')
    expect(heron).toBeUndefined()
    const [first] = await engine.listMemories('memory/pumps.md')
    const id = first?.id ?? ''
    const query = 'heron pump REQ-0417'
    const { questions, unresolved } = await evaluateQuestions(engine, [
      { query, gold: [{ path: 'memory/pumps.md', contains: 'the heron\n  pump runs' }] },
      { query, gold: [{ path: 'memory/pumps.md', startLine: 5, endLine: 5 }] },
      { query, gold: [{ path: 'memory/pumps.md' }] },
      { query, gold: [{ id }] },
      { query, gold: [{ path: join(home, 'notes', 'memory/pumps.md'), contains: 'REQ-0417' }] },
    ])
    expect(unresolved).toEqual([])
    for (const { found } of questions) expect(found.default).toMatchObject({ rank: 1, scores: { any1: 1, mrr: 1 } })
    expect(questions[0]?.gold[0]?.memories).toEqual([id])
    expect(questions[2]?.gold[0]?.memories).toHaveLength(2)
  })

  it('is found under the path of any copy, whichever the results show', async () => {
    const engine = await openIndexed()
    const query = 'who paints the lantern room?'
    const { questions, unresolved } = await evaluateQuestions(
      engine,
      ['memory/copy.md', 'memory/topics/light.md'].map((path) => ({
        query,
        gold: [{ path, contains: 'lantern room' }],
      })),
    )
    expect(unresolved).toEqual([])
    expect(questions.map(({ found }) => found.default?.rank)).toEqual([1, 1])
  })

  it('that two places share counts once', async () => {
    const engine = await openIndexed()
    const gold = ['heron pump', 'bought in Genoa', 'stork pump'].map((contains) => ({
      path: 'memory/pumps.md',
      contains,
    }))
    const { questions } = await evaluateQuestions(engine, [{ query: 'heron pump Genoa', gold }])
    expect(questions[0]?.gold).toHaveLength(2)
    expect(questions[0]?.found.default).toMatchObject({ rank: 1, ranks: [1, 2], scores: { r5: 1, all5: 1, ndcg10: 1 } })
  })

  it('that names nothing in the store is reported, and is no miss of the engine', async () => {
    const engine = await openIndexed()
    const { questions, unresolved, profiles, recall } = await evaluateQuestions(engine, [
      { query: 'heron pump', gold: [{ path: 'memory/pumps.md', contains: 'heron pump' }] },
      { query: 'gone', gold: [{ path: 'memory/gone.md', contains: 'x' }], line: 7 },
      { query: 'other words', gold: [{ path: 'memory/pumps.md', contains: 'albatross' }] },
      { query: 'no lines', gold: [{ path: 'memory/pumps.md', startLine: 90, endLine: 95 }] },
      { query: 'no id', gold: [{ id: 'nobody' }] },
      {
        query: 'stork pump',
        gold: [{ path: 'memory/gone.md' }, { path: 'memory/pumps.md', contains: 'stork pump' }],
      },
    ])
    expect(unresolved).toEqual([
      {
        query: 'gone',
        line: 7,
        place: 'memory/gone.md "x"',
        of: 'gold',
        reason: 'no document that may be seen has this path in the store',
      },
      expect.objectContaining({ query: 'other words', reason: 'no memory of this document holds these words' }),
      expect.objectContaining({ query: 'no lines', place: 'memory/pumps.md:90-95' }),
      expect.objectContaining({ query: 'no id', place: 'nobody' }),
      expect.objectContaining({ query: 'stork pump', place: 'memory/gone.md' }),
    ])
    expect(questions.map(({ verdict }) => verdict)).toEqual(['answerable', ...Array(4).fill('unjudged'), 'answerable'])
    expect(profiles[0]?.measures.any1).toEqual({ mean: 1, standardError: 0, count: 2 })
    expect(recall.answered?.count).toBe(2)
  })

  it('that the asking agent may not see names nothing for it', async () => {
    await (await openIndexed()).close()
    const other = await open({ workspaces: [], agentId: 'other' })
    const { unresolved } = await evaluateQuestions(other, [
      { query: 'heron pump', gold: [{ path: 'memory/pumps.md', contains: 'heron pump' }] },
    ])
    expect(unresolved).toHaveLength(1)
  })

  it('of another project names nothing where a project is asked in', async () => {
    const engine = await openIndexed()
    const gold = [{ path: 'memory/pumps.md', contains: 'heron pump' }]
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere)
    const inProject = async (project: string) =>
      (await evaluateQuestions(engine, [{ query: 'heron pump', gold }], { project })).questions[0]
    expect(await inProject(elsewhere)).toMatchObject({ verdict: 'unjudged' })
    expect(await inProject(join(home, 'notes'))).toMatchObject({
      verdict: 'answerable',
      found: { default: { rank: 1 } },
    })
  })
})

describe('measures', () => {
  it('say whether the newer statement stands above the older one', async () => {
    const engine = await openIndexed()
    const [newer, older] = [{ path: 'memory/2026-06-01.md' }, { path: 'memory/2026-03-01.md' }]
    const query = 'what is the mooring fee?'
    const { questions, profiles } = await evaluateQuestions(engine, [
      { query, gold: [newer], stale: [older] },
      { query, gold: [older], stale: [newer] },
      { query, gold: [newer] },
    ])
    expect(questions.map(({ found }) => found.default?.newerFirst)).toEqual([true, false, undefined])
    expect(profiles[0]?.measures.newerFirst).toMatchObject({ mean: 0.5, count: 2 })
  })

  it('of two profiles are compared question by question', async () => {
    const engine = await openIndexed()
    const { profiles, differences, questions } = await evaluateQuestions(
      engine,
      [
        { query: 'lighthouse keeper', gold: [{ path: 'memory/copy.md' }], kind: 'words' },
        { query: 'pump valve leaks', gold: [{ path: 'memory/pumps.md', contains: 'heron' }], kind: 'words' },
        { query: 'mooring fee', gold: [{ path: 'memory/2026-03-01.md' }], kind: 'dated' },
      ],
      { profiles: ['default', 'vector'] },
    )
    expect(profiles.map(({ name }) => name)).toEqual(['default', 'vector'])
    const of = (profile: 'default' | 'vector') => questions.map(({ found }) => found[profile]?.scores.mrr ?? -1)
    // Without a model nothing is found by meaning, so the difference is all of it.
    expect(of('vector')).toEqual([0, 0, 0])
    expect(of('default').every((value) => value > 0)).toBe(true)
    expect(differences).toMatchObject([{ profile: 'vector', baseline: 'default' }])
    expect(differences[0]?.measures.mrr).toEqual(estimatePairedDifference(of('vector'), of('default')))
    expect(profiles[0]?.kinds.map(({ kind, measures }) => [kind, measures.mrr?.count])).toEqual([
      ['words', 2],
      ['dated', 1],
    ])
  })

  it('reach as deep as was asked', async () => {
    write(
      Object.fromEntries(
        Array.from({ length: 14 }, (_, n) => [
          `memory/gull-${n}.md`,
          `# Gull ${n}\n\nThe gull of pier ${n} is ${'very '.repeat(n)}loud.\n`,
        ]),
      ),
    )
    const engine = await openIndexed()
    const rankAt = async (limit: number) => {
      const { questions } = await evaluateQuestions(
        engine,
        Array.from({ length: 14 }, (_, n) => ({ query: 'gull loud', gold: [{ path: `memory/gull-${n}.md` }] })),
        { limit },
      )
      return questions.map(({ found }) => found.default?.rank ?? 0).sort((a, b) => a - b)
    }
    expect(await rankAt(20)).toEqual(Array.from({ length: 14 }, (_, n) => n + 1))
    expect((await rankAt(10)).filter((rank) => rank === 0)).toHaveLength(4)
  })
})

describe('recall', () => {
  it('is measured by its silence where the memory knows nothing, and by gold at the top of the block', async () => {
    const engine = await openIndexed()
    const { recall, questions } = await evaluateQuestions(engine, [
      {
        query: 'on which voltage does the heron pump run?',
        gold: [{ path: 'memory/pumps.md', contains: 'heron' }],
        kind: 'known',
      },
      { query: 'what is the voltage of a car battery in Brazil?', gold: [], kind: 'silent' },
      { query: 'on which voltage does the stork pump run?', gold: [], kind: 'silent' },
    ])
    expect(recall).toMatchObject({
      answered: { mean: 1, count: 1 },
      silent: { mean: 0.5, count: 2 },
      kinds: [
        { kind: 'known', asWanted: { mean: 1, count: 1 } },
        { kind: 'silent', asWanted: { mean: 0.5, count: 2 } },
      ],
    })
    expect(questions[0]?.recall).toMatchObject({ silent: false, rank: 1, gold: { outcome: 'injected' } })
    expect(questions[1]?.recall).toMatchObject({ silent: true, reason: expect.any(String), rank: null, injected: [] })
    expect(questions[1]).toMatchObject({ verdict: 'silent', found: {} })
  })
})

describe('measuring', () => {
  it('changes nothing of what it measures', async () => {
    const fingerprint = () =>
      createHash('sha256')
        .update(readFileSync(join(home, STORE)))
        .digest('hex')
    await (await openIndexed()).close()
    const before = fingerprint()
    const question = { query: 'on which voltage does the heron pump run?', gold: [{ path: 'memory/pumps.md' }] }
    const measuring = await open()
    const { recall } = await evaluateQuestions(measuring, [question], { profiles: ['default', 'seed', 'keyword'] })
    expect(recall.answered?.mean).toBe(1)
    expect(await measuring.recentRecalls()).toEqual([])
    await measuring.close()
    expect(fingerprint()).toBe(before)
    // Asking in earnest does leave a trace: the comparison above can see one.
    const asking = await open()
    await asking.search(question.query)
    await asking.close()
    expect(fingerprint()).not.toBe(before)
  })

  it('of a session leaves what it shows unshown', async () => {
    const engine = await openIndexed()
    const request = { prompt: 'on which voltage does the heron pump run?', sessionId: 's-1' }
    expect((await engine.recall({ ...request, noHistory: true })).items.length).toBeGreaterThan(0)
    expect((await engine.recall(request)).items.length).toBeGreaterThan(0)
    expect((await engine.recall(request)).items).toEqual([])
    expect(await engine.recentRecalls()).toHaveLength(2)
  })

  it('says which part how many questions went without', async () => {
    write(NOTES)
    const engine = await open({ embedding: createFakeProvider() })
    await engine.index({ skipEmbedding: true })
    const { degraded } = await evaluateQuestions(engine, [
      { query: 'heron pump', gold: [{ path: 'memory/pumps.md' }] },
      { query: 'what is the voltage of a car battery in Brazil?', gold: [] },
      { query: 'gone', gold: [{ path: 'memory/gone.md' }] },
    ])
    expect(degraded).toEqual([
      { part: 'vector', reason: expect.stringContaining('wait for their vectors'), questions: 2 },
    ])
  })

  it('of no question gives no figure', async () => {
    const engine = await openIndexed()
    expect(await evaluateQuestions(engine, [])).toMatchObject({
      profiles: [{ name: 'default', measures: {} }],
      recall: { kinds: [] },
      questions: [],
    })
  })
})
