import type { DocumentWrite } from '../store/memory-store.ts'
import { readCues } from '../text/cues/read-cues.ts'

/** The write, with what each of its memories says that matters between turns: the store need not read it then. */
export function withCues(write: DocumentWrite, timeZone: string): DocumentWrite {
  const { path } = write.head
  const memories = write.memories.map((one) => ({
    ...one,
    cues: readCues(one.content, { ...one.place, path }, timeZone),
  }))
  return { ...write, memories, cueZone: timeZone }
}
