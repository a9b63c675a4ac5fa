import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/** The requests of a client that have no answer yet. */
export interface OpenRequests {
  /** Resolves when every request is answered or cancelled; at once when none is open. */
  allAnswered(): Promise<void>
}

/** Watches what goes over a transport, and tells `trace` of it. To be called before a server is connected to it. */
export function watchRequests(transport: Transport, trace?: (line: string) => void): OpenRequests {
  const open = new Set<RequestId>()
  let waiting: Array<() => void> = []
  const settle = (id: RequestId): void => {
    open.delete(id)
    if (open.size > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) return
    trace?.(`received ${message.method}${'id' in message ? ` ${message.id}` : ''}`)
    if ('id' in message) open.add(message.id)
    else if (message.method === 'notifications/cancelled') settle(message.params?.requestId as RequestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    await send(message, options)
    if ('method' in message || message.id === undefined) return
    trace?.(`answered ${message.id}`)
    settle(message.id)
  }
  return {
    allAnswered: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
