import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../model/document.ts'
import type { Scope } from '../model/memory.ts'
import { cleanCharacters } from '../normalize/index.ts'
import { memoryId } from './memory-identity.ts'

interface Pair {
  kind: string
  a: string
  b: string
}
const { same, different }: { same: Pair[]; different: Pair[] } = JSON.parse(
  readFileSync(new URL('../text/fixtures/form-pairs.json', import.meta.url), 'utf8'),
)
const SCOPE: Scope = { tenant: 'local', agent: 'main', project: '', visibility: 'private' }
/** Makes a text long enough to mean the same wherever it stands. */
const OPENING =
  'What the harbour festival left to do, as it was agreed on the evening after the last boat had gone:\n\n'

function idOf(text: string, fields: Partial<Chunk> = {}, scope: Scope = SCOPE): string {
  const chunk: Chunk = {
    ...{
      text,
      headerPath: [],
      startLine: 1,
      endLine: 1,
      embedText: text,
      type: 'fact',
      trust: 'owner',
      importance: 0.5,
    },
    ...fields,
  }
  return memoryId(scope, chunk)
}

describe('the id of a memory', () => {
  it.each(same)('is the same where form alone differs: $kind: $a', ({ a, b }) => {
    expect(idOf(OPENING + cleanCharacters(b))).toBe(idOf(OPENING + cleanCharacters(a)))
  })

  it.each(different)('is another where a fact differs: $kind: $a', ({ a, b }) => {
    expect(idOf(OPENING + cleanCharacters(b))).not.toBe(idOf(OPENING + cleanCharacters(a)))
  })

  const text = `${OPENING}The nets go to Ole.`
  it.each([
    ['tenant', { tenant: 'other' }],
    ['agent', { agent: 'ravi' }],
    ['project', { project: '/src/app' }],
    ['visibility', { visibility: 'team' }],
  ] as const)('is another for another %s', (_, part) => {
    expect(idOf(text, {}, { ...SCOPE, ...part })).not.toBe(idOf(text))
  })

  it('is another when somebody else said it', () => {
    expect(idOf(text, { role: 'assistant' })).not.toBe(idOf(text, { role: 'user' }))
  })

  it('takes what a tool printed to the letter', () => {
    const tool = { role: 'tool', tool: 'diff' } as const
    expect(idOf(`${text}\n- a line`, tool)).not.toBe(idOf(`${text}\n* a line`, tool))
    expect(idOf(`${text}\n- a line`, tool)).toBe(idOf(`${text}\n-  a line `, tool))
  })

  it('of a short text depends on its message, and on the letter', () => {
    expect(idOf('All green now.', { turnId: 't1' })).not.toBe(idOf('All green now.', { turnId: 't2' }))
    expect(idOf('All green now.', { turnId: 't1' })).not.toBe(idOf('All green now', { turnId: 't1' }))
  })
})
