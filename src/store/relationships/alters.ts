import type { MemoryContent } from '../../model/memory.ts'

/** Whether links that were discovered for one content say nothing of the other: in the words or in what kind of memory it is. */
export function alters(before: MemoryContent, after: MemoryContent): boolean {
  return (
    before.text !== after.text ||
    before.embedText !== after.embedText ||
    before.tier !== after.tier ||
    before.type !== after.type ||
    before.speaker !== after.speaker ||
    before.headerPath.join('\0') !== after.headerPath.join('\0')
  )
}
