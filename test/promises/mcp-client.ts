import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { MAIN, useBuiltProgram } from '../built-program.ts'

/** What a started server sees of the environment: no model, and a home of its own. */
export function mcpEnvironment(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    ...{ PATH: process.env.PATH ?? '', HOME: home, MADELEINE_EMBEDDING: 'none', MADELEINE_TIME_ZONE: 'UTC' },
    // Not what is tested here: a busy machine must not make a recall silent.
    MADELEINE_RECALL_DEADLINE_MS: '60000',
    ...extra,
  }
}

/** A client of the protocol's own library, connected to a server. */
export interface ConnectedClient {
  client: Client
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

/** Where a server is reached, and how it is ended. */
interface StartedServer {
  transport: Transport
  end(): Promise<unknown>
}

export interface Mcp {
  /** A server in a process of its own, as clients start it. */
  spawn(options: StartOptions): Promise<ConnectedClient>
  /** The same command line in this process, over streams: for what does not depend on the process. */
  run(options: StartOptions): Promise<ConnectedClient>
}

/** Gives a test file ways to start servers; what a test started ends with it. */
export function useMcp(): Mcp {
  const started: Array<{ client: Client; server: StartedServer }> = []
  useBuiltProgram()
  afterEach(async () => {
    for (const { client, server } of started.splice(0)) {
      await client.close()
      await server.end()
    }
  })
  const connect = async (server: StartedServer): Promise<ConnectedClient> => {
    const client = new Client({ name: 'test', version: '1' })
    started.push({ client, server })
    await client.connect(server.transport)
    // Once they are listed, the client itself checks every answer against the tool's schema.
    await client.listTools()
    return toConnected(client)
  }
  return { spawn: (options) => connect(spawnServer(options)), run: (options) => connect(runServer(options)) }
}

function spawnServer({ home, args = [], env = {} }: StartOptions): StartedServer {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: mcpEnvironment(home, env),
    cwd: home,
    stderr: 'ignore',
  })
  return { transport, end: async () => undefined }
}

function runServer({ home, args = [], env = {} }: StartOptions): StartedServer {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const streams = { stdin, stdout, stderr: new PassThrough().resume() }
  const surroundings = { env: mcpEnvironment(home, env), home, cwd: home, platform: process.platform }
  const ended = runCli(['mcp', ...args], { ...surroundings, ...streams })
  return {
    // Lines of JSON one way and the other: the same transport serves both ends.
    transport: new StdioServerTransport(stdout, stdin),
    end: () => {
      stdin.end()
      return ended
    },
  }
}

function toConnected(client: Client): ConnectedClient {
  return {
    client,
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
