import type { Tally } from '../normalize/tally.ts'
import { countCharacters } from './read-json-lines.ts'
import type { ReadResult, SourceEntry } from './source.ts'

/** The result of a read; where the file is left out as a whole, the tally learns how much that is. */
export async function accountSkipped(
  entry: SourceEntry,
  read: Promise<ReadResult>,
  tally: Tally | undefined,
): Promise<ReadResult> {
  const result = await read
  if (tally && 'skipped' in result) tally.skipFile(result.skipped, await countCharacters(entry.absolutePath))
  return result
}

/** The same for a read in parts. */
export async function* accountSkippedParts<T extends object>(
  entry: SourceEntry,
  parts: AsyncIterable<T | { skipped: string }>,
  tally: Tally | undefined,
): AsyncGenerator<T | { skipped: string }> {
  for await (const part of parts) {
    if (tally && 'skipped' in part) tally.skipFile(part.skipped, await countCharacters(entry.absolutePath))
    yield part
  }
}
