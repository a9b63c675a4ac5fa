import { describe, expect, it } from 'vitest'
import { MAX_TOOL_CALL_CHARS } from '../options.ts'
import { blocksText, contentBlocks, describeCall, textCharacters } from './message-content.ts'

describe('contentBlocks', () => {
  it('reads a plain string and a list alike, and nothing else', () => {
    expect(contentBlocks('hello')).toEqual([{ type: 'text', text: 'hello' }])
    expect(contentBlocks(['wow', { type: 'text', text: 'hello' }, null, 4])).toEqual([{ type: 'text', text: 'hello' }])
    for (const nothing of ['', undefined, null, 5, { text: 'x' }]) expect(contentBlocks(nothing)).toEqual([])
  })
})

describe('blocksText', () => {
  it('is the text only: no thinking, no image, no call', () => {
    const blocks = [
      { type: 'text', text: 'see the gauge' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'thinking', thinking: 'hmm' },
      { type: 'text', text: 5 },
      { type: 'text', text: 'it reads 41 psi' },
    ]
    expect(blocksText(blocks)).toBe('see the gauge\n\nit reads 41 psi')
  })
})

describe('textCharacters', () => {
  it('counts the characters of texts at any depth, not names, numbers or syntax', () => {
    expect(textCharacters({ a: 'abc', b: [{ c: 'de' }, 5, null, true], d: '' })).toBe(5)
    expect(textCharacters('😀')).toBe(2)
    expect(textCharacters(undefined)).toBe(0)
    let deep: unknown = 'x'
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(textCharacters(deep)).toBe(1)
  })
})

describe('describeCall', () => {
  it('says what was run in one line', () => {
    expect(describeCall('Bash', { description: 'list', command: 'ls\n-la' })).toBe('[tool] Bash: ls -la')
    expect(describeCall('Read', { file_path: '/a.md' })).toBe('[tool] Read: /a.md')
    expect(describeCall('exec', 'ls')).toBe('[tool] exec: ls')
    expect(describeCall('plan', { steps: [1, 2], mode: 'x' })).toBe('[tool] plan: steps=[1,2] mode=x')
    const todos = [{ content: 'mend the oar', status: 'pending' }, { content: 'oil the lock' }]
    expect(describeCall('TodoWrite', { todos })).toBe('[tool] TodoWrite: todos=mend the oar; oil the lock')
    expect(describeCall('noop', undefined)).toBe('[tool] noop')
  })

  it('is cut at its limit, and never inside a character', () => {
    for (let at = 0; at < 4; at++) {
      const line = describeCall('Bash', { command: `${'x'.repeat(at)}${'😀'.repeat(300)}` })
      expect(line.length).toBeLessThanOrEqual(MAX_TOOL_CALL_CHARS)
      expect(line).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
    }
  })
})
