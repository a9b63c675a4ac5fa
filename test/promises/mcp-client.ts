import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach } from 'vitest'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** How Node is told to run the command line from its sources. */
export const MAIN: readonly string[] = ['--import', import.meta.resolve('tsx'), join(ROOT, 'src', 'cli', 'main.ts')]

/** What a started server sees of the environment: no model, and a home of its own. */
export function mcpEnvironment(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, MADELEINE_EMBEDDING: 'none', MADELEINE_TIME_ZONE: 'UTC', ...extra }
}

/** A client of the protocol's own library, connected to a server in a process of its own. */
export interface ConnectedClient {
  client: Client
  pid: number
  /** What the server wrote to stderr so far. */
  stderr(): string
  /** The document of a tool's answer; throws where the tool says that it failed. */
  call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** What a tool says that went wrong; throws where nothing did. */
  refusal(name: string, args?: Record<string, unknown>): Promise<{ code: string; message: string; remedy: string }>
}

interface StartOptions {
  home: string
  args?: readonly string[]
  env?: Record<string, string>
}

/** Gives a test file a way to start servers; what a test started ends with it. */
export function useMcp(): (options: StartOptions) => Promise<ConnectedClient> {
  const clients: Client[] = []
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })
  return async ({ home, args = [], env = {} }) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...MAIN, 'mcp', ...args],
      env: mcpEnvironment(home, env),
      cwd: home,
      stderr: 'pipe',
    })
    let stderr = ''
    transport.stderr?.on('data', (part: Buffer) => {
      stderr += part.toString('utf8')
    })
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    await client.connect(transport)
    // Once they are listed, the client itself checks every answer against the tool's schema.
    await client.listTools()
    return {
      client,
      pid: transport.pid ?? 0,
      stderr: () => stderr,
      async call(name, given = {}) {
        const answer = await client.callTool({ name, arguments: given })
        if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`)
        return answer.structuredContent as Record<string, unknown>
      },
      async refusal(name, given = {}) {
        const answer = await client.callTool({ name, arguments: given })
        const [first] = answer.content as Array<{ text: string }>
        if (!answer.isError || !first) throw new Error(`${name} did not fail: ${JSON.stringify(answer)}`)
        return JSON.parse(first.text).error
      },
    }
  }
}
