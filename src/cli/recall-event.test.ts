import { describe, expect, it } from 'vitest'
import { parseRecallInput } from './recall-event.ts'

const read = (event: unknown, mustBeEvent = true) => parseRecallInput(JSON.stringify(event), mustBeEvent)

describe('parseRecallInput', () => {
  it('takes text for the prompt, also when it looks like JSON but is no event', () => {
    expect(parseRecallInput('which paint?\n', false)).toEqual({ prompt: 'which paint?\n' })
    expect(parseRecallInput('{"a":1}', false)).toEqual({ prompt: '{"a":1}' })
    expect(parseRecallInput('[1]', false)).toEqual({ prompt: '[1]' })
  })

  it('takes the names that hosts use', () => {
    expect(read({ prompt: 'x', session_id: 's', cwd: '/p', hook_event_name: 'UserPromptSubmit' })).toEqual({
      prompt: 'x',
      sessionId: 's',
      project: '/p',
    })
    expect(read({ prompt: 'x', expand: true })).toEqual({ prompt: 'x', expand: true })
    expect(() => read({ prompt: 'x', expand: 'yes' })).toThrow('expand')
    expect(read({ prompt: 'x', sessionId: 's', project: '/p', agentId: 'a' }, false)).toEqual({
      prompt: 'x',
      sessionId: 's',
      project: '/p',
      agentId: 'a',
    })
  })

  it('reads messages with text or parts, leaves images out, and knows the roles of other hosts', () => {
    const messages = [
      { role: 'human', content: 'hello' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'hi' },
        ],
      },
      { role: 'toolResult', content: [{ type: 'image', data: '…' }] },
      { role: 'toolResult', content: [{ type: 'text', text: 'ok' }] },
    ]
    expect(read({ prompt: 'and now?', messages }).recentTurns).toEqual([
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: 'hi' },
      { role: 'tool', text: 'ok' },
    ])
  })

  it('does not take the present message for a turn before it', () => {
    const recentTurns = [
      { role: 'assistant', text: 'hi' },
      { role: 'user', text: 'which paint?' },
    ]
    const expected = { prompt: 'which paint?', recentTurns: recentTurns.slice(0, 1) }
    expect(read({ prompt: 'which paint?', recentTurns })).toEqual(expected)
    expect(read({ messages: recentTurns.map(({ role, text }) => ({ role, content: text })) })).toEqual(expected)
  })

  it('refuses an event that cannot be one, and says why', () => {
    expect(() => parseRecallInput('not json', true)).toThrow('not a JSON object')
    expect(() => read({ sessionId: 's' })).toThrow('neither a prompt')
    expect(() => read({ prompt: 7 })).toThrow('prompt is not text')
    expect(() => read({ prompt: 'x', messages: 'y' })).toThrow('messages is not a list')
    expect(() => read({ prompt: 'x', messages: [{ role: 'robot', content: 'y' }] })).toThrow('"robot"')
  })
})
