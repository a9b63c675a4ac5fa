import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptDocument } from '../model/document.ts'
import { createTranscriptSource } from './transcript-source.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-records-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

interface Reading {
  document: TranscriptDocument
  omitted: Record<string, number>
}

/** Writes transcripts and reads them as the source does; a file that is skipped is an error. */
async function read(files: Record<string, readonly unknown[]>): Promise<Map<string, Reading>> {
  for (const [name, records] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }
  const source = createTranscriptSource({ root, tenant: 'local' })
  const found = new Map<string, Reading>()
  for await (const entry of source.list(() => undefined)) {
    const result = await source.read(entry)
    if ('skipped' in result || result.document.form !== 'transcript') throw new Error(JSON.stringify(result))
    found.set(entry.path, { document: result.document, omitted: result.omitted ?? {} })
  }
  return found
}

const textsOf = (reading: Reading | undefined): string[] => reading?.document.turns.map(({ text }) => text) ?? []

describe('records of OpenClaw that say nothing', () => {
  const time = '2026-06-01T10:00:00.000Z'
  const entry = (id: string, parentId: string | null, more: object): object => ({
    id,
    parentId,
    timestamp: time,
    ...more,
  })
  const said = (id: string, parentId: string | null, text: string): object =>
    entry(id, parentId, { type: 'message', message: { role: 'user', content: text } })

  it('leave the talk around them whole, before a reset and after, on the branch that was left and the one that was taken', async () => {
    const found = await read({
      's.jsonl': [
        { type: 'session', version: 4, id: 's', timestamp: time, cwd: '/not/here' },
        entry('m', null, { type: 'model_change', provider: 'p', modelId: 'm' }),
        entry('t', 'm', { type: 'thinking_level_change', thinkingLevel: 'off' }),
        said('a', 't', 'Which wood for the fence?'),
        said('b', 'a', 'Take oak.'),
        entry('s1', 'a', { type: 'branch_summary', fromId: 'b', summary: 'They thought of oak.' }),
        said('c', 's1', 'Take larch.'),
        entry('l', 'c', { type: 'label', targetId: 'c', label: 'decision' }),
        entry('n', 'l', { type: 'session_info', name: 'Fence' }),
        entry('k', 'n', { type: 'compaction', summary: 'A fence of larch.', firstKeptEntryId: 'c', tokensBefore: 9 }),
        entry('r', 'k', { type: 'reset', reason: 'daily' }),
        entry('x', 'r', { type: 'custom', customType: 'openclaw.cache-ttl', data: { note: 'machine words' } }),
        entry('y', 'x', {
          type: 'custom_message',
          customType: 'ext',
          content: 'words of an extension',
          display: false,
        }),
        entry('z', 'y', { type: 'leaf', targetId: 'y' }),
        said('d', 'z', 'And the gate?'),
      ],
    })
    const reading = found.get('sessions/s.jsonl')
    expect(textsOf(reading)).toEqual(['Which wood for the fence?', 'Take oak.', 'Take larch.', 'And the gate?'])
    expect(reading?.omitted).toEqual({ 'summaries of earlier turns': 2, 'messages of extensions': 1 })
  })

  it('do not make two of what a reset archived and the next session copied', async () => {
    const found = await read({
      's.jsonl.reset.2026-06-02T04-00-00Z': [
        { type: 'session', id: 's' },
        said('a', null, 'Which wood?'),
        said('b', 'a', 'Larch.'),
      ],
      's.jsonl': [{ type: 'session', id: 's' }, said('b', 'a', 'Larch.'), said('c', 'b', 'And the gate?')],
    })
    const ids = [...found.values()].flatMap(({ document }) => document.turns.map(({ id }) => id))
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(3)
  })
})

describe('records of Claude Code', () => {
  const base = (uuid: string, more: object): object => ({
    uuid,
    parentUuid: null,
    sessionId: 'main-session',
    timestamp: '2026-06-01T10:00:00.000Z',
    cwd: '/not/here',
    isSidechain: false,
    ...more,
  })
  const user = (uuid: string, content: unknown, more: object = {}): object =>
    base(uuid, { type: 'user', message: { role: 'user', content }, ...more })
  const assistant = (uuid: string, id: string, block: object, more: object = {}): object =>
    base(uuid, { type: 'assistant', message: { id, role: 'assistant', content: [block] }, ...more })

  it('of a sub-agent belong to the session that called it, its task said by the agent', async () => {
    const side = { isSidechain: true, agentId: 'a1' }
    const found = await read({
      '-p/main-session.jsonl': [
        user('u1', 'Where is the larch fence described?'),
        assistant('u2', 'm1', { type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'Find the fence' } }),
        user('u3', [{ type: 'tool_result', tool_use_id: 't1', content: 'In fence.md' }]),
      ],
      '-p/main-session/subagents/agent-a1.jsonl': [
        user('s1', 'Find the fence', side),
        assistant('s2', 'm2', { type: 'text', text: 'It stands in fence.md.' }, side),
      ],
    })
    const sub = found.get('sessions/-p/main-session/subagents/agent-a1.jsonl')
    expect(sub?.document.sessionId).toBe('main-session')
    expect(sub?.document.turns.map(({ role, trust, text }) => [role, trust, text])).toEqual([
      ['user', 'agent', 'Find the fence'],
      ['assistant', 'agent', 'It stands in fence.md.'],
    ])
    expect(found.get('sessions/-p/main-session.jsonl')?.document.turns.map(({ role, tool }) => [role, tool])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['tool', 'Task'],
    ])
  })

  it('that the host made up are counted, and a message in several records is one turn', async () => {
    const found = await read({
      'main-session.jsonl': [
        { type: 'summary', summary: 'Fences', leafUuid: 'x' },
        { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
        base('q', { type: 'queue-operation', operation: 'enqueue', content: 'later' }),
        base('g', { type: 'progress', data: { words: 'half way' } }),
        user('c', 'This session is being continued from a previous conversation', { isCompactSummary: true }),
        user('m', 'Caveat: The messages below were generated by the user', { isMeta: true }),
        user('n', '<command-name>/clear</command-name>'),
        user('i', '[Request interrupted by user]'),
        user('u', '<system-reminder>Be brief.</system-reminder>Is the kiln warm?'),
        assistant('a1', 'msg', { type: 'thinking', thinking: 'Hm.' }),
        assistant('a2', 'msg', { type: 'text', text: 'I look.' }),
        assistant('a3', 'msg', { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'kiln.md' } }),
        user('r', [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'warm' }] }]),
        assistant('a4', 'msg', { type: 'text', text: 'It is warm.' }),
      ],
    })
    const reading = found.get('sessions/main-session.jsonl')
    expect(reading?.document.turns.map(({ role, startLine, endLine }) => [role, startLine, endLine])).toEqual([
      ['user', 9, 9],
      ['assistant', 10, 14],
      ['tool', 13, 13],
    ])
    expect(textsOf(reading)[0]).toBe('Is the kiln warm?')
    expect(textsOf(reading)[1]).toMatch(/I look\.\n\[tool\] Read: kiln\.md\nIt is warm\./)
    expect(reading?.omitted).toMatchObject({ 'summaries of earlier turns': 2, 'messages of the host': 1 })
  })
})
