import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { MadeleineError } from '../../index.ts'
import type { EngineDoor } from './engine-door.ts'
import type { ServerScope, Tool, ToolAnswer } from './tool.ts'
import { argumentError, toErrorResult } from './tool-error.ts'

export interface CallContext {
  door: EngineDoor
  scope: ServerScope
  /** Aborted when the client does not want the answer any more. */
  signal: AbortSignal
  /** Tells the owner, on stderr, of what should not happen. */
  log: (line: string) => void
}

/**
 * Calls a tool with arguments as the client sent them. Never rejects: what goes wrong is an answer with code, message and remedy.
 * The document stands in `structuredContent`, and as text for clients that know no other.
 */
export async function callTool(
  tool: Tool,
  given: Record<string, unknown>,
  { door, scope, signal, log }: CallContext,
): Promise<CallToolResult> {
  try {
    const args = readArguments(tool, given)
    return toResult(
      await untilAborted(
        signal,
        door.use((engine) => tool.run(args, { engine, scope })),
      ),
    )
  } catch (error) {
    // What somebody switched off is not wrong.
    if (tool.whenDisabled && error instanceof MadeleineError && error.code === 'DISABLED')
      return toResult({ document: { disabled: true, ...tool.whenDisabled }, hint: `${error.message}. ${error.remedy}` })
    if (!(error instanceof MadeleineError)) log(`${tool.name}: ${error instanceof Error ? error.stack : String(error)}`)
    return toErrorResult(error)
  }
}

function toResult({ document, hint }: ToolAnswer): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(document) },
      ...(hint === undefined ? [] : [{ type: 'text' as const, text: hint }]),
    ],
    structuredContent: { ...document },
  }
}

/** Null stands for "not given": many models fill in every argument that there is. */
function readArguments(tool: Tool, given: Record<string, unknown>): unknown {
  const parsed = tool.input.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)))
  if (!parsed.success) throw argumentError(tool.name, parsed.error, tool.input)
  return parsed.data
}

/** Ends the wait when the client cancels. What the engine has begun it ends by itself; its answer goes nowhere. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // Both may fail; one of them is heard.
  work.catch(() => undefined)
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () =>
      reject(
        new MadeleineError('INTERRUPTED', 'The call was cancelled: nobody waits for its answer', {
          remedy: 'Call again',
        }),
      )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
