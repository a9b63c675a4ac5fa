import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Clock, type Madeleine, MCP_LIMITS } from '../../index.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { createEngineDoor, type EngineDoor } from './engine-door.ts'
import { watchRequests } from './open-requests.ts'
import type { ServerScope } from './tool.ts'
import { describeError } from './tool-error.ts'

export interface ServeOptions {
  /** Opens the engine; called when it is first needed, and again when that failed. */
  open: () => Promise<Madeleine>
  scope: ServerScope
  version: string
  /** What reports are dated by. */
  now: Clock
  /** Where the client writes. */
  input: Readable
  /** Where the client reads: nothing but the protocol goes there. */
  output: Writable
  /** A line for the owner, never for the client. */
  log: (line: string) => void
  /** The same for each request that comes and goes, where that is wanted. */
  trace?: (line: string) => void
  /** Ends the server. */
  signal: AbortSignal
}

/**
 * Serves one client over two streams until it goes: its input ends, its output breaks, or `signal` is aborted. What was asked before
 * the input ended is answered still, within MCP_LIMITS.drainMs. Resolves when the engine is closed.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const { input, output, log } = options
  const door = createEngineDoor(options.open)
  const mcp = createMcpServer({ door, ...options })
  const transport = new StdioServerTransport(input, output)
  const requests = watchRequests(transport, options.trace)
  const broken = new AbortController()
  const stop = AbortSignal.any([options.signal, broken.signal])
  output.on('error', () => broken.abort())
  // Every answer that waits for a slow reader listens.
  output.setMaxListeners(0)
  mcp.server.onclose = () => broken.abort()
  mcp.server.onerror = ({ message }) => log(`protocol: ${message}`)
  mcp.server.oninitialized = () => warmLater(door, { log, signal: stop })
  const inputEnded = Promise.race([once(input, 'end'), once(input, 'close'), once(input, 'error')])
  inputEnded.catch(() => undefined)
  await mcp.connect(transport)
  await untilStopped(stop, inputEnded)
  await untilStopped(stop, Promise.race([requests.allAnswered(), wait(MCP_LIMITS.drainMs, undefined, { ref: false })]))
  await mcp.close()
  await door.close()
}

/** Waits for an event, but no longer than until the server has to stop. */
async function untilStopped(signal: AbortSignal, event: Promise<unknown>): Promise<void> {
  if (signal.aborted) return
  await Promise.race([event, once(signal, 'abort')]).catch(() => undefined)
}

/** Loads store and model ahead of the first question, once the client has had the lists that it asks for first. */
async function warmLater(
  door: EngineDoor,
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  try {
    await wait(MCP_LIMITS.warmDelayMs, undefined, { ref: false, signal })
    await door.use((engine) => engine.warm())
  } catch (error) {
    // The first call meets the same and tells the client.
    if (!signal.aborted) log(describeError(error).message)
  }
}
