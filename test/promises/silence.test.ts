import { describe, expect, it } from 'vitest'
import type { EmbeddingProvider } from '../../src/embedding/embedding-provider.ts'
import { MadeleineError, type RecallResponse } from '../../src/index.ts'
import { createInMemoryStore } from '../../src/store/memory/in-memory-store.ts'
import { createFakeProvider, startFakeEmbeddingServer } from '../../src/testing/index.ts'
import { agent, describeOverStores, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** What a chat host wraps around a sentence. */
function inEnvelope(sentence: string, number = 1): string {
  return [
    'Conversation info (untrusted metadata):',
    '```json',
    JSON.stringify({ message_id: `zqmsg${number}`, sender_id: 'user-77' }),
    '```',
    'Sender (untrusted metadata):',
    '```json',
    '{"label":"quartermaster","id":"user-77"}',
    '```',
    `[Tue 2026-05-12 09:40 CEST] ${sentence}`,
  ].join('\n')
}

function notes(): void {
  here.note('memory/boat.md', '# Boat\n\n## Varnish\n\nFor the rowing boat we chose spar varnish, two coats.\n')
  here.note('memory/stove.md', '# Stove\n\nThe galley stove needs a new gas hose before winter.\n')
  here.note('memory/crew.md', '# Crew\n\nMara keeps the rota of the night watch.\n')
}

const quiet = { text: '', items: [] }

describe('recall says nothing', () => {
  it.each([
    ['ok'],
    ['Thank you!!'],
    ['👍🎉'],
    ['好的'],
    ['はい'],
    ['   \n'],
    ['/status'],
    ['Read HEARTBEAT.md if it exists. Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.'],
    ['HEARTBEAT_OK'],
    [inEnvelope('thanks')],
  ])('to %j, and does not ask the model', async (prompt) => {
    notes()
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    expect(await memory.recall({ prompt })).toMatchObject({
      ...quiet,
      skipped: true,
      reason: expect.stringMatching(/./),
    })
    expect(embedding.queryCalls).toBe(0)
  })

  it.each([['none'], ['a model']])('to what memory knows nothing about, with %s', async (kind) => {
    notes()
    const memory = await here.openIndexed({
      embedding: kind === 'none' ? 'none' : createFakeProvider({ dimensions: 1024 }),
    })
    for (const prompt of [
      'translate "good evening" into Finnish',
      'write a haiku about turtles',
      'what is the capital of Mongolia?',
      'refactor this function to use a generator',
      '请把这句话翻译成法语',
    ]) {
      const answer = await memory.recall({ prompt })
      expect(answer, prompt).toMatchObject({ ...quiet, skipped: false })
      expect(answer.reason, prompt).toMatch(/./)
    }
  })

  it('in an empty store, and in one without sources', async () => {
    const memory = await here.openIndexed()
    expect(await memory.recall({ prompt: 'which varnish did we choose?' })).toMatchObject({ ...quiet, degraded: [] })
    const bare = await here.open({ workspaces: [], transcripts: [], store: `${here.home}/bare/x.sqlite` })
    expect(await bare.recall({ prompt: 'which varnish did we choose?' })).toMatchObject({ ...quiet, degraded: [] })
  })
})

describeOverStores(here, 'recall answers', () => {
  it.each([['船漏水吗'], ['端口9443'], ['9443?'], ['/opt/mill/run.sh?'], ['why?'], ['#52'], ['Mara?']])(
    'the short question %s as a question',
    async (prompt) => {
      notes()
      const embedding = createFakeProvider()
      const memory = await here.openIndexed({ embedding })
      expect(await memory.recall({ prompt })).toMatchObject({ skipped: false })
      expect(embedding.queryCalls).toBe(1)
      expect(embedding.texts.at(-1)).toBe(prompt)
    },
  )

  it('the sentence, not the envelope around it, neither in the prompt nor in what it finds', async () => {
    notes()
    here.session('chat.jsonl', [
      head('chat'),
      ...Array.from({ length: 20 }, (_, n) => user(inEnvelope('', n))),
      ...Array.from({ length: 20 }, (_, n) => user(inEnvelope(`Good, day ${n} is over.`, n))),
    ])
    const embedding = createFakeProvider({ dimensions: 1024 })
    const memory = await here.openIndexed({ embedding })
    const sentence = 'which varnish did we choose for the boat?'
    const recalled = await memory.recall({ prompt: inEnvelope(sentence) })
    expect(embedding.texts.at(-1)).toBe(sentence)
    expect(recalled.items[0]?.path).toBe('memory/boat.md')
    const searched = await memory.search(inEnvelope(sentence), { limit: 100 })
    expect(searched.results[0]?.path).toBe('memory/boat.md')
    for (const word of ['sender_id', 'user-77', 'zqmsg3', 'untrusted metadata']) {
      expect(JSON.stringify([recalled, searched])).not.toContain(word)
      expect((await memory.search(word, { mode: 'keyword' })).results, word).toEqual([])
    }
  })

  it('each thing once in a session, and in the same bytes to another one', async () => {
    notes()
    const memory = await here.openIndexed()
    const prompts = [
      'which varnish did we choose for the rowing boat?',
      'how many coats of varnish for the boat?',
      'spar varnish for the rowing boat, was it?',
      'and the boat varnish again?',
      'does the galley stove need a new gas hose?',
    ]
    const converse = async (sessionId: string): Promise<RecallResponse[]> => {
      const answers: RecallResponse[] = []
      for (const prompt of prompts) answers.push(await memory.recall({ prompt, sessionId }))
      return answers
    }
    const first = await converse('one')
    expect(first.map(({ items }) => items.map(({ path }) => path))).toEqual([
      ['memory/boat.md'],
      [],
      [],
      [],
      ['memory/stove.md'],
    ])
    for (const { text, reason } of first.slice(1, 4))
      expect([text, reason]).toEqual(['', 'already shown in this session'])
    const second = await converse('two')
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text))
    const later = await here.open({ at: '2026-06-11T17:31:05Z' })
    expect((await later.recall({ prompt: prompts[0] ?? '', sessionId: 'three' })).text).toBe(first[0]?.text)
    expect((await later.recall({ prompt: prompts[0] ?? '', sessionId: 'one' })).text).toBe('')
  })

  it('not with what the running session itself says', async () => {
    here.session('now.jsonl', [head('now'), user('The capstan squeaks since Friday.'), agent('I will note it.')])
    const memory = await here.openIndexed()
    const prompt = 'what about the squeaking capstan?'
    expect((await memory.recall({ prompt, sessionId: 'now' })).text).toBe('')
    expect((await memory.recall({ prompt, sessionId: 'other' })).text).toContain('since Friday')
    notes()
    await memory.index()
    const shown = [{ role: 'user' as const, text: 'For the rowing boat we chose spar varnish, two coats.' }]
    expect(
      (await memory.recall({ prompt: 'which varnish did we choose for the boat?', recentTurns: shown })).text,
    ).not.toContain('spar')
  })

  it('not with what a resumed session took over from an older one', async () => {
    const turns = [user('The capstan squeaks since Friday.'), agent('I will note it.')]
    here.session('old.jsonl', [head('old'), ...turns])
    here.session('resumed.jsonl', [head('resumed'), ...turns, user('Where were we?')])
    const memory = await here.openIndexed()
    const texts: Record<string, string> = {}
    for (const sessionId of ['old', 'resumed', 'other'])
      texts[sessionId] = (await memory.recall({ prompt: 'what about the squeaking capstan?', sessionId })).text
    expect(texts).toEqual({ old: '', resumed: '', other: expect.stringContaining('since Friday') })
  })

  it('a question in front of a pasted log, or behind it', async () => {
    notes()
    const log = Array.from(
      { length: 5000 },
      (_, n) => `worker-${n} took ${n * 3} ms on gauge${n}x, retry in ${n} s`,
    ).join('\n')
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    const question = 'which varnish did we choose for the rowing boat?'
    for (const prompt of [`${question}\n\n${log}`, `${log}\n\n${question}`]) {
      const { results } = await memory.search(prompt, { mode: 'keyword' })
      expect(results[0]?.path).toBe('memory/boat.md')
      await memory.recall({ prompt })
      expect(embedding.texts.at(-1)).toContain(question)
      expect(embedding.texts.at(-1)?.length).toBeLessThanOrEqual(1000)
    }
  })

  it('with tool output left out of what it asks for', async () => {
    notes()
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    await memory.recall({
      prompt: 'and that one?',
      recentTurns: [
        { role: 'user', text: 'Tell me about the stove.' },
        { role: 'tool', text: 'rota rota night watch varnish' },
      ],
    })
    expect(embedding.queryCalls).toBe(1)
    expect(embedding.texts.slice(-2)).toEqual(['and that one?', 'Tell me about the stove.'])
  })
})

