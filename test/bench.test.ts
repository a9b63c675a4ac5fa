import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Bm25 } from '../bench/bm25.ts'
import { readChunks } from '../bench/chunks.ts'
import type { BenchMessage, Haystack } from '../bench/haystack.ts'
import { writeHaystack } from '../bench/haystack-files.ts'
import { cutHostChunks } from '../bench/openclaw-search.ts'
import { pickQuestions } from '../bench/run.ts'
import { sampleSet } from '../bench/sample-set.ts'
import { cacheVectors } from '../bench/vector-cache.ts'
import type { EmbeddingProvider } from '../src/index.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'madeleine-bench-test-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

function sampleHaystack(): Haystack {
  const haystack = sampleSet().haystacks[0]
  if (!haystack) throw new Error('The sample has no haystack')
  return haystack
}

describe('bench: transcripts', () => {
  it('gives every message back from the path and line of its chunk, text and speaker intact', async () => {
    const haystack: Haystack = {
      ...sampleHaystack(),
      messages: sampleHaystack().messages.map((message) => ({
        ...message,
        speaker: message.role === 'user' ? 'Ada' : 'Ben',
      })),
    }
    const chunks = await readChunks(writeHaystack(haystack, directory))
    expect(chunks.map(({ message, chunk }) => [message, chunk.speaker, chunk.text, chunk.occurredAt]).sort()).toEqual(
      haystack.messages.map(({ id, speaker, text, occurredAt }) => [id, speaker, text, occurredAt]).sort(),
    )
  })

  it('refuses a line that holds no message', () => {
    const files = writeHaystack(sampleHaystack(), directory)
    expect(() => files.messageAt('sessions/absent.jsonl', 2)).toThrow('No message')
  })
})

describe('bench: plain BM25', () => {
  it('scores by the formula, function words left out', () => {
    // One word each; "tide" in both: idf = ln(1 + 0.5/2.5) = 0.18232, for "high" ln(1 + 1.5/1.5) = 0.69315.
    // Lengths 2 and 1, mean 1.5; k1 = 1.2, b = 0.75: norms 1.5 and 0.9, so 2.2/2.5 = 0.88 and 2.2/1.9 = 1.15789.
    const index = new Bm25(['the high tides', 'a tide'], { k1: 1.2, b: 0.75 })
    const ranked = index.rank('Is the tide high?')
    expect(ranked.map(({ document }) => document)).toEqual([0, 1])
    expect(ranked[0]?.score).toBeCloseTo(0.88 * (0.182322 + Math.LN2), 4)
    expect(ranked[1]?.score).toBeCloseTo(1.157895 * 0.182322, 4)
    expect(index.rank('nothing')).toEqual([])
  })
})

describe('bench: chunks of the host', () => {
  it('fills chunks line by line, never across sessions, and repeats the last lines', () => {
    const messages = Array.from(
      { length: 12 },
      (_, index): BenchMessage => ({
        id: `m${index}`,
        session: index < 9 ? 'one' : 'two',
        role: 'user',
        text: `${index} ${'word '.repeat(59)}`.trim(),
        occurredAt: '2025-01-01T00:00:00.000Z',
      }),
    )
    const chunks = cutHostChunks({ id: 'h', messages, questions: [] })
    // Lines of 303 characters with label and number: five fill a chunk, two make the overlap of 320.
    expect(chunks.map((chunk) => chunk.messages)).toEqual([
      ['m0', 'm1', 'm2', 'm3', 'm4'],
      ['m3', 'm4', 'm5', 'm6', 'm7'],
      ['m6', 'm7', 'm8'],
      ['m9', 'm10', 'm11'],
    ])
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(1600)
  })

  it('wraps a long message, repeats its last line, and cuts off what is over the limit', () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index + 100}`)
    const message: BenchMessage = {
      id: 'm',
      session: 's',
      role: 'assistant',
      text: words.join(' '),
      occurredAt: '2025-01-01T00:00:00.000Z',
    }
    const chunks = cutHostChunks({ id: 'h', messages: [message], questions: [] })
    // 8 characters a word with its space: lines of 100 words, 799 characters and the label's 11; two are 1,621.
    const lines = chunks.map(({ text }) => text.split('\n'))
    expect(lines.map((line) => line.length)).toEqual([1, 2, 2, 2])
    expect(lines[0]?.[0]).toBe(`Assistant: ${words.slice(0, 100).join(' ')}`)
    expect(lines[1]?.[0]).toBe(lines[0]?.[0])
    expect(lines[1]?.[1]).toMatch(/^Assistant: word200 .* word296 wo$/)
  })
})

describe('bench: choice of questions', () => {
  it('spreads them over the set and drops histories without one', () => {
    const haystack = sampleHaystack()
    const copies = ['a', 'b', 'c'].map((id) => ({
      ...haystack,
      id,
      questions: haystack.questions.map((question) => ({ ...question, id: `${id}-${question.id}` })),
    }))
    const picked = pickQuestions({ ...sampleSet(), haystacks: copies }, 2)
    expect(picked.haystacks.map(({ id, questions }) => [id, questions.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
    expect(pickQuestions({ ...sampleSet(), haystacks: copies }, undefined).haystacks).toHaveLength(3)
  })
})

describe('bench: vector cache', () => {
  it('asks the model once for each text and kind, across openings', async () => {
    const asked: string[] = []
    const provider: EmbeddingProvider = {
      identity: 'counting',
      dimensions: 2,
      batchSize: 8,
      embedDocuments: async (texts) => {
        asked.push(...texts.map((text) => `document ${text}`))
        return texts.map((text) => (text === '…' ? [] : [Float32Array.of(1, 0), Float32Array.of(0, text.length)]))
      },
      embedQueries: async (texts) => {
        asked.push(...texts.map((text) => `query ${text}`))
        return texts.map((text) => Float32Array.of(text.length, 0))
      },
      close: async () => {},
    }
    const file = join(directory, 'deep', 'vectors.db')
    const first = cacheVectors(provider, file)
    const [vectors] = await first.embedDocuments(['tide', 'tide', '…'])
    await first.embedQueries(['tide'])
    await first.close()

    const second = cacheVectors(provider, file)
    expect(second.listUnknown(['tide', 'ebb', '…'])).toEqual(['ebb'])
    expect(await second.embedDocuments(['…', 'tide'])).toEqual([[], vectors])
    expect(await second.embedQueries(['tide'])).toEqual([Float32Array.of(4, 0)])
    expect(second.counts).toEqual({ known: 3, embedded: 0 })
    await second.close()

    const other = cacheVectors({ ...provider, identity: 'another model' }, file)
    expect(other.listUnknown(['tide'])).toEqual(['tide'])
    await other.close()
    expect(asked).toEqual(['document tide', 'document …', 'query tide'])
  })
})
