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

const PAUSE_BEGINS = `the model failed ${MODEL_BREAKER.failures} times in a row`

/** Why a recall goes without a model that is paused for so long, ms. */
export function describePause(pausedMs: number): string {
  return `${PAUSE_BEGINS}: keywords only for ${Math.ceil(pausedMs / 1000)} s more`
}

/** Whether a reason only says that the model is paused, and not what is wrong with it. */
export function isPause(reason: string): boolean {
  return reason.startsWith(PAUSE_BEGINS)
}
