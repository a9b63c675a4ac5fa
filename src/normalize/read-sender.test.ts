import { describe, expect, it } from 'vitest'
import { hasExternalContent, readSender } from './read-sender.ts'

const block = (label: string, value: unknown): string => `${label}\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`

describe('readSender', () => {
  it('names who wrote a message, whichever envelope the host used', () => {
    expect(readSender(`${block('Sender (untrusted metadata):', { label: 'Ines', id: '9' })}\nhello`)).toBe('Ines')
    expect(readSender(`${block('Sender: ⟦openclaw:ctx⟧', { name: 'Tomas' })}\nhello`)).toBe('Tomas')
    expect(readSender('[Telegram Ines Roth id:123 2026-01-05 12:00 UTC] hello')).toBe('Ines Roth')
    expect(readSender(`${block('Conversation info (untrusted metadata):', { sender_name: 'Ada' })}hello`)).toBe('Ada')
  })

  it('names nobody where the envelope gives no name', () => {
    expect(readSender('hello')).toBeUndefined()
    expect(readSender(block('Sender (untrusted metadata):', { label: '+41 79', id: '9' }))).toBeUndefined()
    expect(readSender('Sender (untrusted metadata):\n```json\n{"label":\n```')).toBeUndefined()
    expect(readSender(block('Sender (untrusted metadata):', { name: 7 }))).toBeUndefined()
  })
})

describe('hasExternalContent', () => {
  it('knows text that came from outside by its markers', () => {
    expect(hasExternalContent('<<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>\nx')).toBe(true)
    expect(hasExternalContent('external content')).toBe(false)
  })
})
