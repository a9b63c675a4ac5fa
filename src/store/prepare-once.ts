import { MadeleineError } from '../errors.ts'
import { PREPARING_WAIT_MS } from './preparing-options.ts'

/**
 * Does at an opening what one of many processes has to do after an upgrade, and waits for whoever is at it: that takes longer than any write.
 * `work` has to look again, within its write, whether anything is left to do. Rejects with STORE_BUSY after PREPARING_WAIT_MS.
 */
export async function prepareOnce(isDone: () => Promise<boolean>, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isDone())) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof MadeleineError && error.code === 'STORE_BUSY'
      if (!isBusy || performance.now() - startedAt > PREPARING_WAIT_MS) throw error
    }
  }
}
