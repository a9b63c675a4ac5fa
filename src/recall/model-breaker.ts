import { MODEL_BREAKER } from '../options.ts'

/** Spares turns the wait for a model that does not answer. */
export interface ModelBreaker {
  /** How long recalls still go without the model, ms; 0 when it may be asked. After the pause one recall tries it. */
  pausedMs(): number
  noteAnswer(): void
  /** The model failed, or was too late for the turn. */
  noteFailure(): void
}

/** `monotonic` gives ms. Opens after MODEL_BREAKER.failures in a row; one more failure after the pause opens it again. */
export function createModelBreaker(monotonic: () => number): ModelBreaker {
  let failures = 0
  let openUntil = 0
  return {
    pausedMs: () => Math.max(0, openUntil - monotonic()),
    noteAnswer() {
      failures = 0
      openUntil = 0
    },
    noteFailure() {
      failures += 1
      if (failures >= MODEL_BREAKER.failures) openUntil = monotonic() + MODEL_BREAKER.pauseMs
    },
  }
}
