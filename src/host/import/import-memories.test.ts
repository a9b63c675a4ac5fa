import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Madeleine, MadeleineError, openMadeleine } from '../../index.ts'
import { importMemories } from './import-memories.ts'
import { readBasicNote } from './read-basic-note.ts'
import { readMem0 } from './read-mem0.ts'
import { readServerMemory } from './read-server-memory.ts'

let home: string
let engine: Madeleine
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-import-')))
  engine = await openMadeleine({ store: join(home, 'store.sqlite'), embedding: 'none', timeZone: 'UTC' })
})
afterEach(async () => {
  await engine.close()
  rmSync(home, { recursive: true, force: true })
})

function write(path: string, content: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

const lines = (records: readonly unknown[]): string =>
  records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
const textsOf = ({ texts }: { texts: Array<{ text: string }> }): string[] => texts.map(({ text }) => text)

const GRAPH = lines([
  { type: 'entity', name: 'Mara', entityType: 'person', observations: ['speaks Greek', 'rows on Sundays'] },
  { type: 'entity', name: 'Acme', entityType: 'company', observations: [] },
  { type: 'relation', from: 'Mara', to: 'Acme', relationType: 'works_at' },
])

describe('readServerMemory', () => {
  it('makes a text of each observation, of each relation, and of an entity of which nothing is said', () => {
    expect(textsOf(readServerMemory(GRAPH))).toEqual([
      'Mara (person): speaks Greek',
      'Mara (person): rows on Sundays',
      'Acme (company)',
      'Mara works_at Acme',
    ])
  })

  it('skips each line that says nothing of the kind, with its number and the reason', () => {
    const { texts, skipped } = readServerMemory(
      lines([
        'not json',
        '',
        '7',
        { type: 'entity', entityType: 'person', observations: [] },
        { type: 'entity', name: 'Bo', observations: 'none' },
        { type: 'relation', from: 'Mara', to: 'Acme' },
        { type: 'note', text: 'x' },
        { type: 'entity', name: 'Bo', observations: ['sails'] },
      ]),
    )
    expect(texts.map(({ text, line }) => [line, text])).toEqual([[8, 'Bo: sails']])
    expect(skipped.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7])
    for (const { reason } of skipped) expect(reason).toMatch(/\w/)
  })
})

describe('readMem0', () => {
  const memory = {
    id: 'a',
    memory: 'Dev works at Acme',
    user_id: 'dev',
    created_at: '2026-01-02T03:04:05.678901-07:00',
  }

  it('takes a list, or what get_all gives, relations included', () => {
    expect(textsOf(readMem0(JSON.stringify([memory])))).toEqual(['Dev works at Acme'])
    const { texts } = readMem0(
      JSON.stringify({
        results: [{ ...memory, categories: ['work'], metadata: { type: 'professional', nested: {} }, run_id: 'r1' }],
        relations: [{ source: 'dev', relationship: 'works_at', target: 'acme' }],
      }),
    )
    expect(texts).toEqual([
      {
        key: ['a'],
        text: 'Dev works at Acme (work, type: professional)',
        occurredAt: memory.created_at,
        sessionId: 'r1',
      },
      { key: ['relation'], text: 'dev works_at acme', type: 'relationship' },
    ])
  })

  it('dates a memory by its last change, and keeps as words what is no date', () => {
    const dates = (fields: object) => readMem0(JSON.stringify([{ ...memory, ...fields }])).texts[0]
    expect(dates({ updated_at: '2026-02-01T00:00:00Z' })?.occurredAt).toBe('2026-02-01T00:00:00Z')
    expect(dates({ updated_at: null })?.occurredAt).toBe(memory.created_at)
    expect(dates({ created_at: 'last spring' })).toMatchObject({ text: 'Dev works at Acme (created_at: last spring)' })
    expect(dates({ created_at: 'last spring' })).not.toHaveProperty('occurredAt')
    expect(dates({ created_at: '2026-13-40' })).not.toHaveProperty('occurredAt')
  })

  it('says whose a memory is where several people have some', () => {
    const other = { ...memory, id: 'b', user_id: 'arjun', memory: 'prefers mornings' }
    expect(textsOf(readMem0(JSON.stringify([memory, other])))).toEqual([
      'dev: Dev works at Acme',
      'arjun: prefers mornings',
    ])
  })

  it('skips what has no text, and refuses what is no export', () => {
    const { texts, skipped } = readMem0(JSON.stringify([memory, { id: 'b' }, 'x', { memory: ' ' }]))
    expect([texts.length, skipped.map(({ reason }) => reason.split(':')[0])]).toEqual([
      1,
      ['memory 2', 'memory 3', 'memory 4'],
    ])
    for (const content of ['{', '{"memories":[]}', '7']) expect(() => readMem0(content)).toThrow('export of mem0')
  })
})

