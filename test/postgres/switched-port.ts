import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A port that leads to one server or another, as an address that moves with the primary does. */
export class SwitchedPort {
  readonly #listener: Server
  readonly #open = new Set<Socket>()
  #target: number

  private constructor(target: number) {
    this.#target = target
    this.#listener = createServer((client) => this.#join(client))
  }

  static async open(target: number): Promise<SwitchedPort> {
    const port = new SwitchedPort(target)
    port.#listener.listen(0, '127.0.0.1')
    await once(port.#listener, 'listening')
    return port
  }

  get port(): number {
    const address = this.#listener.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Where new connections lead from now on. */
  leadTo(target: number): void {
    this.#target = target
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#listener.close()
    await once(this.#listener, 'close')
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(from)
      from.pipe(to)
      // Either end that breaks takes the other with it.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#open.delete(from)
        to.destroy()
      })
    }
  }
}
