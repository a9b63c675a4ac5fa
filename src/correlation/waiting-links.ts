import type { AwaitingLink, MemoryStore } from '../store/memory-store.ts'

/**
 * Memories that wait to be linked, a round at a time. What is near to the ones just linked comes next: it has been read and taken apart
 * for them, and ids put what belongs together far apart.
 */
export class WaitingLinks {
  readonly #store: Pick<MemoryStore['relationships'], 'listAwaiting'>
  readonly #window: number
  readonly #isWanted: (id: string) => boolean
  readonly #postponed = new Set<string>()
  #waiting = new Map<string, AwaitingLink>()

  constructor(
    store: Pick<MemoryStore['relationships'], 'listAwaiting'>,
    { window, isWanted = () => true }: { window: number; isWanted?: (id: string) => boolean },
  ) {
    this.#store = store
    this.#window = window
    this.#isWanted = isWanted
  }

  /** At most `count` of them, those of `near` first; `isFresh` where they were listed just now. None when nothing waits. */
  async take(count: number, near: Iterable<string>): Promise<{ batch: AwaitingLink[]; isFresh: boolean }> {
    const isFresh = this.#waiting.size === 0
    if (isFresh) await this.#list()
    const batch: AwaitingLink[] = []
    const takeOne = (id: string): void => {
      const link = this.#waiting.get(id)
      if (!link || batch.length >= count) return
      this.#waiting.delete(id)
      batch.push(link)
    }
    for (const id of near) takeOne(id)
    for (const id of this.#waiting.keys()) {
      if (batch.length >= count) break
      takeOne(id)
    }
    return { batch, isFresh }
  }

  /** Leaves out these for now: they wait for something else. */
  postpone(ids: readonly string[]): void {
    for (const id of ids) this.#postponed.add(id)
  }

  /** Lists anew next time: others have changed what waits. */
  forget(): void {
    this.#waiting.clear()
  }

  async #list(): Promise<void> {
    const listed = await this.#store.listAwaiting(this.#window + this.#postponed.size)
    this.#waiting = new Map(
      listed.flatMap((link) => (!this.#postponed.has(link.id) && this.#isWanted(link.id) ? [[link.id, link]] : [])),
    )
  }
}
