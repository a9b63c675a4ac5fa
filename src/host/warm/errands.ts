/** Work that was taken on and is done one after the other. */
export interface Errands {
  /** A path that waits already is not added again. */
  add(path: string): void
  /** How many are not done yet. */
  count(): number
  /** When all are done, those included that were added meanwhile. */
  done(): Promise<void>
}

/** `run` may reject: that is told to `onFailure`, and the next errand has its turn. */
export function createErrands(options: { run(path: string): Promise<void>; onFailure(error: unknown): void }): Errands {
  const waiting = new Set<string>()
  let isAtWork = false
  let round: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    isAtWork = true
    for (let [path] = waiting; path !== undefined; [path] = waiting) {
      // Taken off first: what is added to the file from now on needs another look.
      waiting.delete(path)
      await options.run(path).catch(options.onFailure)
    }
    isAtWork = false
  }

  return {
    add(path) {
      waiting.add(path)
      if (!isAtWork) round = work()
    },
    count: () => waiting.size + (isAtWork ? 1 : 0),
    done: () => round,
  }
}
