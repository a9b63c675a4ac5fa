import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { MemoryStore } from '../src/index.ts'

const EXAMPLES = new URL('../examples/', import.meta.url)
export const SAMPLE_WORKSPACE = fileURLToPath(new URL('workspace', EXAMPLES))
export const SAMPLE_TRANSCRIPTS = fileURLToPath(new URL('transcripts', EXAMPLES))
/** When the questions are asked; they say "yesterday". */
export const SAMPLE_NOW = { instant: '2026-07-20T09:00:00+02:00', timeZone: 'Europe/Zurich' }

const passage = z.object({ path: z.string(), contains: z.string() })
const question = z.object({
  query: z.string(),
  gold: z.array(passage),
  stale: z.array(passage).default([]),
  kind: z.string(),
  note: z.string(),
})

export type Passage = z.infer<typeof passage>
export type SampleQuestion = z.infer<typeof question>

/** The questions of examples/questions.jsonl; examples/README.md says what they mean. */
export function readSampleQuestions(): SampleQuestion[] {
  return readFileSync(new URL('questions.jsonl', EXAMPLES), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => question.parse(JSON.parse(line)))
}

/** Tells which passages a memory holds: the passage's words, in a memory that has a place in the passage's file. */
export function createPassageFinder(
  store: MemoryStore,
): (id: string, passages: readonly Passage[]) => Promise<Passage[]> {
  const known = new Map<string, { text: string; paths: Set<string> }>()
  return async (id, passages) => {
    let memory = known.get(id)
    if (!memory) {
      const [[found], places] = [await store.getMemories([id]), await store.listPlaces(id)]
      memory = { text: found?.text ?? '', paths: new Set(places.map(({ path }) => path)) }
      known.set(id, memory)
    }
    const { text, paths } = memory
    return passages.filter(({ path, contains }) => paths.has(path) && text.includes(contains))
  }
}