describe('a model that does not answer', () => {
  const prompt = 'which varnish did we choose for the rowing boat?'

  /** A model that embeds documents, and does with queries what it is told. */
  function lame(answer: EmbeddingProvider['embedQueries']): EmbeddingProvider {
    const sound = createFakeProvider()
    return { ...sound, identity: sound.identity, embedQueries: answer, embedDocuments: sound.embedDocuments }
  }

  it.each<[string, EmbeddingProvider['embedQueries'], RegExp]>([
    [
      'fails',
      async () =>
        Promise.reject(new MadeleineError('EMBEDDING_UNAVAILABLE', 'The service is down', { remedy: 'Start it' })),
      /down/,
    ],
    [
      'throws what it should not',
      () => {
        throw new TypeError('fetch failed')
      },
      /fetch failed/,
    ],
    ['never answers', () => new Promise(() => undefined), /too slow/],
    ['answers with no vector', async () => [new Float32Array(0)], /no vector/],
  ])('costs a recall its vectors and nothing else when it %s', async (_name, answer, reason) => {
    notes()
    const memory = await here.openIndexed({ embedding: lame(answer), recall: { deadlineMs: 3000 } })
    const recalled = await memory.recall({ prompt })
    expect(recalled.items[0]?.path).toBe('memory/boat.md')
    expect(recalled.degraded.map(({ part }) => part)).toEqual(['vector'])
    expect(recalled.degraded[0]?.reason ?? '').toMatch(reason)
  })

  it('costs a search its vectors and nothing else', async () => {
    notes()
    const memory = await here.openIndexed({
      embedding: lame(async () => Promise.reject(new Error('connection refused'))),
    })
    const { results, degraded } = await memory.search(prompt)
    expect(results[0]?.path).toBe('memory/boat.md')
    expect(degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('connection refused') }])
  })

  it('behind a port that hangs is left behind, with the words answering', async () => {
    notes()
    const server = await startFakeEmbeddingServer({ kind: 'openai' })
    try {
      const options = { embedding: 'openai:some-model', embeddingEndpoint: { baseUrl: server.baseUrl, apiKey: 'k' } }
      const memory = await here.openIndexed({ ...options, recall: { deadlineMs: 3000 } })
      server.script.push('hang', 'hang')
      const recalled = await memory.recall({ prompt })
      expect(recalled.items[0]?.path).toBe('memory/boat.md')
      expect(recalled.degraded).toEqual([{ part: 'vector', reason: expect.stringContaining('too slow') }])
      await memory.close()
    } finally {
      await server.close()
    }
  })

  it('is not the only thing that may be slow: behind a store that hangs nothing is said, and why', async () => {
    notes()
    const store = createInMemoryStore()
    store.findCandidates = () => new Promise(() => undefined)
    const memory = await here.openIndexed({ store, recall: { deadlineMs: 100 } })
    expect(await memory.recall({ prompt })).toMatchObject({
      ...quiet,
      reason: 'timeout',
      degraded: [{ part: 'recall' }],
    })
  })
})

