import { MadeleineError } from '../errors.ts'
import { PREPARING_PAUSE_MS, PREPARING_WAIT_MS } from './preparing-options.ts'

/**
 * Does at an opening what one of many processes has to do after an upgrade, and waits for whoever is at it: that takes longer than any write.
 * `work` has to look again, within its write, whether anything is left to do. Rejects with STORE_BUSY after PREPARING_WAIT_MS.
 */
export async function prepareOnce(isDone: () => Promise<boolean>, work: () => Promise<void>): Promise<void> {
  let waitingSince: number | undefined
  while (!(await isDone())) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MadeleineError && error.code === 'STORE_BUSY')) throw error
      // Asked for here alone: the clock is a part of the runtime whose loading a hook would pay for.
      waitingSince ??= performance.now()
      if (performance.now() - waitingSince > PREPARING_WAIT_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, PREPARING_PAUSE_MS))
    }
  }
}
