import { describe, expect, it } from 'vitest'
import { blankCode } from './blank-code.ts'

const CODE = 'const limit = 5;\nfor (const one of list) {\n  send(one, limit);\n}'
const shown = (text: string): string => blankCode(text).replace(/\s+/g, ' ').trim()

describe('blankCode', () => {
  it.each([
    ['between its fences', `Before.\n\`\`\`ts\n${CODE}\n\`\`\`\nAfter.`, 'Before. After.'],
    ['that does not end', `Before.\n\`\`\`\n${CODE}`, 'Before.'],
    ['that began in the piece before', `${CODE}\n\`\`\`\nAfter it the limit holds.`, 'After it the limit holds.'],
    ['that began before, with another after it', `${CODE}\n\`\`\`\nAfter.\n\`\`\`ts\n${CODE}\n\`\`\``, 'After.'],
    ['that began before and does not end', CODE, ''],
    ['of tildes, with fences of others in it', `Before.\n~~~\n\`\`\`\nx\n\`\`\`\n~~~\nAfter.`, 'Before. After.'],
  ])('blanks code %s', (_, text, left) => {
    expect(shown(text)).toBe(left)
    expect(blankCode(text)).toHaveLength(text.length)
  })

  it.each([
    'The limit is five.\nFrom Monday on it is six.',
    '- [ ] Raise the limit (Mara)\n- [ ] Tell Tomasz',
    '# Limits\n\n| key | limit |\n|---|---|\n| Office | 5 |',
    'Use `limit = 5` for now.',
  ])('leaves what people write: %j', (text) => {
    expect(blankCode(text)).toBe(text)
  })
})