describeOverStores(here, 'what memory injected', () => {
  const injected = (words: string): string =>
    `<recalled-context>\n- [2026-01-03] the ${words}\n</recalled-context>\nwhen do we eat?`

  it('is no part of what was said: it is neither stored nor asked for', async () => {
    const turns = (count: number): object[] => [
      head('own'),
      ...Array.from({ length: count }, (_, n) =>
        user(injected(`otter gate opens with MARROW, round ${n}`), { id: `turn-${n}` }),
      ),
    ]
    here.session('own.jsonl', turns(5))
    const embedding = createFakeProvider()
    const memory = await here.openIndexed({ embedding })
    expect((await memory.search('MARROW', { mode: 'keyword' })).results).toEqual([])
    expect((await memory.status()).memories).toBe(5)
    await memory.recall({ prompt: injected('otter gate') })
    expect(embedding.texts.filter((text) => text.includes('MARROW'))).toEqual([])
    expect(embedding.texts.at(-1)).toBe('when do we eat?')
    here.session('own.jsonl', turns(6))
    await memory.index()
    expect((await memory.status()).memories).toBe(6)
    expect((await memory.search('otter gate', { mode: 'keyword' })).results).toEqual([])
  })
})

describeOverStores(here, 'polls', () => {
  it('leave no memory, and the one thing that happened between them is found', async () => {
    here.session('poll.jsonl', [
      head('poll'),
      ...Array.from({ length: 25 }, () => [
        user(
          'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.',
        ),
        agent('HEARTBEAT_OK'),
      ]).flat(),
    ])
    const memory = await here.openIndexed()
    expect(await memory.status()).toMatchObject({ memories: 0, documents: 1 })
    const lines = Array.from({ length: 120 }, (_, n) => `- ${String(n % 24).padStart(2, '0')}:00 hourly check: nothing`)
    lines.splice(83, 0, '- 10:37 the bow hatch leaks')
    here.note('memory/2026-06-09.md', `# Checks\n\n${lines.join('\n')}\n`)
    await memory.index()
    expect((await memory.status()).memories).toBeLessThanOrEqual(5)
    for (const query of ['what happened at 10:37?', 'hatch leaks'])
      expect((await memory.search(query)).results[0]?.snippet, query).toContain('the bow hatch leaks')
  })
})
