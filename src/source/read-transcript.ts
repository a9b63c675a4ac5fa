import type { Tally } from '../normalize/tally.ts'
import { MAX_TRANSCRIPT_LINE_BYTES } from '../options.ts'
import { DamagedFileError, type JsonLine, openJsonLines, resumeJsonLines } from './read-json-lines.ts'
import type { SourceEntry } from './source.ts'
import { unpackCursor } from './transcript-cursor.ts'
import { isSameScope, scopeOf, type TranscriptContext } from './transcript-head.ts'
import { type TranscriptPart, TranscriptReading } from './transcript-reading.ts'

/**
 * Reads a transcript part by part, after the part that a cursor stands for where its bytes are still the same. It may turn out
 * in any line that the file is to be skipped.
 */
export async function* readTranscript(
  entry: SourceEntry,
  context: TranscriptContext,
  { cursor, tally }: { cursor?: string | undefined; tally?: Tally | undefined } = {},
): AsyncGenerator<TranscriptPart | { skipped: string }> {
  const known = cursor === undefined ? undefined : unpackCursor(cursor)
  // Whose memories they are may be another's by now, after a change of the configuration or of the folders.
  const isOurs = known !== undefined && isSameScope(known.head.scope, scopeOf(entry, context, known.facts))
  const resumed = isOurs ? await resumeJsonLines(entry.absolutePath, MAX_TRANSCRIPT_LINE_BYTES, known) : undefined
  const file = resumed ?? openJsonLines(entry.absolutePath, MAX_TRANSCRIPT_LINE_BYTES, tally)
  const reading = new TranscriptReading({ entry, context, file, from: resumed && known, tally })
  for await (const item of untilDamaged(file.lines, (message) => reading.noteDamage(message))) {
    const skipped = reading.accept(item)
    if (skipped !== undefined) {
      yield { skipped }
      return
    }
    if (reading.isUnknown()) break
    const part = reading.takePart()
    if (part) yield part
  }
  yield reading.finish()
}

/** The lines before the place where a packed file is damaged. */
async function* untilDamaged(
  lines: AsyncIterable<JsonLine>,
  onDamage: (message: string) => void,
): AsyncGenerator<JsonLine> {
  try {
    yield* lines
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    onDamage(error.message)
  }
}
