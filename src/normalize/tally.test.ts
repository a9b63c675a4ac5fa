import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CharacterAccount } from '../model/ledger.ts'
import type { Role } from '../model/memory.ts'
import { cleanNoteText, cleanTurnText } from './clean-text.ts'
import { createTally } from './tally.ts'

const token = (): string => `ghp_${'q7'.repeat(18)}`

/** The account of one text that is cleaned and kept. */
function accountOf(raw: string, role: Role | 'note'): CharacterAccount & { text: string } {
  const tally = createTally()
  tally.read(raw.length)
  const text = role === 'note' ? cleanNoteText(raw, tally) : cleanTurnText(raw, role, tally)
  if (text !== '') tally.keep(text.length)
  return { text, ...tally.close({ duplicates: 0, forgotten: 0 }) }
}

function sumOf({ indexed, duplicate, redacted, structure, stripped, skipped }: CharacterAccount): number {
  const counts = [indexed, duplicate, redacted, structure, ...Object.values(stripped), ...Object.values(skipped)]
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(0)
  return counts.reduce((sum, count) => sum + count, 0)
}

describe('the account of a text', () => {
  it('names the rule for each character that is gone', () => {
    const sender = 'Sender (untrusted metadata):\n```json\n{"label":"x"}\n```\n'
    const recalled = '<recalled-context>MARROW</recalled-context>\n'
    const time = '[Tue 2026-05-12 09:40 CEST] '
    const raw = `${recalled}${sender}${time}which oar?\u001b[0m …[truncated]`
    expect(accountOf(raw, 'user')).toMatchObject({
      text: 'which oar?',
      characters: raw.length,
      indexed: 'which oar?'.length,
      structure: 0,
      stripped: {
        // The line break behind the block goes with the prefix.
        'recalled memory': recalled.length - 1,
        'untrusted metadata': sender.length,
        'time and channel prefixes': time.length + 1,
        'control and hidden characters': '\u001b[0m'.length,
        'marks of cut text': '…[truncated]'.length,
      },
    })
  })

  it('counts a secret as it stood in the file, and not the mark in its place', () => {
    const raw = `the key is ${token()} and stays here`
    const account = accountOf(raw, 'user')
    expect(account.redacted).toBe(token().length)
    expect(account.indexed).toBe(raw.length - token().length)
  })

  it('counts a poll as left out, and the front of a long log as over the cap', () => {
    expect(accountOf('HEARTBEAT_OK', 'assistant').skipped).toEqual({
      'machinery: polls, acknowledgements, empty output': 12,
    })
    const log = 'tide 2 m\n'.repeat(2000)
    const account = accountOf(log, 'tool')
    expect(account.stripped['tool output over its cap']).toBeGreaterThan(log.length / 2)
    expect(sumOf(account)).toBe(log.length)
  })

  it('adds up to the text, whatever it holds, without a rest that no rule answers for', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\n\n\n',
        'the tide is low. ',
        `${token()} `,
        `PASSWORD="hunter22"\n`,
        '[redacted:secret] ',
        '<recalled-context>',
        '</recalled-context>',
        '<system-reminder>x</system-reminder>',
        '<command-args>mend the east valve now</command-args>',
        '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>',
        '<<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>',
        'Sender (untrusted metadata):\n```json\n{}\n```\n',
        'System: [x] y\n',
        '\n[Queued messages while agent was busy]\n',
        '[Tue 2026-05-12 09:40 CEST] ',
        '[[reply_to_current]]',
        '[message_id: 4]',
        '\u001b[31m',
        '\u202e',
        'A'.repeat(400),
        'x=1;'.repeat(1500),
        'log line\n'.repeat(900),
        'error: weir stuck\n',
        '<!-- importance: 7 -->',
        ' HEARTBEAT_OK',
        '…[truncated]',
      ),
    )
    const role = fc.constantFrom<Role | 'note'>('user', 'assistant', 'tool', 'system', 'note')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), role, (pieces, as) => {
        const raw = pieces.join('')
        const account = accountOf(raw, as)
        expect(account.characters).toBe(raw.length)
        expect(account.structure).toBe(0)
        expect(sumOf(account)).toBe(raw.length)
        const unheard = as === 'note' ? cleanNoteText(raw) : cleanTurnText(raw, as)
        expect(account.text).toBe(unheard)
      }),
      { numRuns: 400 },
    )
  })
})
