import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TranscriptDocument } from '../model/document.ts'
import { createTranscriptSource } from './transcript-source.ts'

/** Public test transcripts of two agents; they are not part of this repository. */
const folder = path.join(process.env.MADELEINE_DATA ?? path.join('..', 'shared', 'data'), 'transcripts')

async function readFolder(): Promise<Map<string, TranscriptDocument>> {
  const source = createTranscriptSource({ root: folder, tenant: 'local' })
  const documents = new Map<string, TranscriptDocument>()
  for await (const entry of source.list(() => undefined)) {
    const result = await source.read(entry)
    if ('document' in result && result.document.form === 'transcript')
      documents.set(path.posix.basename(entry.path), result.document)
  }
  return documents
}

describe.skipIf(!existsSync(folder))('transcripts from the field', () => {
  it('give all their turns, in order, with whole ids and clean text', async () => {
    const documents = await readFolder()
    expect(Object.fromEntries([...documents].map(([name, { turns }]) => [name, turns.length]))).toEqual({
      'edge_cases.jsonl': 8,
      'representative_messages.jsonl': 11,
      'sample_session.jsonl': 7,
      'session_b.jsonl': 3,
      'todowrite_examples.jsonl': 11,
      'before-compaction.jsonl.gz': 949,
      'large-session.jsonl.gz': 869,
    })
    for (const { turns } of documents.values()) {
      expect(new Set(turns.map((turn) => turn.id)).size).toBe(turns.length)
      expect(turns.map((turn) => turn.startLine)).toEqual(turns.map((turn) => turn.startLine).sort((a, b) => a - b))
      for (const turn of turns) {
        expect(turn.text).not.toMatch(/[\u0000\u001b\ufeff]|[A-Za-z0-9+/]{201}/)
        expect(turn.occurredAt).toMatch(/^20\d\d-/)
        expect(turn.role === 'tool').toBe(turn.tool !== undefined)
      }
    }
  })
})