describe('readBasicNote', () => {
  const note = `---
title: Coffee Brewing
type: guide
tags: [coffee, brewing]
permalink: coffee/brewing
created: 2026-03-01
---
# Coffee Brewing

What we know about brewing.

## Observations
- [method] Pour over is clear #brewing (from the course)
- [ ] buy filters
- [00:12] grinding begins

\`\`\`
- [code] is no observation
\`\`\`

## Relations
- requires [[Proper Grinding]] (always)
- "pairs well with" [[Cake]]
- [[Water]]
- see [[Milk]] and [[Sugar]]
`

  it('makes texts of observations and relations, and of the prose under each heading, so that nothing is lost', () => {
    const { texts, skipped } = readBasicNote({ path: 'coffee.md', content: note })
    expect(skipped).toEqual([])
    const title = 'Coffee Brewing (guide, coffee, brewing)'
    expect(textsOf({ texts })).toEqual([
      'Coffee Brewing [method]: Pour over is clear #brewing (from the course)',
      'Coffee Brewing requires Proper Grinding (always)',
      'Coffee Brewing pairs well with Cake',
      'Coffee Brewing links_to Water',
      `${title}\n\nWhat we know about brewing.`,
      'Coffee Brewing (guide, coffee, brewing)\n\n- [ ] buy filters\n- [00:12] grinding begins\n\n```\n- [code] is no observation\n```',
      'Coffee Brewing (guide, coffee, brewing)\n\n- see [[Milk]] and [[Sugar]]',
    ])
    expect(new Set(texts.map(({ occurredAt }) => occurredAt))).toEqual(new Set(['2026-03-01']))
    expect(texts[0]).toMatchObject({ path: 'coffee.md', line: 13, key: ['coffee/brewing', 'observation'] })
    expect(texts[1]?.type).toBe('relationship')
  })

  it('loses no word of a note, whatever its lines are', () => {
    const word = fc.stringMatching(/^[a-z]{6,9}$/)
    const line = fc.oneof(
      word.map((one) => `- [fact] ${one} #tag`),
      word.map((one) => `- knows [[${one}]]`),
      word.map((one) => `* [ ] ${one}`),
      fc.tuple(fc.integer({ min: 1, max: 3 }), word).map(([level, one]) => `${'#'.repeat(level)} ${one}`),
      fc.constantFrom('', '```', '## Observations'),
      word,
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), (content) => {
        const { texts } = readBasicNote({ path: 'Milk.md', content: content.join('\n') })
        const kept = textsOf({ texts }).join('\n')
        const words = content.join(' ').match(/\b[a-z]{6,9}\b/g) ?? []
        expect(words.filter((one) => !kept.includes(one))).toEqual([])
      }),
    )
  })

  it('takes the name of the file where the front matter gives none, and says so where it is broken', () => {
    const plain = readBasicNote({ path: 'a/Milk.md', content: '- [fact] Milk is white\n' })
    expect([textsOf(plain), plain.skipped]).toEqual([['Milk [fact]: Milk is white'], []])
    const broken = readBasicNote({ path: 'Milk.md', content: '---\n a: [\n---\n- [fact] Milk is white\n' })
    expect(textsOf(broken)).toEqual(['Milk [fact]: Milk is white'])
    expect(broken.skipped).toMatchObject([{ path: 'Milk.md', line: 1 }])
    const tagged = readBasicNote({ path: 'Milk.md', content: '---\ntitle: Milk\ntags: "white, #cold"\n---\n# Milk\n' })
    expect(textsOf(tagged)).toEqual(['Milk (white, cold)'])
  })
})

