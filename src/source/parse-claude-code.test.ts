import { describe, expect, it } from 'vitest'
import { createClaudeCodeParser } from './parse-claude-code.ts'
import type { JsonObject, ParsedTranscript } from './transcript-format.ts'

const base = { sessionId: 's1', cwd: '/work/weir', version: '2.0.0', isSidechain: false, parentUuid: null }

function user(uuid: string, content: unknown, more: JsonObject = {}): JsonObject {
  return {
    ...base,
    type: 'user',
    uuid,
    timestamp: '2026-01-05T10:00:00.000Z',
    message: { role: 'user', content },
    ...more,
  }
}

function assistant(uuid: string, id: string | undefined, content: unknown, more: JsonObject = {}): JsonObject {
  const message = { role: 'assistant', ...(id ? { id } : {}), content, ...more }
  return { ...base, type: 'assistant', uuid, timestamp: '2026-01-05T10:00:01.000Z', message }
}

function parse(...records: JsonObject[]): ParsedTranscript {
  const parser = createClaudeCodeParser()
  records.forEach((record, index) => {
    parser.accept(record, index + 1)
  })
  return parser.finish()
}

const text = (value: string): JsonObject => ({ type: 'text', text: value })
const call = (id: string, name: string, input: unknown): JsonObject => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown): JsonObject => ({ type: 'tool_result', tool_use_id: id, content })

