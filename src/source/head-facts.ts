import { cleanId } from '../normalize/index.ts'
import { type JsonObject, type TranscriptFacts, textField } from './transcript-format.ts'

/** Gathers what the records of a file say of it as a whole; the first that says something counts. */
export interface HeadFacts {
  note(found: { sessionId?: unknown; cwd?: unknown }): void
  close(): void
  get(): TranscriptFacts
}

export function createHeadFacts(saved: JsonObject = {}): HeadFacts {
  let sessionId = textField(saved.sessionId)
  let cwd = textField(saved.cwd)
  let isOpen = true
  return {
    note(found) {
      if (!isOpen) return
      const id = textField(found.sessionId)
      sessionId ??= id === undefined ? undefined : cleanId(id)
      cwd ??= textField(found.cwd)
    },
    close() {
      isOpen = false
    },
    get: () => ({ ...(sessionId ? { sessionId } : {}), ...(cwd ? { cwd } : {}) }),
  }
}
