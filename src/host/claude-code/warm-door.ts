import type { RecallRequest, RecallResponse } from '../../model/recall.ts'
import { HOOK_ERRAND_MS } from '../host-options.ts'
import { askWarm, readCard } from '../warm/ask-warm.ts'
import type { WarmPlace } from '../warm/warm-place.ts'

/** A hook's way to the warm process, and to a process of its own where there is none. */
export interface WarmDoor {
  /** Null when no warm process of these settings answers within `waitMs`. */
  recall(request: RecallRequest, waitMs: number): Promise<RecallResponse | null>
  /** Hands a transcript over to be indexed, to the warm process or to one that is started for it. */
  indexTranscript(path: string): Promise<void>
  /** Sees to it that there is a warm process of these settings from now on, where they allow one. Waits for nothing. */
  start(): void
}

export interface DoorParts {
  place: WarmPlace
  /** Of the settings and the program: a process of others is not used, and told to end. */
  fingerprint: string
  /** Whether a warm process may be used and started. */
  isOn: boolean
  /** Starts the program with these arguments, detached. */
  startProcess(args: readonly string[]): void
}

export function openWarmDoor({ place, fingerprint, isOn, startProcess }: DoorParts): WarmDoor {
  const card = isOn ? readCard(place) : null
  const isCurrent = card?.fingerprint === fingerprint
  let isAlive = isCurrent

  async function endOutdated(): Promise<void> {
    if (!card || isCurrent) return
    await askWarm(place, { method: 'stop' }, { token: card.token, waitMs: HOOK_ERRAND_MS })
  }

  return {
    async recall(request, waitMs) {
      await endOutdated()
      if (!card || !isCurrent) return null
      const answer = await askWarm(
        place,
        { method: 'recall', request, deadlineMs: waitMs },
        { token: card.token, waitMs },
      )
      isAlive = answer !== null
      return answer?.ok ? answer.result : null
    },
    async indexTranscript(path) {
      await endOutdated()
      const taken =
        card && isCurrent
          ? await askWarm(place, { method: 'index-transcript', path }, { token: card.token, waitMs: HOOK_ERRAND_MS })
          : null
      if (!taken?.ok) startProcess(['warm', ...(isOn ? [] : ['--once']), '--index-transcript', path])
    },
    start() {
      if (isOn && !isAlive) startProcess(['warm'])
    },
  }
}
