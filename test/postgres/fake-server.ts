import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** Messages of the frontend that matter here. */
const QUERY = 'Q'
const SYNC = 'S'
const TEXT_OID = 25

/**
 * Speaks enough of PostgreSQL's protocol (version 3) to let anybody in and to answer whatever is asked with one row of one text: for what
 * no real server of this machine would say.
 */
export class FakeServer {
  readonly #listener: Server
  readonly #open = new Set<Socket>()

  private constructor(column: string, value: string) {
    this.#listener = createServer((socket) => {
      this.#open.add(socket)
      socket.on('close', () => this.#open.delete(socket))
      socket.on('error', () => socket.destroy())
      serve(socket, [rowDescription(column), dataRow(value), message('C', text('SELECT 1'))])
    })
  }

  /** Answers everything with this value in a column of this name. */
  static async answering(column: string, value: string): Promise<FakeServer> {
    const server = new FakeServer(column, value)
    server.#listener.listen(0, '127.0.0.1')
    await once(server.#listener, 'listening')
    return server
  }

  get url(): string {
    const address = this.#listener.address()
    return `postgres://ada:word@127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/memories`
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#listener.close()
    await once(this.#listener, 'close')
  }
}

function serve(socket: Socket, answer: readonly Buffer[]): void {
  let waiting = Buffer.alloc(0)
  let isGreeted = false
  const ready = message('Z', Buffer.from('I'))
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      // The first message has no type before its length.
      const start = isGreeted ? 1 : 0
      if (waiting.length < start + 4) return
      const end = start + waiting.readInt32BE(start)
      if (waiting.length < end) return
      const type = isGreeted ? String.fromCharCode(waiting[0] ?? 0) : ''
      waiting = waiting.subarray(end)
      if (!isGreeted) socket.write(Buffer.concat([message('R', int32(0)), ready]))
      else if (type === QUERY) socket.write(Buffer.concat([...answer, ready]))
      else if (type === SYNC) socket.write(Buffer.concat([message('1'), message('2'), ...answer, ready]))
      isGreeted = true
    }
  })
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function rowDescription(column: string): Buffer {
  const format = Buffer.concat([int32(0), int16(0), int32(TEXT_OID), int16(-1), int32(-1), int16(0)])
  return message('T', Buffer.concat([int16(1), text(column), format]))
}

function dataRow(value: string): Buffer {
  const bytes = Buffer.from(value)
  return message('D', Buffer.concat([int16(1), int32(bytes.length), bytes]))
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
