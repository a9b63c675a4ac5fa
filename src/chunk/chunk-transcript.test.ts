import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TranscriptDocument, Turn } from '../model/document.ts'
import { CONTEXT_TAIL_CHARS, MAX_CHUNK_CHARS } from '../options.ts'
import { chunkTranscript } from './chunk-transcript.ts'

function turn(overrides: Partial<Turn>): Turn {
  return { id: 't1', role: 'user', text: 'the canoe is blue', startLine: 3, endLine: 3, trust: 'owner', ...overrides }
}

function transcript(turns: Turn[], overrides: Partial<TranscriptDocument> = {}): TranscriptDocument {
  return {
    form: 'transcript',
    root: '/r',
    path: 'sessions/a.jsonl',
    category: 'sessions',
    scope: { tenant: 'local', agent: 'main', project: '', visibility: 'private' },
    contentHash: 'h',
    sessionId: 's1',
    turns,
    ...overrides,
  }
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')

describe('chunkTranscript', () => {
  it('gives one chunk a turn, with the text as it was said and everything that is known of the turn', () => {
    const chunks = chunkTranscript(
      transcript([
        turn({ id: 'a', speaker: 'Mira', text: 'Which lamp is ours?', occurredAt: '2026-03-01T09:00:00+01:00' }),
        turn({ id: 'b', role: 'assistant', text: 'The green one.', startLine: 4, endLine: 5, trust: 'agent' }),
      ]),
    )
    expect(chunks).toEqual([
      {
        text: 'Which lamp is ours?',
        headerPath: [],
        startLine: 3,
        endLine: 3,
        embedText: 'Mira: Which lamp is ours?',
        type: 'event',
        trust: 'owner',
        importance: 0.5,
        role: 'user',
        speaker: 'Mira',
        sessionId: 's1',
        turnId: 'a',
        occurredAt: '2026-03-01T09:00:00+01:00',
        dateOrigin: 'timestamp',
      },
      {
        text: 'The green one.',
        headerPath: [],
        startLine: 4,
        endLine: 5,
        embedText: 'Which lamp is ours?\nassistant: The green one.',
        type: 'event',
        trust: 'agent',
        importance: 0.5,
        role: 'assistant',
        sessionId: 's1',
        turnId: 'b',
      },
    ])
  })

  it('embeds with a turn the last whole words of what a person or the agent said before, tool results skipped', () => {
    const long = `${'paddle '.repeat(60)}and the oar is ash`
    const chunks = chunkTranscript(
      transcript([
        turn({ text: long }),
        turn({ role: 'tool', tool: 'bash', text: 'exit 0', trust: 'untrusted' }),
        turn({ role: 'assistant', text: 'Noted.' }),
      ]),
    )
    expect(chunks[1]?.embedText).toBe('bash: exit 0')
    const [context = '', said] = (chunks[2]?.embedText ?? '').split('\n')
    expect(said).toBe('assistant: Noted.')
    expect(context.length).toBeLessThanOrEqual(CONTEXT_TAIL_CHARS)
    expect(context.length).toBeGreaterThan(CONTEXT_TAIL_CHARS - 10)
    expect(context).toMatch(/^paddle .* and the oar is ash$/)
  })

  it('cuts a turn over the cap at paragraphs into balanced pieces that all carry role, speaker and time', () => {
    const paragraph = (n: number): string => `Paragraph ${n}. ${'The heron stands still. '.repeat(18)}`.trim()
    const text = [1, 2, 3, 4, 5, 6].map(paragraph).join('\n\n')
    const chunks = chunkTranscript(
      transcript([
        turn({ text, speaker: 'Mira', occurredAt: '2026-03-01T09:00:00Z' }),
        turn({ id: 't2', text: 'and you?' }),
      ]),
    )
    const pieces = chunks.filter((chunk) => chunk.turnId === 't1')
    expect(pieces.map((piece) => piece.text)).toEqual([
      [1, 2, 3].map(paragraph).join('\n\n'),
      [4, 5, 6].map(paragraph).join('\n\n'),
    ])
    for (const piece of pieces) {
      expect(piece).toMatchObject({
        role: 'user',
        speaker: 'Mira',
        sessionId: 's1',
        occurredAt: '2026-03-01T09:00:00Z',
      })
    }
  })

  it('keeps short answers and numbers, and drops turns of emoji and punctuation alone', () => {
    const texts = ['ok', '👍👍', '...', '42', '好的', ' ', '?']
    const chunks = chunkTranscript(transcript(texts.map((text, i) => turn({ id: `t${i}`, text }))))
    expect(chunks.map((chunk) => chunk.text)).toEqual(['ok', '42', '好的'])
  })

  it('tells decisions and tool results from mere events', () => {
    const type = (overrides: Partial<Turn>): string | undefined =>
      chunkTranscript(transcript([turn(overrides)]))[0]?.type
    expect(type({ text: 'We decided on larch.' })).toBe('activity')
    expect(type({ text: 'The leak is not fixed' })).toBe('event')
    expect(type({ text: 'a fixed-width font' })).toBe('event')
    expect(type({ role: 'tool', text: '- [ ] an item of somebody' })).toBe('activity')
    expect(type({ text: 'list:\n- [ ] call the yard' })).toBe('plan')
    expect(type({ text: 'hello there' })).toBe('event')
  })

  it('dates a turn without a time by its file', () => {
    const [chunk] = chunkTranscript(transcript([turn({})], { date: '2026-05-01T00:00:00Z', dateOrigin: 'mtime' }))
    expect(chunk).toMatchObject({ occurredAt: '2026-05-01T00:00:00Z', dateOrigin: 'mtime' })
  })

  it('never crosses a turn, loses a word, breaks a character or exceeds the cap, whatever is said', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('\n\n', '\n', ' ', '👩‍👩‍👧‍👦', '🇨🇭🇨🇭', 'ไม่มีช่องว่าง', 'é', '好'.repeat(700), 'x'.repeat(2500)),
    )
    const text = fc.array(unit, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
        const chunks = chunkTranscript(transcript(texts.map((said, i) => turn({ id: `t${i}`, text: said }))))
        texts.forEach((said, i) => {
          const pieces = chunks.filter((chunk) => chunk.turnId === `t${i}`)
          const kept = pieces.map((piece) => withoutSpace(piece.text)).join('')
          const wellFormed = Buffer.from(said, 'utf8').toString('utf8')
          expect(kept).toBe(/[\p{L}\p{N}]/u.test(said) ? withoutSpace(wellFormed) : '')
        })
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
          expect(/\p{Cs}/u.test(chunk.text + chunk.embedText)).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('finishes on a megabyte without a single border', () => {
    const chunks = chunkTranscript(transcript([turn({ text: '"k":0,'.repeat(170_000) })]))
    expect(chunks.map((chunk) => chunk.text).join('')).toHaveLength(1_020_000)
  })
})