describe('transcripts of Claude Code', () => {
  it('joins the records of one message, wherever results stand between them', () => {
    const { turns } = parse(
      assistant('a1', 'm1', [{ type: 'thinking', thinking: 'hmm' }]),
      assistant('a2', 'm1', [text('I look.')]),
      assistant('a3', 'm1', [call('t1', 'Bash', { command: 'df' })]),
      user('u1', [result('t1', 'tern-7 is 93% full')]),
      assistant('a4', 'm1', [call('t2', 'Read', { file_path: '/a' })]),
      assistant('a5', 'm2', [text('Done.')]),
    )
    expect(turns.map(({ role, startLine, endLine }) => [role, startLine, endLine])).toEqual([
      ['assistant', 1, 5],
      ['tool', 4, 4],
      ['assistant', 6, 6],
    ])
    expect(turns[0]?.text).toBe('I look.\n[tool] Bash: df\n[tool] Read: /a')
    expect(turns[0]?.id).toBe('a1@2026-01-05T10:00:01.000Z')
  })

  it('says a block once that the host wrote twice', () => {
    const { turns } = parse(
      assistant('a1', 'm1', [text('I look.')]),
      assistant('a2', 'm1', [text('I look.'), text('There.')]),
    )
    expect(turns.map((turn) => turn.text)).toEqual(['I look.\nThere.'])
  })

  it('keeps messages without an id apart', () => {
    const { turns } = parse(assistant('a1', undefined, 'One thing.'), assistant('a2', undefined, 'Another thing.'))
    expect(turns).toHaveLength(2)
  })

  it('makes a turn of every tool result, with the tool that gave it', () => {
    const { turns } = parse(
      assistant('a1', 'm1', [call('t1', 'Bash', { command: 'df' }), call('t2', 'Grep', { pattern: 'x' })]),
      user('u1', [
        result('t1', 'volume tern-7'),
        result('t2', [text('two lines'), { type: 'image', source: {} }]),
        text('and then?'),
      ]),
      user('u2', [result('t9', 'nobody asked')]),
    )
    expect(turns.slice(1).map(({ id, role, tool, text: said, trust }) => ({ id, role, tool, said, trust }))).toEqual([
      { id: 'u1@2026-01-05T10:00:00.000Z', role: 'tool', tool: 'Bash', said: 'volume tern-7', trust: 'untrusted' },
      { id: 'u1@2026-01-05T10:00:00.000Z:1', role: 'tool', tool: 'Grep', said: 'two lines', trust: 'untrusted' },
      { id: 'u1@2026-01-05T10:00:00.000Z:said', role: 'user', tool: undefined, said: 'and then?', trust: 'owner' },
      { id: 'u2@2026-01-05T10:00:00.000Z', role: 'tool', tool: 'unknown', said: 'nobody asked', trust: 'untrusted' },
    ])
  })

  it("takes the words with which a call was refused for the user's, and the refusal for nothing", () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
    const { turns, omitted } = parse(
      user('u1', [result('t1', `${refusal} To tell you how to proceed, the user said:\nuse the east valve`)]),
      user('u2', [
        result('t2', `${refusal} STOP what you are doing and wait for the user to tell you how to proceed.`),
      ]),
    )
    expect(turns.map(({ role, text: said }) => [role, said])).toEqual([['user', 'use the east valve']])
    expect(omitted).toEqual({ 'messages without text': 1 })
  })

  it('reads a file without the numbers that the tool put before its lines', () => {
    const numbered = '     1→# Tides\n     2→\n    10→low water at 6'
    expect(parse(user('u1', [result('t1', numbered)])).turns[0]?.text).toBe('# Tides\n\nlow water at 6')
    expect(parse(user('u2', [result('t1', '12 boats → 3 piers')])).turns[0]?.text).toBe('12 boats → 3 piers')
  })

  it('gives a copied record the id of its original', () => {
    const record = user('u1', 'buy rope')
    expect(parse({ ...record, sessionId: 's2' }).turns[0]?.id).toBe(parse(record).turns[0]?.id)
    const twice = parse(record, record)
    expect(twice.turns).toHaveLength(1)
    expect(twice.omitted).toEqual({ 'repeated messages': 1 })
  })

  it('leaves out what the host wrote, and counts it', () => {
    const { turns, omitted } = parse(
      { type: 'summary', summary: 'about rope', leafUuid: 'x' },
      user(
        'u1',
        'Caveat: The messages below were generated by the user while running local commands. DO NOT respond.',
        { isMeta: true },
      ),
      user('u2', 'This session is being continued from a previous conversation that ran out of context.', {
        isCompactSummary: true,
      }),
      user('u3', '<command-name>/clear</command-name>'),
      user('u4', '[Request interrupted by user]'),
      user('u5', '<system-reminder>x</system-reminder>'),
      { ...base, type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', uuid: 'y' },
      assistant('a1', 'm1', [text('API Error: 529')], { model: '<synthetic>' }),
      { type: 'file-history-snapshot', snapshot: {} },
      { ...base, type: 'progress', uuid: 'p', data: {} },
      user('u6', [{ type: 'image', source: {} }]),
      { ...user('u7', 'x'), message: 'error' },
    )
    expect(turns).toEqual([])
    expect(omitted).toEqual({
      'summaries of earlier turns': 2,
      'messages of the host': 3,
      'messages that hold only machinery': 3,
      'messages without text': 2,
    })
  })

  it('keeps what the user typed while the agent was busy', () => {
    const attachment = { type: 'queued_command', prompt: 'also check the valve', commandMode: 'prompt' }
    const { turns } = parse(
      { ...base, type: 'attachment', uuid: 'q1', timestamp: '2026-01-05T10:00:00.000Z', attachment },
      { ...base, type: 'attachment', uuid: 'q2', attachment: { ...attachment, commandMode: 'task-notification' } },
      { ...base, type: 'attachment', uuid: 'q3', attachment: { type: 'file', prompt: 'x' } },
    )
    expect(turns.map(({ role, text: said }) => [role, said])).toEqual([['user', 'also check the valve']])
  })

  it('takes commands that the user ran in the shell of the host, and what they printed, for tool output', () => {
    const { turns } = parse(
      user('u1', '<bash-input>npm test</bash-input>'),
      user('u2', '<bash-stdout>the weir test failed</bash-stdout><bash-stderr>exit code 1</bash-stderr>'),
      user('u3', '<bash-stdout></bash-stdout><bash-stderr></bash-stderr>'),
    )
    expect(turns.map(({ role, tool, trust, text }) => [role, tool, trust, text])).toEqual([
      ['tool', 'bash', 'untrusted', '$ npm test'],
      ['tool', 'bash', 'untrusted', 'the weir test failed\nexit code 1'],
    ])
  })

  it('knows that in a side chain the agent asks', () => {
    expect(parse(user('u1', 'find the valve', { isSidechain: true })).turns[0]?.trust).toBe('agent')
    expect(parse(user('u1', 'find the valve')).turns[0]?.trust).toBe('owner')
  })

  it('takes session and folder from the records, and lines for ids where there are none', () => {
    const { uuid: _, ...bare } = user('u1', 'buy rope')
    const parsed = parse(bare, assistant('a1', 'm1', 'Bought.'))
    expect(parsed).toMatchObject({ sessionId: 's1', cwd: '/work/weir' })
    expect(parsed.turns.map((turn) => turn.id)).toEqual(['s1#1', 'a1@2026-01-05T10:00:01.000Z'])
  })

  it('holds many messages at once and loses none', () => {
    const many = Array.from({ length: 100 }, (_, i) => assistant(`a${i}`, `m${i}`, `message number ${i}`))
    expect(parse(...many).turns.map((turn) => turn.text)).toEqual(many.map((_, i) => `message number ${i}`))
  })
})
