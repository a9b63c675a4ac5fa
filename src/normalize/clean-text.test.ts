import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Role } from '../model/memory.ts'
import { MAX_TOOL_RESULT_CHARS } from '../options.ts'
import { cleanQueryText, cleanTurnText } from './clean-text.ts'

const ROLES: readonly Role[] = ['user', 'assistant', 'tool', 'system']

describe('cleanTurnText', () => {
  it('is empty for polls and acknowledgements, also behind a recalled block', () => {
    expect(cleanTurnText('<recalled-context>\nx\n</recalled-context>\n\nRead HEARTBEAT.md if it exists.', 'user')).toBe(
      '',
    )
    expect(cleanTurnText('HEARTBEAT_OK', 'assistant')).toBe('')
  })

  it('redacts a secret before the cut, so that no half of one is kept', () => {
    const token = `ghp_${'q7'.repeat(18)}`
    const shift = 2395
    for (let at = shift; at < shift + 10; at++) {
      const text = `${'a '.repeat(at / 2)}${token} ${'b '.repeat(6000)}`
      expect(cleanTurnText(text, 'tool')).not.toContain('q7q7')
    }
  })

  it('shows tool output as it is, log lines in brackets included', () => {
    const log = 'System: [1] up\n[Tue 2026-05-12 09:40 CEST] gate open\nHEARTBEAT_OK'
    expect(cleanTurnText(log, 'tool')).toBe(log)
  })

  it('takes out of tool output what a host or a memory tool added', () => {
    const text = 'tide 2 m\n<system-reminder>be kind</system-reminder><recalled-context>MARROW</recalled-context>'
    expect(cleanTurnText(text, 'tool')).toBe('tide 2 m')
    const page = '<<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>\ntide 2 m\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="1">>>'
    expect(cleanTurnText(page, 'tool')).toBe('tide 2 m')
  })

  it('is empty where a tool said nothing, and keeps what a failed one said', () => {
    expect(cleanTurnText('(Bash completed with no output)', 'tool')).toBe('')
    expect(cleanTurnText('<tool_use_error>File does not exist.</tool_use_error>', 'tool')).toBe('File does not exist.')
  })

  it('keeps tool output within its cap', () => {
    expect(cleanTurnText('tide 2 m\n'.repeat(5000), 'tool').length).toBeLessThanOrEqual(MAX_TOOL_RESULT_CHARS)
  })

  it('cleans anything without failing, to text without secrets, escapes or blobs', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[31m',
        '<recalled-context>',
        '</recalled-context>',
        `AKIA${'Q'.repeat(16)} `,
        'A'.repeat(500),
        '\n',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom(...ROLES), (pieces, role) => {
        const clean = cleanTurnText(pieces.join(''), role)
        expect(clean).not.toContain('\u001b')
        expect(clean).not.toMatch(/\bAKIAQ{16}\b/)
        expect(clean).not.toMatch(/[A-Za-z0-9+/]{201,}/)
      }),
    )
  })
})

describe('cleanQueryText', () => {
  it('asks only what the user asked', () => {
    const block = '<recalled-context>\n- [2026-01-03] the otter gate code word is MARROW\n</recalled-context>\n'
    expect(cleanQueryText(`${block}what time is lunch?`)).toBe('what time is lunch?')
  })

  it('asks nothing for a poll', () => {
    expect(cleanQueryText('[OpenClaw heartbeat poll]')).toBe('')
  })
})