describe('every reader', () => {
  it('takes any text, or refuses it as what it is not', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(fc.json()).map((one) => one.join('\n')),
    )
    fc.assert(
      fc.property(anything, (content) => {
        for (const { text } of readServerMemory(content).texts) expect(text.trim()).not.toBe('')
        for (const { text } of readBasicNote({ path: 'a.md', content }).texts) expect(text.trim()).not.toBe('')
        try {
          readMem0(content)
        } catch (error) {
          expect(error).toBeInstanceOf(MadeleineError)
        }
      }),
    )
  })
})

describe('importMemories', () => {
  it('remembers everything once, however often it is imported; what is new is added', async () => {
    const file = write('memory.jsonl', GRAPH)
    const from = { kind: 'server-memory', file, owner: ['local'] } as const
    expect(await importMemories(engine, from)).toEqual({ imported: 4, unchanged: 0, skipped: [] })
    expect(await importMemories(engine, from)).toEqual({ imported: 0, unchanged: 4, skipped: [] })
    write('memory.jsonl', `${GRAPH}\n${lines([{ type: 'relation', from: 'Mara', to: 'Bo', relationType: 'knows' }])}\n`)
    expect(await importMemories(engine, from)).toEqual({ imported: 1, unchanged: 4, skipped: [] })
    const { results } = await engine.search('where does Mara work')
    expect(results[0]).toMatchObject({ id: expect.stringMatching(/^server-memory-/), snippet: 'Mara works_at Acme' })
    expect((await engine.status()).memories).toBe(5)
  })

  it('keeps the dates and redacts secrets', async () => {
    const memories = [
      { id: 'a', memory: 'The pump was chosen', created_at: '2026-01-02T03:04:05Z' },
      { id: 'b', memory: 'The key of the pump is AKIAIOSFODNN7EXAMPLE' },
    ]
    const file = write('mem0.json', JSON.stringify(memories))
    await importMemories(engine, { kind: 'mem0', file, owner: [] })
    const { results } = await engine.search('pump')
    expect(results).toHaveLength(2)
    expect(results.find(({ snippet }) => snippet.includes('chosen'))?.occurredAt).toBe('2026-01-02T03:04:05+00:00')
    expect(JSON.stringify(results)).not.toContain('AKIAIOSFODNN7EXAMPLE')
  })

  it('gives each owner memories of its own', async () => {
    const file = write('memory.jsonl', GRAPH)
    for (const agentId of ['ada', 'bo']) {
      const agent = await openMadeleine({ store: join(home, 'store.sqlite'), embedding: 'none', agentId })
      const from = { kind: 'server-memory', file, owner: ['local', agentId] } as const
      expect(await importMemories(agent, from)).toMatchObject({ imported: 4, skipped: [] })
      expect((await agent.search('Greek')).results).toHaveLength(1)
      await agent.close()
    }
  })

  it('reads a folder of notes, without what is hidden, and skips what the engine refuses with its place', async () => {
    write('notes/a/Milk.md', '- [fact] Milk is white\n')
    write('notes/Tea.md', '# Tea\n\nTea is green.\n')
    write('notes/.obsidian/x.md', '- [fact] hidden\n')
    const report = await importMemories(engine, { kind: 'basic-memory', file: join(home, 'notes'), owner: [] })
    expect(report).toEqual({ imported: 2, unchanged: 0, skipped: [] })
    expect((await engine.search('hidden')).results).toEqual([])
    const nameless = lines([
      { type: 'entity', name: 'Bo', observations: ['sails'] },
      { type: 'entity', name: '\u200b', observations: [] },
    ])
    const odd = { kind: 'server-memory', file: write('odd.jsonl', nameless), owner: [] } as const
    expect(await importMemories(engine, odd)).toEqual({
      imported: 1,
      unchanged: 0,
      skipped: [{ line: 2, reason: expect.stringContaining('nothing is left') }],
    })
  })

  it('refuses a file that is not there or of another kind', async () => {
    const missing = { file: join(home, 'no-such.json'), owner: [] }
    for (const kind of ['server-memory', 'mem0', 'basic-memory'] as const) {
      await expect(importMemories(engine, { kind, ...missing })).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
    }
    const file = write('x.txt', 'Dear diary')
    await expect(importMemories(engine, { kind: 'mem0', file, owner: [] })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })
})
