import type { Madeleine, OpenOptions } from '../../index.ts'

/** Opens an engine. The engine's code is loaded only then: a plugin that is merely looked at costs nothing. */
export type OpenEngine = (options: OpenOptions) => Promise<Madeleine>

const openLazily: OpenEngine = async (options) => (await import('../../index.ts')).openMadeleine(options)

/**
 * One engine for all calls of a process: opened by the first of them, closed by `close`, opened again by the next. A failed
 * opening is tried anew by the next call.
 */
export class SharedEngine {
  readonly #openEngine: OpenEngine
  readonly #options: () => OpenOptions
  #opening: Promise<Madeleine> | undefined
  #isOpen = false
  #calls = new Set<Promise<unknown>>()

  constructor(options: () => OpenOptions, openEngine: OpenEngine = openLazily) {
    this.#options = options
    this.#openEngine = openEngine
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Runs `use` on the engine. Rejects as opening it or `use` does. */
  use<T>(use: (engine: Madeleine) => Promise<T>): Promise<T> {
    const call = this.#open().then(use)
    const ended = call.then(
      () => undefined,
      () => undefined,
    )
    this.#calls.add(ended)
    void ended.then(() => this.#calls.delete(ended))
    return call
  }

  #open(): Promise<Madeleine> {
    this.#opening ??= this.#begin()
    return this.#opening
  }

  async #begin(): Promise<Madeleine> {
    try {
      const engine = await this.#openEngine(this.#options())
      this.#isOpen = true
      return engine
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  /** Waits for the calls that run, and closes the engine. */
  async close(): Promise<void> {
    const opening = this.#opening
    if (!opening) return
    this.#opening = undefined
    this.#isOpen = false
    const calls = [...this.#calls]
    const engine = await opening.catch(() => undefined)
    await Promise.all(calls)
    await engine?.close()
  }
}
