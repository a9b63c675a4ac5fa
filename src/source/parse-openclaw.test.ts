import { describe, expect, it } from 'vitest'
import { createOpenClawParser } from './parse-openclaw.ts'

function parseMessages(messages: ReadonlyArray<Record<string, unknown>>) {
  const parser = createOpenClawParser()
  parser.accept({ type: 'session', version: 3, id: 's', timestamp: '2026-01-05T10:00:00.000Z', cwd: '/w' }, 1)
  messages.forEach((message, index) => {
    parser.accept({ type: 'message', id: `m${index}`, timestamp: '2026-01-05T10:00:01.000Z', message }, index + 2)
  })
  return parser.finish().turns
}

describe('heartbeats of OpenClaw transcripts', () => {
  it('are answered by a call, of which only what it tells the user was said', () => {
    const answer = (input: object): Record<string, unknown> => ({
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'heartbeat_respond', arguments: input }],
    })
    const turns = parseMessages([
      answer({ notify: false, notificationText: '' }),
      answer({ notify: true, notificationText: 'The east valve leaks.' }),
    ])
    expect(turns.map(({ text }) => text)).toEqual(['The east valve leaks.'])
  })
})

describe('speakers of OpenClaw transcripts', () => {
  it('takes the name that stands beside the text, for either side', () => {
    const turns = parseMessages([
      { role: 'user', content: 'I moved to Bern.', senderName: 'Ines' },
      { role: 'assistant', content: [{ type: 'text', text: 'When was that?' }], senderName: 'Tomas' },
      { role: 'user', content: 'In March.' },
    ])
    expect(turns.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['Ines', 'I moved to Bern.'],
      ['Tomas', 'When was that?'],
      [undefined, 'In March.'],
    ])
  })

  it('prefers it to the name in the envelope', () => {
    const envelope = 'Sender (untrusted metadata):\n```json\n{"name": "ines_99"}\n```\n\nGood morning to all of you.'
    const [named, enveloped] = parseMessages([
      { role: 'user', content: envelope, senderName: 'Ines' },
      { role: 'user', content: `${envelope} Again.` },
    ])
    expect([named?.speaker, enveloped?.speaker]).toEqual(['Ines', 'ines_99'])
  })
})
