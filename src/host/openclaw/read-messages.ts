import type { RecentTurn } from '../../index.ts'

const ROLES: Readonly<Record<string, RecentTurn['role']>> = {
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool',
  tool: 'tool',
  system: 'system',
}

/** The host's messages as turns, oldest first. Content is a text or a list of parts; what is neither text nor known is left out. */
export function readMessages(messages: unknown): RecentTurn[] {
  if (!Array.isArray(messages)) return []
  return messages.flatMap((message: unknown) => {
    const { role, content } = (typeof message === 'object' && message !== null ? message : {}) as Record<
      string,
      unknown
    >
    const known = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
    const text = textOf(content)
    return known && text !== '' ? [{ role: known, text }] : []
  })
}

/** The texts of a message's content, a line between them. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (typeof part === 'object' && part !== null ? (part as { text?: unknown }).text : part))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

/** Whether earlier messages still hold a block that was injected: then this host keeps them. */
export function holdsInjectedBlock(turns: readonly RecentTurn[]): boolean {
  return turns.some(({ role, text }) => role === 'user' && text.includes('<recalled-context>'))
}
