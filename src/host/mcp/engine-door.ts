import { type Madeleine, MadeleineError } from '../../index.ts'

/** The way to an engine that is opened when it is first needed. */
export interface EngineDoor {
  /**
   * Does work with the engine. Rejects as opening or the work does; opening is tried again with the next work. A store that was
   * moved or replaced since it was opened is opened anew, once.
   */
  use<T>(work: (engine: Madeleine) => Promise<T>): Promise<T>
  /** Closes what is open, at once or, without waiting here, when the last work at hand is done. */
  close(): Promise<void>
}

interface OpenEngine {
  engine: Madeleine
  /** Calls at work in it. */
  users: number
  /** Nobody else gets it: it closes with its last user. */
  isLeaving: boolean
}

/** Makes the door; `open` is called on first use, and again after what it opened has become useless. */
export function createEngineDoor(open: () => Promise<Madeleine>): EngineDoor {
  let current: Promise<OpenEngine> | undefined

  function enter(): Promise<OpenEngine> {
    current ??= open().then(
      (engine) => ({ engine, users: 0, isLeaving: false }),
      (error: unknown) => {
        current = undefined
        throw error
      },
    )
    return current
  }

  async function leave(one: OpenEngine): Promise<void> {
    one.users -= 1
    if (one.isLeaving && one.users === 0) await one.engine.close()
  }

  async function workIn<T>(one: OpenEngine, work: (engine: Madeleine) => Promise<T>): Promise<T> {
    one.users += 1
    try {
      return await work(one.engine)
    } catch (error) {
      if (isUseless(error) && !one.isLeaving) {
        one.isLeaving = true
        current = undefined
      }
      throw error
    } finally {
      await leave(one)
    }
  }

  return {
    async use(work) {
      const isFresh = current === undefined
      try {
        return await workIn(await enter(), work)
      } catch (error) {
        if (isFresh || !isUseless(error)) throw error
        return workIn(await enter(), work)
      }
    },
    async close() {
      const one = await current?.catch(() => undefined)
      current = undefined
      if (!one || one.isLeaving) return
      one.isLeaving = true
      if (one.users === 0) await one.engine.close()
    },
  }
}

/** The store behind the engine is not what it was when it was opened. */
function isUseless(error: unknown): boolean {
  return error instanceof MadeleineError && (error.code === 'STORE_UNUSABLE' || error.code === 'STORE_DAMAGED')
}
