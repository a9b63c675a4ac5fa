import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { EngineDoor } from './engine-door.ts'

/** `recall`: a message with what recall would inject before it, or alone where memory has nothing to say. */
export function addRecallPrompt(mcp: McpServer, { door }: { door: EngineDoor }): void {
  mcp.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'Ask with what memory knows about it',
      argsSchema: { prompt: z.string().describe('what you want to say') },
    },
    async ({ prompt }) => {
      const { text } = await door.use((engine) => engine.recall({ prompt }))
      const messages = [text, prompt].filter((part) => part !== '')
      return { messages: messages.map((part) => ({ role: 'user', content: { type: 'text', text: part } })) }
    },
  )
}
